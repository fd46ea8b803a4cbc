/** The MCP resources: the list, the picture, the events, the content, the console and the requests of each session, and its record. */
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { normalizeLines, quote } from '../../../domain/space/pageText.ts';
import {
  McpConsoleDocument,
  McpEventsDocument,
  type McpEventsQuery,
  McpListDocument,
  McpNetworkDocument,
  McpObservationDocument,
  McpPictureDocument,
  McpScrapeDocument,
  McpSessionsDocument,
} from '../../graphql/generated/graphql.ts';
import type { OperationRunner } from '../operationRunner.ts';

/** The URIs of MCP resources: `pagespace://sessions/<id>/list`, `pagespace://sessions/<id>/observations/O3`. */

/** The parts of a session that are resources. */
export const SESSION_PARTS = ['list', 'picture', 'events', 'content', 'console', 'network'] as const;
/** The parts of its record that are resources one by one, and the placeholder of their id. */
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

/** The templates of all resources. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  ...SESSION_PARTS.map(part => [part, undefined] as const),
  ...Object.entries(RECORD_PARTS).map(([part, id]) => [part as SessionPart, `{${id}}`] as const),
].map(([part, id]) => ({
  name: `session ${part}`,
  uriTemplate: sessionUri('{session_id}', part, id),
  ...PARTS[part],
}));

/** Lists the resources of the active sessions. */
export async function listResources(runner: OperationRunner): Promise<Resource[]> {
  const { sessions } = await runner.execute(McpSessionsDocument, {
    status: ['ACTIVE'],
    first: MAX_LISTED_SESSIONS,
    after: null,
  });
  return sessions.edges.flatMap(({ node }) =>
    SESSION_PARTS.map(part => ({
      uri: sessionUri(node.id, part),
      name: `${part} of ${node.pageTitle === null ? node.id : quote(node.pageTitle)}`,
      ...PARTS[part],
    })),
  );
}

/** Reads a resource. @returns null if there is none with this URI @throws OperationError */
export async function readResource(uri: string, runner: OperationRunner): Promise<ReadResourceResult | null> {
  const found = parseSessionUri(uri);
  if (found === null) return null;
  const { mimeType } = PARTS[found.part];
  const read = await READERS[found.part](runner, found);
  if (read === null) return null;
  return {
    contents: [
      { uri, mimeType, ...(mimeType === 'image/jpeg' ? { blob: read } : { text: normalizeLines(read) }) },
    ],
  };
}

type Reader = (runner: OperationRunner, resource: SessionResource) => Promise<string | null>;

const READERS: Readonly<Record<SessionPart, Reader>> = {
  async list(runner, { sessionId: id }) {
    const { session } = await runner.execute(McpListDocument, { id });
    return session === null ? null : (session.space?.markdown ?? 'No list of this page was made yet.');
  },
  async picture(runner, { sessionId }) {
    return (await runner.first(McpPictureDocument, { sessionId }))?.sessionFrames.image ?? null;
  },
  async events(runner, { sessionId: id }) {
    const { session } = await runner.execute(McpEventsDocument, { id });
    return session === null ? null : session.events.edges.map(({ node }) => eventLine(node)).join('\n');
  },
  async content(runner, { sessionId }) {
    const content = { formats: ['MARKDOWN' as const], maxCharacters: MAX_CONTENT_CHARACTERS };
    const { scrape } = await runner.execute(McpScrapeDocument, { input: { sessionId, content } });
    return scrape.data?.markdown ?? '';
  },
  async console(runner, { sessionId: id }) {
    const { session } = await runner.execute(McpConsoleDocument, { id });
    const lines = session?.console.edges.map(({ node: { number, at, level, text, url, line } }) =>
      [number, at, level.toLowerCase(), text, url === null ? null : `(${url}:${line ?? ''})`]
        .filter(part => part !== null)
        .join(' '),
    );
    return lines?.join('\n') ?? null;
  },
  async network(runner, { sessionId: id }) {
    const { session } = await runner.execute(McpNetworkDocument, { id });
    const lines = session?.network.edges.map(({ node }) =>
      [
        node.number,
        node.at,
        node.method,
        node.url,
        node.resourceType,
        node.status ?? '-',
        `${node.bytes ?? '?'} bytes`,
        `${Math.round(node.durationMs ?? 0)} ms`,
        node.servedBy?.toLowerCase() ?? null,
        node.blockedReason ?? node.error,
      ]
        .filter(part => part !== null)
        .join(' '),
    );
    return lines?.join('\n') ?? null;
  },
  async observations(runner, { sessionId, id }) {
    const { session } = await runner.execute(McpObservationDocument, { id: sessionId, observation: id });
    return session?.observation.space.markdown ?? null;
  },
  async pictures(runner, { sessionId, id }) {
    if (!/^[1-9]\d{0,8}$/.test(id)) return null;
    return Buffer.from(await runner.readPicture(sessionId, Number(id))).toString('base64');
  },
};

type SessionEventNode = NonNullable<McpEventsQuery['session']>['events']['edges'][number]['node'];

function eventLine(event: SessionEventNode): string {
  const details = [
    'operation' in event ? `${event.operation} ${event.failure.code}` : null,
    'action' in event ? event.action.id : null,
    'status' in event ? event.status.toLowerCase() : null,
    'url' in event ? quote(event.url) : null,
  ].filter(detail => detail !== null);
  return [event.seq, event.at, event.type.toLowerCase(), ...details].join(' ');
}
