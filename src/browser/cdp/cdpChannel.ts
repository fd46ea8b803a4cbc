import type { CDPSession } from 'playwright';
import { onAbort, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { deadlineFailure } from './errors.ts';
import { type PipeSession, takePipeSession, toPipeError } from './playwrightSessions.ts';

type Send = CDPSession['send'];
type Method = Parameters<Send>[0];

/** Settles as `work` does, or rejects with the Failure of `deadlineFailure` if the deadline's signal aborts first. */
export function raceDeadline<T>(work: Promise<T>, deadline: Deadline): Promise<T> {
  return race(
    work,
    onAbort(deadline.signal, () => deadlineFailure(deadline)),
  );
}

/** The reason of every deadline that has shortened another one and has passed: creating an error for each takes longer than the rest. */
const SHORTENED = new DOMException('The time for a part of the operation has passed.', 'TimeoutError');

/** Returns a deadline that also ends `ms` milliseconds from now. Dispose it when its part of the operation has ended. */
export function shortenDeadline(deadline: Deadline, ms: number): Deadline & Disposable {
  const end = performance.now() + ms;
  const controller = new AbortController();
  const abortWithParent = (): void => controller.abort(deadline.signal.reason);
  if (deadline.signal.aborted) abortWithParent();
  else deadline.signal.addEventListener('abort', abortWithParent, { once: true });
  const timer = setTimeout(() => controller.abort(SHORTENED), Math.ceil(ms)).unref();
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, Math.min(deadline.remainingMs(), end - performance.now())),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Sends CDP calls to one target. A call fails when the deadline of its operation ends. */
export class CdpChannel {
  readonly session: CDPSession;

  constructor(session: CDPSession) {
    this.session = session;
  }

  /** @throws Failure of `deadlineFailure`; Playwright's error when the call fails */
  send<M extends Method>(
    method: M,
    params: Parameters<typeof this.session.send<M>>[1],
    deadline: Deadline,
  ): ReturnType<typeof this.session.send<M>> {
    return raceDeadline(this.session.send(method, params), deadline) as ReturnType<
      typeof this.session.send<M>
    >;
  }

  /** Calls a CDP method without waiting for its result. Ignores errors. */
  sendNoReply<M extends Method>(method: M, params?: Parameters<typeof this.session.send<M>>[1]): void {
    this.session.send(method, params).catch(() => {});
  }
}

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

/** Playwright hands events to its callers in a later turn: direct answers wait for it too, so that none overtakes an event of the page. */
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

class ListenerTurns {
  readonly #session: CDPSession;
  readonly #pipe: PipeSession;
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
