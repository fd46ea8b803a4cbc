/** The table of REST paths: the specification's, and the reads. */
import { z } from 'zod';
import type { ActionKind } from '../../domain/action.ts';
import { CONTENT_FORMATS, type ContentFormat, type ScreenshotFormat } from '../../domain/page.ts';
import { enumName } from '../failureFacts.ts';
import {
  CloseSessionDocument,
  ListSessionsDocument,
  ObserveDocument,
  ReadSessionDocument,
  ScrapeDocument,
  type SessionStatus,
  StartSessionDocument,
  StepDocument,
} from '../graphql/generated/graphql.ts';
import { sessionNotFound } from '../graphql/session.ts';
import { accountRoutes } from './accountRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { ObservationBody, observationBody } from './observationBody.ts';
import {
  CloseBody,
  ListQuery,
  ObserveBody,
  ReadQuery,
  ScrapeBody,
  StartBody,
  StepBody,
} from './requestBodies.ts';
import { type Route, route } from './route.ts';
import { SessionBody, sessionBody } from './sessionBody.ts';

type Maybe<Value> = Value | null | undefined;

interface Options {
  readonly keep_alive?: Maybe<boolean>;
  readonly idempotency_key?: Maybe<string>;
  readonly screenshot?: Maybe<boolean>;
  readonly screenshot_options?: Maybe<{
    readonly full_page?: Maybe<boolean>;
    readonly format?: Maybe<ScreenshotFormat>;
    readonly quality?: Maybe<number>;
  }>;
  readonly session_timeout_minutes?: Maybe<number>;
  readonly session_timeout?: Maybe<number>;
}

/** Over REST a screenshot is made only when it is asked for, so `false` is said. */
const options = (body: Options) => ({
  keepAlive: body.keep_alive ?? null,
  idempotencyKey: body.idempotency_key ?? null,
  screenshot: body.screenshot ?? false,
  screenshotOptions: body.screenshot_options
    ? {
        fullPage: body.screenshot_options.full_page ?? null,
        format: body.screenshot_options.format ? enumName(body.screenshot_options.format) : null,
        quality: body.screenshot_options.quality ?? null,
      }
    : null,
  sessionTimeoutMinutes: body.session_timeout_minutes ?? body.session_timeout ?? null,
});

interface Listing {
  readonly max_nb_actions?: Maybe<number>;
  readonly min_nb_actions?: Maybe<number>;
  readonly kinds?: Maybe<ActionKind[]>;
  readonly categories?: Maybe<string[]>;
  readonly search?: Maybe<string>;
  readonly in_viewport?: Maybe<boolean>;
  readonly max_tokens?: Maybe<number>;
  readonly diff_since?: Maybe<string>;
}

const listing = (body: Listing) => ({
  maxNbActions: body.max_nb_actions ?? null,
  minNbActions: body.min_nb_actions ?? null,
  kinds: body.kinds?.map(enumName) ?? null,
  categories: body.categories ?? null,
  search: body.search ?? null,
  inViewport: body.in_viewport ?? null,
  maxTokens: body.max_tokens ?? null,
  diffSince: body.diff_since ?? null,
});

/** What a scrape makes when nothing is said. */
const USUAL: readonly ContentFormat[] = CONTENT_FORMATS.filter(format => format !== 'pdf');

/** A format that is asked for is made, images too. */
const parts = (body: { formats?: Maybe<ContentFormat[]>; scrape_images?: Maybe<boolean> }) => ({
  formats: (body.formats ?? USUAL).map(enumName),
  scrapeImages: body.scrape_images ?? body.formats?.includes('images') ?? false,
});

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
const A_SESSION = '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11';

export const routes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/session/start',
    title: 'Start a session',
    description: 'Creates a new session and returns its session_id.',
    request: StartBody,
    example: { session_timeout_minutes: 5 },
    response: SessionBody,
    document: StartSessionDocument,
    variables: body => ({
      input: {
        ...options(body),
        spendCapMicros: body.spend_cap_micros ?? null,
        proxy: body.proxy ?? null,
      },
    }),
    answer: ({ startSession }) => withScreenshot(sessionBody(startSession), startSession.screenshot),
  }),
  route({
    method: 'POST',
    path: '/env/observe',
    title: 'Observe a page',
    description: 'Opens a page in a session and returns its structure and the actions available on it.',
    request: ObserveBody,
    example: { session_id: A_SESSION, url: 'https://example.com/' },
    response: ObservationBody,
    document: ObserveDocument,
    variables: body => ({
      input: {
        ...options(body),
        ...listing(body),
        sessionId: body.session_id ?? null,
        url: body.url ?? null,
      },
    }),
    answer: ({ observe }, body) => observationBody(observe, body.diff_only ?? false),
  }),
  route({
    method: 'POST',
    path: '/env/step',
    aliases: ['/step'],
    title: 'Do an action',
    description:
      'Does an action of a page that was observed earlier, waits until the page has settled, and observes it.',
    request: StepBody,
    example: { session_id: A_SESSION, action_id: 'L1' },
    response: ObservationBody,
    document: StepDocument,
    variables: body => ({
      input: {
        ...options(body),
        ...listing(body),
        sessionId: body.session_id,
        actionId: body.action_id,
        value: body.value ?? null,
        enter: body.enter ?? null,
        formats: USUAL.map(enumName),
      },
    }),
    answer: ({ step }, body) => observationBody(step, body.diff_only ?? false),
  }),
  route({
    method: 'POST',
    path: '/env/scrape',
    title: 'Scrape a page',
    description: "Takes the content of an address, or of the session's current page.",
    request: ScrapeBody,
    example: { url: 'https://example.com/' },
    response: ObservationBody,
    document: ScrapeDocument,
    variables: body => ({
      input: {
        ...options(body),
        ...listing(body),
        sessionId: body.session_id ?? null,
        url: body.url ?? null,
        onlyMainContent: body.only_main_content ?? null,
        ...parts(body),
        extract: body.extract ?? null,
        maxCharacters: body.max_characters ?? null,
        cursor: body.cursor ?? null,
      },
    }),
    answer: ({ scrape }, body) => observationBody(scrape, body.diff_only ?? false),
  }),
  route({
    method: 'POST',
    path: '/session/close',
    title: 'Close a session',
    description: 'Closes a session. One that has ended already is answered with its true final status.',
    request: CloseBody,
    example: { session_id: A_SESSION },
    response: SessionBody,
    document: CloseSessionDocument,
    variables: body => ({ input: { ...options(body), sessionId: body.session_id } }),
    answer: ({ closeSession }) => withScreenshot(sessionBody(closeSession), closeSession.screenshot),
  }),
  route({
    method: 'GET',
    path: '/session/{session_id}',
    title: 'Read a session',
    description: 'The session as it is. Reading does not reset its timer.',
    request: ReadQuery,
    response: SessionBody,
    document: ReadSessionDocument,
    variables: query => ({ id: query.session_id }),
    answer: ({ session }, query) => {
      if (session === null) throw sessionNotFound(query.session_id);
      return sessionBody(session);
    },
  }),
  route({
    method: 'GET',
    path: '/sessions',
    title: 'List sessions',
    description: "The account's sessions, the newest first.",
    request: ListQuery,
    response: SessionsBody,
    document: ListSessionsDocument,
    variables: query => ({
      status: query.status?.map(status => status.toUpperCase() as SessionStatus) ?? null,
      search: query.search ?? null,
      first: query.limit ?? null,
      after: query.after ?? null,
    }),
    answer: ({ sessions }) => ({
      sessions: sessions.edges.map(edge => sessionBody(edge.node)),
      next_cursor: sessions.pageInfo.hasNextPage ? sessions.pageInfo.endCursor : null,
    }),
  }),
  ...fileRoutes,
  ...accountRoutes,
];
