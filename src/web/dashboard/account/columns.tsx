/** The head of a table. */
import type { JSX } from 'preact';

/** @param names `#` before the name of a column of numbers, `|` before that of bars; `(…)` and bars are named for screen readers only; `wide-only:` */
export const Columns = ({ names }: { names: readonly string[] }): JSX.Element => (
  <thead>
    <tr>
      {names.map(each => {
        const [, wide, sign, name] = /^(wide-only:)?([#|(]?)(.*?)\)?$/.exec(each) ?? [];
        const look =
          sign === '#' ? 'number' : sign === '|' ? 'bar-cell' : wide === undefined ? undefined : 'wide-only';
        return (
          <th key={each} scope="col" class={look}>
            {sign === '|' || sign === '(' ? <span class="unseen">{name}</span> : name}
          </th>
        );
      })}
    </tr>
  </thead>
);
