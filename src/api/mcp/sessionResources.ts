/** The MCP resources: the list, the picture, the events, the content, the console and the requests of each session, and its record. */

import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { Failure } from '../../domain/failure/failures.ts';
import { formatTime } from '../../domain/json.ts';
import type { PageLogEntries, PageLogKind } from '../../domain/session/pageLog.ts';
import type { StoredEvent } from '../../domain/session/sessionEvent.ts';
import { normalizeLines, quote } from '../../domain/space/pageText.ts';
import { spaceMarkdown } from '../../domain/space/spaceMarkdown.ts';
import { readPicture, watchFrames } from '../../operations/frames.ts';
import { assertScope } from '../../operations/operation.ts';
import { scrape } from '../../operations/scrape.ts';
import { listSessions, readObservation, readSession } from '../../operations/sessions.ts';
import type { McpContext } from './mcpTool.ts';

/** The URIs of MCP resources: `pagespace://sessions/<id>/list`, `pagespace://sessions/<id>/observations/O3`. */

export const SESSION_PARTS = ['list', 'picture', 'events', 'content', 'console', 'network'] as const;
const RECORD_PARTS = { observations: 'observation_id', pictures: 'number' } as const;
type SessionPart = (typeof SESSION_PARTS)[number] | keyof typeof RECORD_PARTS;

const URI = /^pagespace:\/\/sessions\/([^/]+)\/([a-z]+)(?:\/([^/]+))?$/;

/** Returns the URI of a part of a session. @param id of an observation or a picture */
export const sessionUri = (sessionId: string, part: string, id?: string): string =>
  `pagespace://sessions/${sessionId}/${part}${id === undefined ? '' : `/${id}`}`;

/** A part of a session. `id` is empty but for an observation, or the number of a picture. */
interface SessionResource {
  readonly sessionId: string;
  readonly part: SessionPart;
  readonly id: string;
}

/** Returns the session and the part that a URI names; null if it names none. */
function parseSessionUri(uri: string): SessionResource | null {
  const [, sessionId, name = '', id = ''] = URI.exec(uri) ?? [];
  if (sessionId === undefined) return null;
  if (Object.hasOwn(RECORD_PARTS, name))
    return id === '' ? null : { sessionId, part: name as keyof typeof RECORD_PARTS, id };
  const part = SESSION_PARTS.find(each => each === name);
  return part === undefined || id !== '' ? null : { sessionId, part, id };
}

const MAX_LISTED_SESSIONS = 20;
const MAX_CONTENT_CHARACTERS = 100_000;

interface PartDescription {
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

const PARTS: Readonly<Record<SessionPart, PartDescription>> = {
  list: {
    title: 'Actions',
    description: 'The list of actions as the last observation returned it.',
    mimeType: 'text/markdown',
  },
  picture: { title: 'Picture', description: 'The active tab now.', mimeType: 'image/jpeg' },
  events: { title: 'Events', description: 'The last 100 events.', mimeType: 'text/plain' },
  content: {
    title: 'Content',
    description:
      'The content of the current page. Reading it scrapes, which can cost and resets the timeout.',
    mimeType: 'text/markdown',
  },
  console: { title: 'Console', description: 'The last 100 console messages.', mimeType: 'text/plain' },
  network: { title: 'Network', description: 'The last 100 requests.', mimeType: 'text/plain' },
  observations: {
    title: 'Observation',
    description: 'A list of actions as it was, also after the end of the session.',
    mimeType: 'text/markdown',
  },
  pictures: {
    title: 'Recorded picture',
    description: 'The page at the end of an operation, also after the end of the session.',
    mimeType: 'image/jpeg',
  },
};

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  ...SESSION_PARTS.map(part => [part, undefined] as const),
  ...Object.entries(RECORD_PARTS).map(([part, id]) => [part as SessionPart, `{${id}}`] as const),
].map(([part, id]) => ({
  name: `session ${part}`,
  uriTemplate: sessionUri('{session_id}', part, id),
  ...PARTS[part],
}));

export async function listResources(context: McpContext): Promise<Resource[]> {
  const { rows } = await listSessions(context, { status: ['active'], limit: MAX_LISTED_SESSIONS });
  return rows.flatMap(({ session: { id, pageTitle } }) =>
    SESSION_PARTS.map(part => ({
      uri: sessionUri(id, part),
      name: `${part} of ${pageTitle === null ? id : quote(pageTitle)}`,
      ...PARTS[part],
    })),
  );
}

/** Reads a resource. @returns null if there is none with this URI @throws Failure */
export async function readResource(uri: string, context: McpContext): Promise<ReadResourceResult | null> {
  const found = parseSessionUri(uri);
  if (found === null) return null;
  const { mimeType } = PARTS[found.part];
  const read = await READERS[found.part](context, found);
  if (read === null) return null;
  return {
    contents: [
      { uri, mimeType, ...(mimeType === 'image/jpeg' ? { blob: read } : { text: normalizeLines(read) }) },
    ],
  };
}

type Reader = (context: McpContext, resource: SessionResource) => Promise<string | null>;

/** Number of events, console messages or requests in a resource: the last ones. */
const MAX_ENTRIES = 100;
/** Maximum wait for the first picture of a page. Milliseconds. */
const PICTURE_TIMEOUT_MS = 20_000;
const PICTURE = { maxWidth: 1_280, quality: 70 };

async function lastEntries<Kind extends PageLogKind>(
  context: McpContext,
  sessionId: string,
  kind: Kind,
): Promise<readonly PageLogEntries[Kind][]> {
  const { id } = await readSession(context, sessionId);
  const { last } = await context.service.readPageLog(id, kind, { after: Number.MAX_SAFE_INTEGER, limit: 0 });
  const after = Math.max(0, last - MAX_ENTRIES);
  return (await context.service.readPageLog(id, kind, { after, limit: MAX_ENTRIES })).entries;
}

/** Joins what is not null to a line. */
const line = (...parts: readonly (string | number | null)[]): string =>
  parts.filter(part => part !== null).join(' ');

const READERS: Readonly<Record<SessionPart, Reader>> = {
  async list(context, { sessionId }) {
    const { id } = await readSession(context, sessionId);
    const [observation] = await context.service.lastObservations([id]);
    return observation == null ? 'No list of this page was made yet.' : spaceMarkdown(observation.space);
  },
  async picture(context, { sessionId }) {
    const { id } = await readSession(context, sessionId);
    const end = new AbortController();
    const signal = AbortSignal.any([context.signal, end.signal, AbortSignal.timeout(PICTURE_TIMEOUT_MS)]);
    try {
      for await (const { image } of await watchFrames(context, id, PICTURE, signal)) return image;
      throw new Failure('OPERATION_TIMEOUT', 'The page has not been drawn in time. Try again.');
    } finally {
      end.abort();
    }
  },
  async events(context, { sessionId }) {
    const { id } = await readSession(context, sessionId);
    const [last = 0] = await context.service.lastSeqs([id]);
    const after = Math.max(0, last - MAX_ENTRIES);
    const events = await context.service.events(context.viewer, id, after, MAX_ENTRIES);
    return events.map(eventLine).join('\n');
  },
  async content(context, { sessionId }) {
    assertScope(context.viewer, scrape.scope, scrape.name);
    const content = { formats: ['markdown' as const], maxCharacters: MAX_CONTENT_CHARACTERS };
    const { data } = await scrape.run({ sessionId, content }, context, {
      has: (name, part) => name === 'data' && (part === undefined || part === 'markdown'),
    });
    return data?.markdown ?? '';
  },
  async console(context, { sessionId }) {
    const messages = await lastEntries(context, sessionId, 'console');
    return messages
      .map(({ number, at, level, text, url, line: row }) =>
        line(number, formatTime(at), level, text, url === null ? null : `(${url}:${row ?? ''})`),
      )
      .join('\n');
  },
  async network(context, { sessionId }) {
    const requests = await lastEntries(context, sessionId, 'request');
    return requests
      .map(({ number, at, method, url, resourceType, status, bytes, durationMs, servedBy, ...end }) =>
        line(
          number,
          formatTime(at),
          method,
          url,
          resourceType,
          status ?? '-',
          `${bytes ?? '?'} bytes`,
          `${Math.round(durationMs ?? 0)} ms`,
          servedBy,
          end.blockedReason ?? end.error,
        ),
      )
      .join('\n');
  },
  async observations(context, { sessionId, id }) {
    return spaceMarkdown((await readObservation(context, sessionId, id)).space);
  },
  async pictures(context, { sessionId, id }) {
    if (!/^[1-9]\d{0,8}$/.test(id)) return null;
    const picture = await readPicture(context, sessionId, 'picture', Number(id));
    return Buffer.from(picture).toString('base64');
  },
};

function eventLine({ seq, event }: StoredEvent): string {
  return line(
    seq,
    formatTime(event.at),
    event.type,
    'operation' in event ? `${event.operation} ${event.code}` : null,
    'actionId' in event ? event.actionId : null,
    'status' in event ? event.status : null,
    'url' in event ? quote(event.url) : null,
  );
}
