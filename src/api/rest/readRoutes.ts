import { z } from 'zod';
import { formatTime } from '../../domain/json.ts';
import { EXPORT_FORMATS, type PageLogEntries, type PageLogKind } from '../../domain/session/pageLog.ts';
import { SESSION_STATUSES } from '../../domain/session/session.ts';
import { readPicture } from '../../operations/frames.ts';
import { consoleMessageShape, networkRequestShape } from '../../operations/results/pageLog.ts';
import { downloadShape, sessionShape, uploadShape } from '../../operations/results/session.ts';
import type { Shape } from '../../operations/results/shape.ts';
import {
  DEFAULT_PAGE_SIZE,
  listDownloads,
  listSessions,
  listUploads,
  MAX_PAGE_SIZE,
  parseObservationId,
  readObservation,
  readSession,
  sessionFilters,
} from '../../operations/sessions.ts';
import { FileBody, PICTURE_HEADERS, SessionQuery } from './fileRoutes.ts';
import { spaceBody } from './operationRoutes.ts';
import { fileRoute, type RestRoute, readRoute } from './route.ts';
import { bodySchema, restLayout, SessionBody, WHOLE_BODY } from './selection.ts';
import { eventBody, exportResponse } from './sessionExport.ts';

/** Validates the query of `GET /sessions`. Its values are text: numbers are parsed, lists are separated by commas. */
const ListQuery = z.strictObject({
  status: z
    .string()
    .transform(list => list.split(','))
    .pipe(z.array(z.enum(SESSION_STATUSES)))
    .optional()
    .meta({
      description: `${sessionFilters.status.description} Separated by commas: ${SESSION_STATUSES.join(', ')}.`,
    }),
  search: sessionFilters.search.check.optional().meta({ description: sessionFilters.search.description }),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`)
    .optional()
    .meta({ description: `Sessions per response, 1 to ${MAX_PAGE_SIZE}. Default ${DEFAULT_PAGE_SIZE}.` }),
  after: z.string().optional().meta({ description: 'The next_cursor of the previous response.' }),
});

export const readRoutes: readonly RestRoute[] = [
  readRoute({
    path: '/session/{session_id}',
    title: 'Read a session',
    description: 'Returns one session. Reading does not reset its timeout.',
    graphql: 'session(id)',
    request: SessionQuery,
    response: SessionBody,
    read: async ({ session_id }, context) =>
      restLayout.write(sessionShape, await readSession(context, session_id), context.service),
  }),
  readRoute({
    path: '/sessions',
    title: 'List sessions',
    description: "Lists the account's sessions, newest first.",
    graphql: 'sessions(status, search, first, after)',
    request: ListQuery,
    response: z
      .object({
        sessions: z.array(SessionBody),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: 'Send it as `after` to get the next page; null on the last page.' }),
      })
      .meta({ id: 'Sessions', description: 'One page of the list of sessions.' }),
    read: async (query, context) => {
      const { rows, hasNext } = await listSessions(context, query);
      return {
        sessions: rows.map(({ session }) => restLayout.write(sessionShape, session, context.service)),
        next_cursor: hasNext ? (rows.at(-1)?.cursor ?? null) : null,
      };
    },
  }),
  readRoute({
    path: '/session/{session_id}/downloads',
    title: 'List downloads',
    description: "Lists the files that the session's pages downloaded.",
    graphql: 'session(id).downloads',
    request: SessionQuery,
    response: z
      .object({ downloads: z.array(FileBody) })
      .meta({ id: 'Downloads', description: 'The files that the pages of a session downloaded.' }),
    read: async ({ session_id }, context) => {
      const { id } = await readSession(context, session_id);
      const files = await listDownloads(context.service, id);
      return { downloads: files.map(file => restLayout.write(downloadShape, file, context.service)) };
    },
  }),
  readRoute({
    path: '/session/{session_id}/uploads',
    title: 'List uploads',
    description: 'Lists the files that were uploaded to the session.',
    graphql: 'session(id).uploads',
    request: SessionQuery,
    response: z
      .object({ uploads: z.array(FileBody) })
      .meta({ id: 'Uploads', description: 'The files that were uploaded to a session.' }),
    read: async ({ session_id }, context) => {
      const { id } = await readSession(context, session_id);
      const files = await listUploads(context.service, id);
      return { uploads: files.map(file => restLayout.write(uploadShape, file, context.service)) };
    },
  }),
];

const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1_000;

const whole = (max: number) =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(max, `must be at most ${max}`);

const EventsQuery = z.strictObject({
  ...SessionQuery.shape,
  after: whole(2_147_483_647)
    .optional()
    .meta({ description: 'Return only events with a greater `seq`. Default 0.' }),
  limit: whole(MAX_EVENTS)
    .min(1, 'must be at least 1')
    .optional()
    .meta({ description: `Events per response, 1 to ${MAX_EVENTS}. Default ${DEFAULT_EVENTS}.` }),
});

const ObservationQuery = z.strictObject({
  ...SessionQuery.shape,
  observation_id: z.string().meta({ description: 'The id of the observation.', examples: ['O3'] }),
});

const FrameQuery = z.strictObject({
  ...SessionQuery.shape,
  number: whole(2_147_483_647).meta({
    description: 'The number of the picture, as the event has it in `performed.outcome.picture`.',
  }),
  kind: z.enum(['picture', 'frame']).optional().meta({
    description:
      '`picture`: the page at the end of an operation. `frame`: a frame of the video. Default `picture`.',
  }),
});

const EventBody = z
  .looseObject({
    seq: z.int().meta({ description: 'Number of the event within the session: 1, 2, 3, … without gaps.' }),
    account_number: z
      .int()
      .nullable()
      .meta({ description: 'Number of the event among all events of the account.' }),
    type: z
      .string()
      .meta({ description: 'The type of the event: `created`, `observed`, `stepped`, `failed`, `ended`, …' }),
    at: z.iso.datetime().meta({ description: 'Time of the event.' }),
    performed: z.looseObject({}).optional().meta({
      description:
        'The operation that caused the event: `id`, `caller`, `duration_ms`, `timing`, `input`, `outcome`.',
    }),
  })
  .meta({ id: 'Event', description: 'An event of a session, with the fields of its type.' });

const PageLogQuery = z.strictObject({
  ...SessionQuery.shape,
  after: whole(2_147_483_647)
    .optional()
    .meta({ description: 'Return only entries with a greater `number`. Default 0.' }),
  limit: whole(MAX_EVENTS)
    .min(1, 'must be at least 1')
    .optional()
    .meta({ description: `Entries per response, 1 to ${MAX_EVENTS}. Default ${DEFAULT_EVENTS}.` }),
});

const ExportQuery = z.strictObject({
  ...SessionQuery.shape,
  format: z
    .enum(EXPORT_FORMATS)
    .optional()
    .meta({ description: '`markdown`, `json`, or `har` for the requests. Default `markdown`.' }),
});

const pageLogRoute = <Kind extends PageLogKind>(
  kind: Kind,
  name: 'console' | 'network',
  shape: Shape<PageLogEntries[Kind]>,
  words: { readonly title: string; readonly description: string },
): RestRoute =>
  readRoute({
    path: `/session/{session_id}/${name}`,
    ...words,
    graphql: `session(id).${name}`,
    request: PageLogQuery,
    response: z
      .object({
        [name]: z.array(bodySchema(shape)),
        next_after: z
          .int()
          .nullable()
          .meta({ description: 'Send it as `after` to get the next entries; null on the last page.' }),
      })
      .meta({ id: name === 'console' ? 'Console' : 'Network', description: words.description }),
    read: async ({ session_id, after = 0, limit = DEFAULT_EVENTS }, context) => {
      const { id } = await readSession(context, session_id);
      const { entries, last } = await context.service.readPageLog(id, kind, { after, limit });
      const end = entries.at(-1)?.number ?? last;
      return {
        [name]: entries.map(entry => restLayout.write(shape, entry, context.service)),
        next_after: end < last ? end : null,
      };
    },
  });

export const recordRoutes: readonly RestRoute[] = [
  readRoute({
    path: '/session/{session_id}/events',
    title: 'List events',
    description: 'Lists the events of a session, oldest first, also after its end.',
    graphql: 'session(id).events',
    request: EventsQuery,
    response: z
      .object({
        events: z.array(EventBody),
        next_after: z
          .int()
          .nullable()
          .meta({ description: 'Send it as `after` to get the next events; null on the last page.' }),
      })
      .meta({ id: 'Events', description: 'Events of a session.' }),
    read: async ({ session_id, after = 0, limit = DEFAULT_EVENTS }, context) => {
      const { id } = await readSession(context, session_id);
      const events = await context.service.events(context.viewer, id, after, limit);
      return {
        events: events.map(eventBody),
        next_after: events.length < limit ? null : (events.at(-1)?.seq ?? null),
      };
    },
  }),
  readRoute({
    path: '/session/{session_id}/observations/{observation_id}',
    title: 'Read an observation',
    description: 'Returns an observation as it was, with the whole list, also after the end of the session.',
    graphql: 'session(id).observation(id)',
    request: ObservationQuery,
    response: z
      .looseObject({
        observation_id: z.string(),
        url: z.string(),
        title: z.string(),
        space: z.looseObject({}),
      })
      .meta({ id: 'RecordedObservation', description: 'An observation as it was.' }),
    read: async ({ session_id, observation_id }, context) => {
      const { observedAt, url, title, httpStatus, space } = await readObservation(
        context,
        session_id,
        observation_id,
      );
      return {
        observation_id: `O${parseObservationId(observation_id)}`,
        at: formatTime(observedAt),
        url,
        title,
        http_status: httpStatus,
        space: spaceBody(space, null, WHOLE_BODY, context.service),
      };
    },
  }),
  fileRoute({
    method: 'GET',
    path: '/session/{session_id}/frames/{number}',
    title: 'Get a picture',
    description: 'Returns a picture of the record as JPEG, also after the end of the session.',
    graphql: 'session(id).pictures',
    bodyType: null,
    request: FrameQuery,
    response: null,
    respond: async ({ session_id, number, kind = 'picture' }, { context }) => ({
      status: 200,
      headers: PICTURE_HEADERS,
      body: await readPicture(context, session_id, kind, number),
    }),
  }),
  pageLogRoute('console', 'console', consoleMessageShape, {
    title: 'Read the console',
    description: 'Lists the console messages of the pages, oldest first, also after the end of the session.',
  }),
  pageLogRoute('request', 'network', networkRequestShape, {
    title: 'Read the requests',
    description:
      'Lists the requests of the pages without headers and bodies, in the order in which they ended, also after the end of the session.',
  }),
  fileRoute({
    method: 'GET',
    path: '/session/{session_id}/export',
    title: 'Export a session',
    description:
      'Returns what happened in a session as a file: Markdown for a report, JSON, or its requests as HAR 1.2.',
    graphql: 'session(id).exportUrl',
    bodyType: null,
    request: ExportQuery,
    response: null,
    respond: ({ session_id, format = 'markdown' }, { context: { service, viewer } }) =>
      exportResponse(service, viewer, session_id, format),
  }),
];
