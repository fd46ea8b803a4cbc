/** The console and the network of a session: live, and at the moment of an event. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSubscription } from '../connection/useResource.ts';
import type { DashConsoleSubscription, DashNetworkSubscription } from '../generated/operations.ts';
import { Button } from '../parts/button.tsx';
import { bytesText, clockText, durationText, words } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Empty } from '../parts/states.tsx';
import { useVirtualRows } from '../parts/useVirtualRows.ts';
import { ExportLink } from './exports.tsx';
import type { EventData } from './useSession.ts';

type Message = DashConsoleSubscription['consoleMessages'];
type Request = DashNetworkSubscription['networkRequests'];
interface Entry {
  readonly number: number;
  readonly at: string;
}

/** Height of a row in pixels, as in the style sheet. */
const MESSAGE_HEIGHT = 28;
const REQUEST_HEIGHT = 44;

export interface PageLogProps {
  readonly session: { readonly id: string; readonly pageLog: boolean };
  readonly span: EventSpan | null;
}

/** The time from the event before up to an event, in milliseconds since the epoch. */
export interface EventSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns the span of an event; null for the present. @param seq of the event */
export function spanOf(events: readonly EventData[], seq: number | null): EventSpan | null {
  const index = events.findIndex(event => event.seq === seq);
  const event = events[index];
  if (event === undefined) return null;
  return { from: Date.parse(events[index - 1]?.at ?? event.at), to: Date.parse(event.at) };
}

/** Collects entries, one drawing for all that come at once. */
function useEntries<Each extends Entry>(): {
  readonly entries: readonly Each[];
  readonly last: () => number;
  readonly add: (entry: Each) => void;
} {
  const [entries, setEntries] = useState<readonly Each[]>([]);
  const last = useRef(0);
  const batch = useRef<Each[]>([]);
  return {
    entries,
    last: () => last.current,
    add(entry) {
      if (entry.number <= last.current) return;
      last.current = entry.number;
      if (batch.current.length === 0)
        requestAnimationFrame(() => {
          const arrived = batch.current;
          batch.current = [];
          setEntries(before => [...before, ...arrived]);
        });
      batch.current.push(entry);
    },
  };
}

export function ConsolePanel({ session, span }: PageLogProps): JSX.Element {
  const { entries, last, add } = useEntries<Message>();
  const [level, setLevel] = useState('');
  useSubscription(
    'DashConsole',
    session.pageLog ? session.id : null,
    () => ({ sessionId: session.id, after: last() }),
    { onNext: ({ consoleMessages }) => add(consoleMessages) },
  );
  return (
    <LogPanel
      name="console messages"
      icon="console"
      hint="What the pages write to their console stands here."
      session={session}
      span={span}
      entries={entries}
      textOf={({ text }) => text}
      passes={message =>
        level === '' || toneOf(message) === 'bad' || (level === 'warnings' && message.level === 'WARNING')
      }
      rowHeight={MESSAGE_HEIGHT}
      tools={
        <select aria-label="Level" value={level} onChange={event => setLevel(event.currentTarget.value)}>
          <option value="">All</option>
          <option value="warnings">Warnings</option>
          <option value="errors">Errors</option>
        </select>
      }
      toneOf={toneOf}
      row={message => (
        <>
          <span class="log-kind">{words(message.level)}</span>
          <span class="log-text">
            <bdi>{message.text.split('\n', 1)[0]}</bdi>
          </span>
          <time class="sub" dateTime={message.at}>
            {clockText(message.at)}
          </time>
        </>
      )}
      detail={message => (
        <>
          <pre tabIndex={0}>{message.text}</pre>
          <p class="sub">
            {words(message.level)} · {message.tabId} · {clockText(message.at)}
            {message.url !== null && (
              <>
                {' · '}
                <bdi>
                  {message.url}
                  {message.line === null ? '' : `:${message.line}`}
                </bdi>
              </>
            )}
          </p>
        </>
      )}
    />
  );
}

const toneOf = ({ level }: Message): string =>
  level === 'ERROR' || level === 'EXCEPTION' ? 'bad' : level === 'WARNING' ? 'soon' : '';

const KINDS: Readonly<Record<string, readonly string[]>> = {
  pages: ['document', 'iframe'],
  calls: ['xhr', 'fetch', 'websocket', 'eventsource', 'preflight'],
  scripts: ['script', 'stylesheet'],
  media: ['image', 'font', 'media'],
};

export function NetworkPanel({ session, span }: PageLogProps): JSX.Element {
  const { entries, last, add } = useEntries<Request>();
  const [kind, setKind] = useState('');
  useSubscription(
    'DashNetwork',
    session.pageLog ? session.id : null,
    () => ({ sessionId: session.id, after: last() }),
    { onNext: ({ networkRequests }) => add(networkRequests) },
  );
  return (
    <LogPanel
      name="requests"
      icon="network"
      hint="The requests of the pages stand here when they have ended."
      session={session}
      span={span}
      entries={entries}
      textOf={({ url }) => url}
      passes={request =>
        kind === '' ||
        (kind === 'failed' ? hasFailed(request) : KINDS[kind]?.includes(request.resourceType) === true)
      }
      rowHeight={REQUEST_HEIGHT}
      tools={
        <>
          <select aria-label="Kind" value={kind} onChange={event => setKind(event.currentTarget.value)}>
            <option value="">All</option>
            <option value="failed">Failed</option>
            <option value="pages">Pages</option>
            <option value="calls">Calls</option>
            <option value="scripts">Scripts, styles</option>
            <option value="media">Images, fonts</option>
          </select>
          <ExportLink sessionId={session.id} format="HAR" />
        </>
      }
      toneOf={request => (hasFailed(request) ? 'bad' : request.servedBy === 'CACHE' ? 'faint' : '')}
      row={request => {
        const { host, file } = partsOf(request.url);
        return (
          <>
            <span class="log-kind">{request.status ?? (request.blockedReason === null ? '✕' : '⊘')}</span>
            <span class="log-text">
              <b>{request.method}</b> <bdi>{file}</bdi>
            </span>
            <span class="log-more sub">
              <bdi>{host}</bdi>
              <span>{request.resourceType}</span>
              {request.bytes !== null && <span>{bytesText(request.bytes)}</span>}
              {request.durationMs !== null && <span>{durationText(request.durationMs)}</span>}
            </span>
          </>
        );
      }}
      detail={request => <RequestDetail request={request} />}
    />
  );
}

const hasFailed = ({ status, error, blockedReason }: Request): boolean =>
  error !== null || blockedReason !== null || (status !== null && status >= 400);

/** The host, and what a reader knows the request by: the last part of its path with the query. */
function partsOf(url: string): { readonly host: string; readonly file: string } {
  if (!URL.canParse(url)) return { host: '', file: url };
  const { host, pathname, search } = new URL(url);
  const last = pathname.split('/').findLast(part => part !== '');
  return { host, file: `${last ?? '/'}${search}` };
}

function RequestDetail({ request }: { request: Request }): JSX.Element {
  const { timing, redirectUrl, error, blockedReason, status, statusText, mimeType, protocol, servedBy } =
    request;
  const phases =
    timing === null
      ? []
      : (
          [
            ['blocked', timing.blocked],
            ['DNS', timing.dns],
            ['connect', timing.connect],
            ['TLS', timing.tls],
            ['send', timing.send],
            ['wait', timing.wait],
            ['receive', timing.receive],
          ] as const
        ).flatMap(([name, ms]) => (ms === null || ms <= 0 ? [] : [{ name, ms }]));
  const rows: readonly (readonly [string, string | null])[] = [
    ['Status', status === null ? null : `${status} ${statusText}`],
    ['Type', [mimeType, protocol, servedBy === null ? null : words(servedBy)].filter(Boolean).join(' · ')],
    ['Redirects to', redirectUrl],
    ['Error', error],
    ['Blocked', blockedReason],
    ['Sent', `${clockText(request.at)} · ${request.tabId}`],
  ];
  return (
    <>
      <p class="log-url">
        <b>{request.method}</b> <bdi>{request.url}</bdi>
      </p>
      <dl class="pairs">
        {rows.map(([name, text]) =>
          text === null || text === '' ? null : (
            <>
              <dt>{name}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </>
          ),
        )}
      </dl>
      {phases.length > 0 && (
        <ul class="phases">
          {phases.map(({ name, ms }) => (
            <li key={name} style={{ flexGrow: Math.max(ms, 1) }} title={`${name} ${durationText(ms)}`}>
              {name} {durationText(ms)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LogPanelProps<Each extends Entry> extends PageLogProps {
  readonly name: string;
  readonly icon: 'console' | 'network';
  readonly hint: string;
  readonly entries: readonly Each[];
  /** The text that a search looks in. */
  readonly textOf: (entry: Each) => string;
  readonly passes: (entry: Each) => boolean;
  readonly rowHeight: number;
  readonly tools: JSX.Element;
  readonly toneOf: (entry: Each) => string;
  readonly row: (entry: Each) => JSX.Element;
  readonly detail: (entry: Each) => JSX.Element;
}

/** A list of entries with its filters; the chosen entry is shown whole below it. */
function LogPanel<Each extends Entry>(props: LogPanelProps<Each>): JSX.Element {
  const { name, icon, hint, session, span, entries, rowHeight, textOf, passes } = props;
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const shown = entries.filter(entry => passes(entry) && textOf(entry).toLowerCase().includes(wanted));
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  // At an event, what came after it is not there yet.
  const seen = span === null ? shown : shown.filter(({ at }) => Date.parse(at) <= span.to);
  const virtual = useVirtualRows(scroller, seen.length, rowHeight, index => seen[index]?.number ?? index);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && seen.length > 0) virtual.scrollTo(seen.length - 1);
  }, [seen.length]);
  const detail = seen.find(({ number }) => number === chosen);
  if (!session.pageLog)
    return (
      <Empty icon={icon} title={`No ${name} are recorded`}>
        <p>The key of this session, or the service, has switched them off.</p>
      </Empty>
    );
  return (
    <div class="panel-body">
      <div class="panel-tools">
        <span class="field wide">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Search"
            aria-label={`Search ${name}`}
            value={search}
            onInput={event => setSearch(event.currentTarget.value)}
          />
        </span>
        {props.tools}
      </div>
      <div
        ref={scroller}
        class={`scroll log ${icon}`}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - rowHeight;
        }}
      >
        {seen.length === 0 &&
          (shown.length < entries.length ? (
            <Empty icon="search" title="Nothing passes the filters" />
          ) : (
            <Empty icon={icon} title={`No ${name}`}>
              <p>{span === null ? hint : 'None had come up to this event.'}</p>
            </Empty>
          ))}
        <ol class="log-space" style={{ height: `${virtual.height}px` }}>
          {virtual.rows.map(({ index, start }) => {
            const entry = seen[index];
            if (entry === undefined) return null;
            const isNew = span !== null && Date.parse(entry.at) > span.from;
            return (
              <li
                key={entry.number}
                class={`log-row ${props.toneOf(entry)}${isNew ? ' new' : ''}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  aria-pressed={entry.number === chosen}
                  onClick={() => setChosen(entry.number === chosen ? null : entry.number)}
                >
                  {props.row(entry)}
                </button>
              </li>
            );
          })}
        </ol>
      </div>
      {detail !== undefined && (
        <section class="log-detail" aria-label="The chosen entry">
          <Button kind="quiet square" icon="close" label="Close the entry" onClick={() => setChosen(null)} />
          {props.detail(detail)}
        </section>
      )}
      {seen.length > 0 && (
        <p class="log-foot sub">
          {seen.length.toLocaleString()} {name}
          {span !== null && ', those of this event marked'}
        </p>
      )}
    </div>
  );
}
