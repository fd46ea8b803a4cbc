import type { Viewer } from '../../domain/account/account.ts';
import { formatTime } from '../../domain/json.ts';
import {
  type ConsoleMessage,
  EXPORT_FORMATS,
  type ExportFormat,
  type NetworkRequest,
  PAGE_LOG_KINDS,
  type PageLogEntries,
  type PageLogKind,
} from '../../domain/session/pageLog.ts';
import { endedAt, type Session } from '../../domain/session/session.ts';
import type { StoredEvent } from '../../domain/session/sessionEvent.ts';
import { durationMs, durationText } from '../../domain/session/sessionLimits.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { toSnakeCase } from '../../operations/field.ts';
import { consoleMessageShape, networkRequestShape } from '../../operations/results/pageLog.ts';
import { type DownloadNode, downloadShape, sessionShape } from '../../operations/results/session.ts';
import { listDownloads, readSession } from '../../operations/sessions.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { restLayout } from './selection.ts';

const MAX_EVENTS = 10_000;
const PAGE_SIZE = 1_000;
/** Maximum number of console messages, and of requests, in an export: all that a record keeps. */
const MAX_ENTRIES = 11_000;
const MAX_LISTED = 20;

interface Exported {
  readonly session: Session;
  readonly events: readonly StoredEvent[];
  readonly downloads: readonly DownloadNode[];
  readonly console: readonly ConsoleMessage[];
  readonly request: readonly NetworkRequest[];
}

/** Names in snake_case, times in ISO 8601. */
function toBody(value: unknown, name = ''): unknown {
  if (typeof value === 'number' && name === 'at') return formatTime(value);
  if (Array.isArray(value)) return value.map(item => toBody(item));
  if (typeof value !== 'object' || value === null) return value;
  // The names of parameters are the caller's.
  if (name === 'params') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [toSnakeCase(field), toBody(item, field)]),
  );
}

export const eventBody = ({ seq, accountNumber, event }: StoredEvent): unknown => ({
  seq,
  account_number: accountNumber ?? null,
  ...(toBody(event) as object),
});

/** @throws Failure SESSION_NOT_FOUND; RECORD_EXPIRED if the record was removed */
export async function exportResponse(
  service: Pagespace,
  viewer: Viewer,
  sessionId: string,
  format: ExportFormat,
): Promise<HttpResponse> {
  const session = await readSession({ service, viewer }, sessionId);
  const [events, downloads, console, request] = await Promise.all([
    allEvents(service, viewer, session.id),
    listDownloads(service, session.id),
    ...(PAGE_LOG_KINDS.map(kind => allEntries(service, session.id, kind)) as [
      Promise<readonly ConsoleMessage[]>,
      Promise<readonly NetworkRequest[]>,
    ]),
  ]);
  const exported: Exported = { session, events, downloads, console, request };
  const { type, extension, write } = FORMATS[format];
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="session-${session.id}.${extension}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: write(exported, service),
  };
}

/** Returns the format with this name. @throws Error if there is none: the service signs only those that there are */
export function exportFormatOf(name: string): ExportFormat {
  const format = EXPORT_FORMATS.find(known => known === name);
  if (format === undefined) throw new Error(`There is no export "${name}".`);
  return format;
}

async function allEvents(service: Pagespace, viewer: Viewer, id: string): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let page: readonly StoredEvent[]; all.length < MAX_EVENTS; ) {
    page = await service.events(viewer, id, all.at(-1)?.seq ?? 0, PAGE_SIZE);
    all.push(...page);
    if (page.length < PAGE_SIZE) break;
  }
  return all;
}

const allEntries = async <Kind extends PageLogKind>(
  service: Pagespace,
  id: string,
  kind: Kind,
): Promise<readonly PageLogEntries[Kind][]> =>
  (await service.readPageLog(id, kind, { after: 0, limit: MAX_ENTRIES })).entries;

type Writer = (exported: Exported, clock: { now(): number }) => string;

const FORMATS: Readonly<Record<ExportFormat, { type: string; extension: string; write: Writer }>> = {
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md', write: toMarkdown },
  json: { type: 'application/json', extension: 'json', write: toJson },
  har: { type: 'application/json', extension: 'har', write: toHar },
};

function toJson(
  { session, events, downloads, console, request }: Exported,
  clock: { now(): number },
): string {
  return JSON.stringify(
    {
      session: restLayout.write(sessionShape, session, clock),
      events: events.map(eventBody),
      downloads: downloads.map(file => restLayout.write(downloadShape, file, clock)),
      console: console.map(message => restLayout.write(consoleMessageShape, message, clock)),
      network: request.map(each => restLayout.write(networkRequestShape, each, clock)),
    },
    null,
    2,
  );
}

/** Returns a text of a page, or of a caller, as part of a line of Markdown: it stays what it is. */
const inline = (text: string, max = 200): string => {
  const line = cutText(text.replaceAll(/\s+/g, ' ').trim(), max);
  return line.replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&');
};

const code = (text: string, max = 300): string => {
  const line = cutText(text.replaceAll(/\s+/g, ' ').trim(), max).replaceAll('|', '%7C');
  const fence = line.includes('`') ? '``' : '`';
  return `${fence}${line}${fence}`;
};

function toMarkdown(
  { session, events, downloads, console, request }: Exported,
  clock: { now(): number },
): string {
  const end = endedAt(session);
  const facts: [string, string | null][] = [
    ['Session', code(session.id)],
    ['Status', session.status === 'error' ? `error: ${inline(session.error, 500)}` : session.status],
    ['Started', formatTime(session.createdAt)],
    ['Ended', end === null ? null : formatTime(end)],
    ['Duration', durationText(durationMs(session, clock.now()))],
    ['Labels', session.labels === undefined ? null : session.labels.map(label => inline(label)).join(', ')],
    [
      'Last page',
      session.url === null ? null : `${inline(session.pageTitle ?? '')} ${code(session.url)}`.trim(),
    ],
  ];
  const errors = console.filter(({ level }) => level === 'error' || level === 'exception');
  const failed = request.filter(({ status, error }) => error !== null || (status ?? 0) >= 400);
  const parts = [
    `# ${session.name === undefined ? 'Session' : inline(session.name)}`,
    facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${value}`])).join('\n'),
    '## What happened',
    events.map(event => eventLines(event, session.id)).join('\n'),
    ...(downloads.length === 0
      ? []
      : [
          '## Downloads',
          downloads.map(({ id, name, bytes }) => `- ${id}: ${inline(name)}, ${bytes} bytes`).join('\n'),
        ]),
    ...listed('Errors in the console', errors, ({ at, text, url }) =>
      [formatTime(at), inline(text), ...(url === null ? [] : [code(url)])].join(' '),
    ),
    ...listed('Requests that failed', failed, ({ at, method, url, status, error, blockedReason }) =>
      [formatTime(at), method, code(url), blockedReason ?? error ?? String(status)].join(' '),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function listed<Item>(title: string, items: readonly Item[], line: (item: Item) => string): string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_LISTED;
  return [
    `## ${title}`,
    [
      ...items.slice(0, MAX_LISTED).map(item => `- ${line(item)}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ].join('\n'),
  ];
}

function eventLines({ seq, event }: StoredEvent, sessionId: string): string {
  const { performed } = event;
  const { input, outcome, caller } = performed ?? {};
  const details = [
    input?.value === undefined ? null : `value ${code(input.value)}`,
    ...(outcome?.messages ?? []).map(({ kind, text }) => `${kind}: ${inline(text, 500)}`),
    ...(outcome?.downloads ?? []).map(name => `downloaded ${inline(name)}`),
    outcome?.console === undefined ? null : inline(outcome.console, 500),
    outcome?.url === undefined ? null : `now at ${inline(outcome.title ?? '')} ${code(outcome.url)}`,
    outcome?.picture === undefined
      ? null
      : `picture: ${code(`/session/${sessionId}/frames/${outcome.picture}`)}`,
  ].filter(detail => detail !== null);
  const by =
    caller === undefined
      ? ''
      : ` (${caller.kind}${caller.keyName === null ? '' : `, key ${inline(caller.keyName)}`}, ${performed?.durationMs ?? 0} ms)`;
  return [
    `${seq}. ${formatTime(event.at)} ${sentenceOf(event)}${by}`,
    ...details.map(each => `   - ${each}`),
  ].join('\n');
}

function sentenceOf(event: StoredEvent['event']): string {
  const { input } = event.performed ?? {};
  switch (event.type) {
    case 'created':
      return 'started';
    case 'observed':
      return input?.url === undefined ? 'observed the page' : `opened ${code(input.url)}`;
    case 'scraped':
      return `read the content of ${code(event.url)}`;
    case 'stepped':
      return `performed ${event.actionId}${event.description === null ? '' : `: ${inline(event.description)}`}`;
    case 'tab':
      return `${event.opened ? 'opened' : 'closed'} the tab ${event.tabId} ${code(event.url)}`;
    case 'dialog':
      return `the page opened a dialog (${event.kind}): ${inline(event.message, 500)}`;
    case 'download':
      return `downloaded ${inline(event.fileName)} (${event.downloadId})`;
    case 'blocked':
      return `blocked ${code(event.url)}: ${inline(event.reason)}`;
    case 'failed':
      return `**failed**: ${event.operation}${input?.actionId === undefined ? '' : ` ${inline(input.actionId)}`}, ${event.code}: ${inline(event.detail, 500)}`;
    case 'record_stopped':
      return `the record stopped: ${inline(event.reason, 500)}`;
    case 'take_over_requested':
      return `asked for a person: ${inline(event.instructions, 500)}`;
    case 'taken_over':
      return `${inline(event.holder)} took the session over`;
    case 'handed_back':
      return `${inline(event.holder ?? 'Nobody')} handed the session back${event.reason === null ? '' : `: ${inline(event.reason, 500)}`}`;
    case 'ended':
      return `ended: ${event.status}${event.reason === null ? '' : `, ${inline(event.reason, 500)}`}`;
  }
}

/** Returns the requests as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), without headers, cookies and bodies. */
function toHar({ request, session }: Exported): string {
  // The header X-Pagespace-Version of the response has the version.
  const creator = { name: 'pagespace', version: '' };
  const entries = [...request].sort((one, other) => one.at - other.at).map(harEntry);
  const comment = `Session ${session.id}, without headers, cookies and bodies`;
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries, comment } }, null, 2);
}

function harEntry(request: NetworkRequest): object {
  const { at, method, url, protocol, status, statusText, mimeType, bytes, durationMs, timing } = request;
  const { servedBy, redirectUrl, resourceType, error, blockedReason } = request;
  const none = { cookies: [], headers: [], headersSize: -1 };
  const httpVersion = protocol ?? '';
  // -1 is HAR's word for a phase that did not happen.
  const optional = (ms: number | null | undefined): number => ms ?? -1;
  const total = durationMs ?? 0;
  return {
    startedDateTime: formatTime(at),
    time: total,
    request: { method, url, httpVersion, ...none, queryString: queryOf(url), bodySize: -1 },
    response: {
      status: status ?? 0,
      statusText,
      httpVersion,
      ...none,
      content: { size: bytes ?? 0, mimeType: mimeType ?? '' },
      redirectURL: redirectUrl ?? '',
      bodySize: -1,
    },
    cache: {},
    timings: {
      blocked: optional(timing?.blocked),
      dns: optional(timing?.dns),
      connect: optional(timing?.connect),
      ssl: optional(timing?.tls),
      send: timing?.send ?? 0,
      wait: timing?.wait ?? total,
      receive: timing?.receive ?? 0,
    },
    _resourceType: resourceType,
    ...(servedBy !== null && { _servedBy: servedBy }),
    ...(bytes !== null && { _transferSize: bytes }),
    ...(error !== null && { _error: error }),
    ...(blockedReason !== null && { _blockedReason: blockedReason }),
  };
}

const queryOf = (url: string): { readonly name: string; readonly value: string }[] =>
  [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value }));
