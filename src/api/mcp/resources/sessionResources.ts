/** The MCP resources: the list, the picture, the events and the content of each session. */
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { normalizeLines, quote } from '../../../domain/space/pageText.ts';
import {
  McpEventsDocument,
  type McpEventsQuery,
  McpListDocument,
  McpPictureDocument,
  McpScrapeDocument,
  McpSessionsDocument,
} from '../../graphql/generated/graphql.ts';
import type { OperationRunner } from '../operationRunner.ts';

/** The URIs of MCP resources: `pagespace://sessions/<id>/list`. */

/** The parts of a session that are resources. */
export const SESSION_PARTS = ['list', 'picture', 'events', 'content'] as const;
type SessionPart = (typeof SESSION_PARTS)[number];

const URI = /^pagespace:\/\/sessions\/([^/]+)\/([a-z]+)$/;

/** Returns the URI of a part of a session. */
export const sessionUri = (sessionId: string, part: string): string =>
  `pagespace://sessions/${sessionId}/${part}`;

/** Returns the session and the part that a URI names; null if it names none. */
function parseSessionUri(uri: string): { readonly sessionId: string; readonly part: SessionPart } | null {
  const [, sessionId, name] = URI.exec(uri) ?? [];
  const part = SESSION_PARTS.find(each => each === name);
  return sessionId === undefined || part === undefined ? null : { sessionId, part };
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
};

/** The templates of all resources. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = SESSION_PARTS.map(part => ({
  name: `session ${part}`,
  uriTemplate: sessionUri('{session_id}', part),
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
  const read = await READERS[found.part](runner, found.sessionId);
  if (read === null) return null;
  return {
    contents: [
      { uri, mimeType, ...(found.part === 'picture' ? { blob: read } : { text: normalizeLines(read) }) },
    ],
  };
}

type Reader = (runner: OperationRunner, sessionId: string) => Promise<string | null>;

const READERS: Readonly<Record<SessionPart, Reader>> = {
  async list(runner, id) {
    const { session } = await runner.execute(McpListDocument, { id });
    return session === null ? null : (session.space?.markdown ?? 'No list of this page was made yet.');
  },
  async picture(runner, sessionId) {
    return (await runner.first(McpPictureDocument, { sessionId }))?.sessionFrames.image ?? null;
  },
  async events(runner, id) {
    const { session } = await runner.execute(McpEventsDocument, { id });
    return session === null ? null : session.events.edges.map(({ node }) => eventLine(node)).join('\n');
  },
  async content(runner, sessionId) {
    const content = { formats: ['MARKDOWN' as const], maxCharacters: MAX_CONTENT_CHARACTERS };
    const { scrape } = await runner.execute(McpScrapeDocument, { input: { sessionId, content } });
    return scrape.data?.markdown ?? '';
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
