import type { ComponentChildren, JSX } from 'preact';

export interface FiguresProps {
  readonly of: readonly (readonly [name: string, value: ComponentChildren, tone?: string])[];
}

/** Numbers side by side, each below its name. */
export const Figures = ({ of }: FiguresProps): JSX.Element => (
  <dl class="figures">
    {of.map(([name, value, tone]) => (
      <div key={name} class={tone}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
