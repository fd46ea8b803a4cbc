/** A CDP session without the layers between Playwright's interface and the browser's pipe. */
import type { CDPSession } from 'playwright';
import { type PipeSession, takePipeSession, toPipeError } from './playwrightSessions.ts';

type Listener = (payload: never) => void;

/**
 * Returns a session that sends to the browser's pipe directly: Playwright validates and copies every call and every event twice on its
 * way. Use it in place of `session` from then on. Its answers and events keep their order, also among those of Playwright's page.
 */
export function directSession(session: CDPSession): CDPSession {
  const pipe = takePipeSession(session);
  if (pipe === null) return session;
  const listeners = new ListenerTurns(session, pipe);
  const on = listeners.on.bind(listeners);
  const off = listeners.off.bind(listeners);
  const send = (method: string, params?: object): Promise<unknown> => sendInTurn(pipe, method, params);
  return Object.assign(Object.create(session) as CDPSession, {
    send,
    on,
    addListener: on,
    off,
    removeListener: off,
  });
}

/**
 * Playwright hands every answer and event to its callers in a later turn of the event loop. The direct ones wait for the same turn, so
 * that none arrives before an event of the page that preceded it.
 */
function sendInTurn(pipe: PipeSession, method: string, params?: object): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  withoutStack(() => pipe.send(method, params)).then(
    result => setImmediate(resolve, result),
    (error: unknown) => setImmediate(reject, toPipeError(error)),
  );
  return promise;
}

/** Runs `work`, in which errors get no stack. Playwright creates one for each call, in case that it fails; the caller's await has one. */
function withoutStack<Result>(work: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The listeners of a session, each called in a later turn of the event loop. */
class ListenerTurns {
  readonly #session: CDPSession;
  readonly #pipe: PipeSession;
  /** For each event and each of its listeners, the function that the pipe calls. */
  readonly #inTurn = new Map<string, Map<Listener, (payload: unknown) => void>>();

  constructor(session: CDPSession, pipe: PipeSession) {
    this.#session = session;
    this.#pipe = pipe;
  }

  on(event: string, listener: Listener): void {
    if (event === 'close') return void this.#session.on('close', listener as () => void);
    const known = this.#inTurn.get(event) ?? new Map<Listener, (payload: unknown) => void>();
    this.#inTurn.set(event, known);
    const inTurn = (payload: unknown): void =>
      void setImmediate(listener as (payload: unknown) => void, payload);
    known.set(listener, inTurn);
    this.#pipe.on(event, inTurn);
  }

  off(event: string, listener: Listener): void {
    const inTurn = this.#inTurn.get(event)?.get(listener);
    if (inTurn === undefined) return;
    this.#inTurn.get(event)?.delete(listener);
    this.#pipe.off(event, inTurn);
  }
}
