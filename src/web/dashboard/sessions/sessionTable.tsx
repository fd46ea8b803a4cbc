/** The table of sessions: only the rows on the screen are drawn, so that thousands do not slow it down. */
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ageText, callerText, dateText, micros, now, pageOf, shortUrl } from '../parts/format.ts';
import { SessionStatus } from '../parts/sessionStatus.tsx';
import { useVirtualRows } from '../parts/useVirtualRows.ts';
import type { SessionRow } from './useSessionList.ts';

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 48;
/** The next page is read when this many rows or fewer remain below the screen. */
const READ_AHEAD_ROWS = 30;

const COLUMNS = [
  ['Status', 'c-status'],
  ['Page', 'c-page'],
  ['Labels', 'c-labels'],
  ['Key', 'c-key'],
  ['Operations', 'c-number'],
  ['Cost', 'c-number c-cost'],
  ['Age', 'c-number'],
] as const;

export interface SessionTableProps {
  readonly rows: readonly SessionRow[];
  readonly total: number;
  readonly chosen: ReadonlySet<string>;
  readonly choose: (ids: readonly string[], isChosen: boolean) => void;
  readonly loadMore: () => void;
}

/** The table. Arrow keys, `j` and `k` go from row to row, Enter opens a session, `x` chooses it. */
export function SessionTable({ rows, total, chosen, choose, loadMore }: SessionTableProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(scroller, rows.length, ROW_HEIGHT, index => rows[index]?.id ?? index);
  const last = virtual.rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - READ_AHEAD_ROWS) loadMore();
  }, [last, rows.length, loadMore]);
  const active = rows.filter(({ status }) => status === 'ACTIVE');
  const allChosen = active.length > 0 && active.every(({ id }) => chosen.has(id));

  return (
    <div
      class="table"
      role="table"
      aria-label="Sessions"
      aria-rowcount={total + 1}
      onKeyDown={event => moveByKey(event, scroller, virtual.scrollTo, id => choose([id], !chosen.has(id)))}
    >
      <div role="rowgroup" class="table-head">
        <div role="row" class="row" aria-rowindex={1}>
          <span role="columnheader" class="c-choose">
            <input
              type="checkbox"
              aria-label="Choose all active sessions in the list"
              checked={allChosen}
              disabled={active.length === 0}
              onChange={event =>
                choose(
                  active.map(({ id }) => id),
                  event.currentTarget.checked,
                )
              }
            />
          </span>
          {COLUMNS.map(([name, kind]) => (
            <span key={name} role="columnheader" class={kind}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div ref={scroller} class="table-body" role="rowgroup" tabIndex={0}>
        <div class="table-space" role="presentation" style={{ height: `${virtual.height}px` }}>
          {virtual.rows.map(({ index, key, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <Row
                key={String(key)}
                row={row}
                index={index}
                start={start}
                isChosen={chosen.has(row.id)}
                choose={isChosen => choose([row.id], isChosen)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: SessionRow;
  readonly index: number;
  readonly start: number;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
}

function Row({ row, index, start, isChosen, choose }: RowProps): JSX.Element {
  const title = row.name ?? row.pageTitle ?? '';
  return (
    <div
      role="row"
      class={isChosen ? 'row chosen' : 'row'}
      aria-rowindex={index + 2}
      data-index={index}
      data-id={row.id}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="cell" class="c-choose">
        {row.status === 'ACTIVE' && (
          <input
            type="checkbox"
            aria-label={`Choose ${title || row.id}`}
            checked={isChosen}
            onChange={event => choose(event.currentTarget.checked)}
          />
        )}
      </span>
      <span role="cell" class="c-status">
        <SessionStatus session={row} />
      </span>
      <span role="cell" class="c-page">
        <a href={`/dashboard/sessions/${row.id}`} class="row-link" tabIndex={index === 0 ? 0 : -1}>
          <bdi>{title || pageOf(row)}</bdi>
        </a>
        <span class="sub">
          <bdi>{row.url === null ? row.id : shortUrl(row.url)}</bdi>
        </span>
      </span>
      <span role="cell" class="c-labels">
        {row.labels.slice(0, 3).map(label => (
          <span key={label} class="chip">
            {label}
          </span>
        ))}
        {row.labels.length > 3 && <span class="chip">+{row.labels.length - 3}</span>}
      </span>
      <span role="cell" class="c-key" title={row.startedBy === null ? '' : callerText(row.startedBy)}>
        <bdi>{row.startedBy?.keyName ?? '–'}</bdi>
      </span>
      <span role="cell" class="c-number">
        {row.usage.operations}
      </span>
      <span role="cell" class="c-number c-cost">
        {row.usage.priceMicros === 0 ? '–' : micros(row.usage.priceMicros)}
      </span>
      <span role="cell" class="c-number" title={`Started ${dateText(row.createdAt)}`}>
        {ageText(row.createdAt, now.value)}
      </span>
    </div>
  );
}

function moveByKey(
  event: KeyboardEvent,
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
  toggle: (id: string) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
  const index = row === null ? -1 : Number(row.dataset.index);
  if (event.key === 'x' && row?.dataset.id !== undefined) toggle(row.dataset.id);
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = Math.max(0, index + step);
  scrollTo(next);
  requestAnimationFrame(() =>
    scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus({ preventScroll: true }),
  );
}
