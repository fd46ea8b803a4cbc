/**
 * Code that callers may write, and code that they may not. `npm run types` compiles this file: a snippet of the first part that
 * does not compile fails the check, and so does one of the second part that does.
 */
import {
  type Action,
  ActionStaleError,
  type ClientSession,
  type FailureCode,
  type Observation,
  PagespaceClient,
  PagespaceError,
  RateLimitedError,
  type SessionEvent,
  type Space,
} from '../../src/client/main.ts';

declare const session: ClientSession;
declare const pagespace: PagespaceClient;
declare const page: Observation;
declare const event: SessionEvent;
declare const caught: unknown;

/** 20 snippets that compile. */
export const right: readonly (() => unknown)[] = [
  () => new PagespaceClient({ url: 'http://127.0.0.1:4000', key: 'psk_' }),
  () =>
    new PagespaceClient({ url: new URL('http://127.0.0.1:4000'), key: '', timeoutMs: 1_000, maxRetries: 0 }),
  async () => {
    await using own = await pagespace.start();
    return own.id satisfies string;
  },
  () =>
    pagespace.start({ sessionTimeoutMinutes: 2, spendCapMicros: 1_000, signal: AbortSignal.timeout(1_000) }),
  () => pagespace.start({ proxy: { server: 'http://proxy.example:3128' } }),
  () => session.observe('https://example.com/'),
  () => session.observe(new URL('https://example.com/'), { screenshot: true }),
  () => session.observe(null, { actions: { kinds: ['BUTTON'], search: 'save', maxTokens: 500 } }),
  async () => (await session.observe()).space?.actions.map(({ id }) => id) satisfies string[] | undefined,
  () => session.step('B2'),
  (action: Action = page.space?.actions[0] as Action) => session.step(action, 'text', { enter: true }),
  () => session.step('I3', ['90 g', '120 g']),
  () => session.step('I4', true, { idempotencyKey: 'my-key', timeoutMs: 5_000 }),
  () => session.step('S17', null, { params: { from: 'B1', to: 'B2' } }),
  async () =>
    (await session.scrape({ content: { formats: ['MARKDOWN'] } })).data?.markdown satisfies
      | string
      | null
      | undefined,
  () => pagespace.scrape('https://example.com/', { content: { extract: { price: { selector: '.price' } } } }),
  async () => {
    for await (const each of session.events({ after: 3 }))
      if (each.__typename === 'SessionSteppedEvent') return each.action.id;
    return null;
  },
  async () => {
    for await (const { id, status } of pagespace.sessions({ status: ['ACTIVE'] }))
      if (status === 'ACTIVE') return id;
    return null;
  },
  () => {
    if (caught instanceof ActionStaleError) return caught.space satisfies Space;
    if (caught instanceof RateLimitedError) return caught.code satisfies 'RATE_LIMITED';
    return caught instanceof PagespaceError && caught.retryable ? caught.retryAfterSeconds : null;
  },
  async () => session.upload('a.txt', new Uint8Array(await session.download('D1'))),
];

/** 10 snippets that do not compile. */
export const wrong: readonly (() => unknown)[] = [
  // @ts-expect-error the key is missing
  () => new PagespaceClient({ url: 'http://127.0.0.1:4000' }),
  // @ts-expect-error a typo in the name of an option
  () => pagespace.start({ sessionTimeout: 2 }),
  // @ts-expect-error the service generates the id of a session
  () => pagespace.start({ sessionId: 'mine' }),
  // @ts-expect-error the session is the object itself
  () => session.observe('https://example.com/', { sessionId: 'other' }),
  // @ts-expect-error a kind that does not exist
  () => session.observe(null, { actions: { kinds: ['button'] } }),
  // @ts-expect-error the action is missing
  () => session.step(),
  // @ts-expect-error a value cannot be an object
  () => session.step('B1', { text: 'a' }),
  // @ts-expect-error a format that does not exist
  () => session.scrape({ content: { formats: ['HTML'] } }),
  // @ts-expect-error only some events have an action
  () => event.action,
  // @ts-expect-error a code that the service does not have
  (): FailureCode => 'NO_SUCH_CODE',
];
