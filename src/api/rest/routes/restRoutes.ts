/** The table of REST paths: the specification's, and the reads. */
import { z } from 'zod';
import type { ActionKind } from '../../../domain/action.ts';
import { type ContentFormat, DEFAULT_FORMATS } from '../../../domain/contentParts.ts';
import type { ScreenshotFormat } from '../../../domain/screenshotOptions.ts';
import {
  CloseSessionDocument,
  ListSessionsDocument,
  ObserveDocument,
  ReadSessionDocument,
  ScrapeDocument,
  type SessionStatus,
  StartSessionDocument,
  StepDocument,
} from '../../graphql/generated/graphql.ts';
import { sessionNotFound } from '../../graphql/types/session.ts';
import { toEnumName } from '../../http/failureExtensions.ts';
import { ObservationBody, observationBody } from '../bodies/observationBody.ts';
import {
  CloseBody,
  ListQuery,
  ObserveBody,
  ReadQuery,
  ScrapeBody,
  StartBody,
  StepBody,
} from '../bodies/requestBodies.ts';
import { SessionBody, sessionBody } from '../bodies/sessionBody.ts';
import { accountRoutes } from './accountRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { jsonRoute, type RestRoute } from './route.ts';

type Nullish<Value> = Value | null | undefined;

interface OptionFields {
  readonly keep_alive?: Nullish<boolean>;
  readonly idempotency_key?: Nullish<string>;
  readonly screenshot?: Nullish<boolean>;
  readonly screenshot_options?: Nullish<{
    readonly full_page?: Nullish<boolean>;
    readonly format?: Nullish<ScreenshotFormat>;
    readonly quality?: Nullish<number>;
  }>;
  readonly session_timeout_minutes?: Nullish<number>;
  readonly session_timeout?: Nullish<number>;
}

/** Flat REST fields → the inputs that every operation takes. */
const toRequest = (body: OptionFields) => ({
  idempotencyKey: body.idempotency_key ?? null,
  screenshot: {
    // The documents select the screenshot; REST returns one only on request.
    take: body.screenshot ?? false,
    fullPage: body.screenshot_options?.full_page ?? null,
    format: body.screenshot_options?.format ? toEnumName(body.screenshot_options.format) : null,
    quality: body.screenshot_options?.quality ?? null,
  },
});

const toTimeout = (body: OptionFields) => ({
  sessionTimeoutMinutes: body.session_timeout_minutes ?? body.session_timeout ?? null,
});

interface ListingFields {
  readonly max_nb_actions?: Nullish<number>;
  readonly min_nb_actions?: Nullish<number>;
  readonly kinds?: Nullish<ActionKind[]>;
  readonly categories?: Nullish<string[]>;
  readonly search?: Nullish<string>;
  readonly in_viewport?: Nullish<boolean>;
  readonly max_tokens?: Nullish<number>;
  readonly diff_since?: Nullish<string>;
}

/** Flat REST fields → the groups that observe, step and scrape take. */
const toPageInput = (body: OptionFields & ListingFields) => ({
  ...toRequest(body),
  ...toTimeout(body),
  keepAlive: body.keep_alive ?? null,
  diffSince: body.diff_since ?? null,
  actions: {
    max: body.max_nb_actions ?? null,
    min: body.min_nb_actions ?? null,
    kinds: body.kinds?.map(toEnumName) ?? null,
    categories: body.categories ?? null,
    search: body.search ?? null,
    inViewport: body.in_viewport ?? null,
    maxTokens: body.max_tokens ?? null,
  },
});

/** The parts to make: images only if `scrape_images` is true, or absent and `formats` names them. */
function toFormats(body: { formats?: Nullish<ContentFormat[]>; scrape_images?: Nullish<boolean> }) {
  const withImages = body.scrape_images ?? body.formats?.includes('images') ?? false;
  return (body.formats ?? DEFAULT_FORMATS)
    .filter(format => format !== 'images' || withImages)
    .map(toEnumName);
}

const withScreenshot = (session: SessionBody, screenshot: string | null): SessionBody =>
  screenshot === null ? session : { ...session, screenshot };

const SessionsBody = z
  .object({
    sessions: z.array(SessionBody),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `after` for the next page; null on the last.' }),
  })
  .meta({ id: 'Sessions', description: 'A page of the list of sessions, the newest first.' });

/** Stands in the manual's examples for the id that start answered. */
const EXAMPLE_SESSION_ID = '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11';

export const restRoutes: readonly RestRoute[] = [
  jsonRoute({
    method: 'POST',
    path: '/session/start',
    title: 'Start a session',
    description: 'Creates a new session and returns its session_id.',
    request: StartBody,
    example: { session_timeout_minutes: 5 },
    response: SessionBody,
    document: StartSessionDocument,
    toVariables: body => ({
      input: {
        ...toRequest(body),
        ...toTimeout(body),
        spendCapMicros: body.spend_cap_micros ?? null,
        proxy: body.proxy ?? null,
      },
    }),
    toResponse: ({ startSession }) => withScreenshot(sessionBody(startSession), startSession.screenshot),
  }),
  jsonRoute({
    method: 'POST',
    path: '/env/observe',
    title: 'Observe a page',
    description: 'Opens a page in a session and returns its structure and the actions available on it.',
    request: ObserveBody,
    example: { session_id: EXAMPLE_SESSION_ID, url: 'https://example.com/' },
    response: ObservationBody,
    document: ObserveDocument,
    toVariables: body => ({
      input: {
        ...toPageInput(body),
        sessionId: body.session_id ?? null,
        url: body.url ?? null,
      },
    }),
    toResponse: ({ observe }, body) => observationBody(observe, body.diff_only ?? false),
  }),
  jsonRoute({
    method: 'POST',
    path: '/env/step',
    aliases: ['/step'],
    title: 'Do an action',
    description:
      'Does an action of a page that was observed earlier, waits until the page has settled, and observes it.',
    request: StepBody,
    example: { session_id: EXAMPLE_SESSION_ID, action_id: 'L1' },
    response: ObservationBody,
    document: StepDocument,
    toVariables: body => ({
      input: {
        ...toPageInput(body),
        sessionId: body.session_id,
        actionId: body.action_id,
        value: body.value ?? null,
        enter: body.enter ?? null,
        content: { formats: DEFAULT_FORMATS.map(toEnumName) },
      },
    }),
    toResponse: ({ step }, body) => observationBody(step, body.diff_only ?? false),
  }),
  jsonRoute({
    method: 'POST',
    path: '/env/scrape',
    title: 'Scrape a page',
    description: "Takes the content of an address, or of the session's current page.",
    request: ScrapeBody,
    example: { url: 'https://example.com/' },
    response: ObservationBody,
    document: ScrapeDocument,
    toVariables: body => ({
      input: {
        ...toPageInput(body),
        sessionId: body.session_id ?? null,
        url: body.url ?? null,
        content: {
          onlyMainContent: body.only_main_content ?? null,
          formats: toFormats(body),
          extract: body.extract ?? null,
          maxCharacters: body.max_characters ?? null,
          cursor: body.cursor ?? null,
        },
      },
    }),
    toResponse: ({ scrape }, body) => observationBody(scrape, body.diff_only ?? false),
  }),
  jsonRoute({
    method: 'POST',
    path: '/session/close',
    title: 'Close a session',
    description: 'Closes a session. One that has ended already is answered with its true final status.',
    request: CloseBody,
    example: { session_id: EXAMPLE_SESSION_ID },
    response: SessionBody,
    document: CloseSessionDocument,
    toVariables: body => ({ input: { ...toRequest(body), sessionId: body.session_id } }),
    toResponse: ({ closeSession }) => withScreenshot(sessionBody(closeSession), closeSession.screenshot),
  }),
  jsonRoute({
    method: 'GET',
    path: '/session/{session_id}',
    title: 'Read a session',
    description: 'The session as it is. Reading does not reset its timer.',
    request: ReadQuery,
    response: SessionBody,
    document: ReadSessionDocument,
    toVariables: query => ({ id: query.session_id }),
    toResponse: ({ session }, query) => {
      if (session === null) throw sessionNotFound(query.session_id);
      return sessionBody(session);
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/sessions',
    title: 'List sessions',
    description: "The account's sessions, the newest first.",
    request: ListQuery,
    response: SessionsBody,
    document: ListSessionsDocument,
    toVariables: query => ({
      status: query.status?.map(status => status.toUpperCase() as SessionStatus) ?? null,
      search: query.search ?? null,
      first: query.limit ?? null,
      after: query.after ?? null,
    }),
    toResponse: ({ sessions }) => ({
      sessions: sessions.edges.map(edge => sessionBody(edge.node)),
      next_cursor: sessions.pageInfo.hasNextPage ? sessions.pageInfo.endCursor : null,
    }),
  }),
  ...fileRoutes,
  ...accountRoutes,
];
