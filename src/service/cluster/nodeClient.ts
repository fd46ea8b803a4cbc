import {
  FAILURES,
  Failure,
  type FailureCode,
  type FailureContext,
  isFailure,
} from '../../domain/failure/failures.ts';
import {
  type NodeEpoch,
  type NodeMessenger,
  NoResponse,
  type RequestOptions,
} from '../../domain/ports/nodes.ts';
import { callerGoneFailure } from '../sessions/operationDeadline.ts';

type ErrorMessage =
  | { readonly code: string; readonly detail: string; readonly context: Omit<FailureContext, 'cause'> }
  | { readonly code: null; readonly message: string; readonly stack: string | null };

/** The cause of a failure stays on its node. */
function toErrorMessage(error: unknown): ErrorMessage {
  if (isFailure(error)) {
    const { cause: _cause, ...context } = error.context;
    return { code: error.code, detail: error.message, context };
  }
  if (!(error instanceof Error)) return { code: null, message: String(error), stack: null };
  return { code: null, message: `${error.name}: ${error.message}`, stack: error.stack ?? null };
}

/** Returns the error of a message. A code that this version does not know becomes INTERNAL, with its text. */
export function fromErrorMessage(message: ErrorMessage): Error {
  if (message.code === null) {
    const error = new Error(`Another node failed: ${message.message}`);
    if (message.stack !== null) error.stack = `${error.message}\n${message.stack}`;
    return error;
  }
  const { code, detail, context } = message;
  return isFailureCode(code)
    ? new Failure(code, detail, context)
    : new Failure('INTERNAL', `${code}: ${detail}`, { retryable: false });
}

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code);

export interface NodeCall {
  readonly version: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

type NodeResult = { readonly value: unknown } | { readonly error: ErrorMessage };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const encodeCall = (call: NodeCall): Uint8Array => encoder.encode(JSON.stringify(call));

/** @throws SyntaxError if the bytes are no JSON */
export const decodeCall = (bytes: Uint8Array): NodeCall => JSON.parse(decoder.decode(bytes));

export const encodeValue = (value: unknown): Uint8Array => encoder.encode(JSON.stringify({ value }));

export const encodeError = (error: unknown): Uint8Array =>
  encoder.encode(JSON.stringify({ error: toErrorMessage(error) }));

/** Returns the value of a result. @throws the error of the method; SyntaxError */
export function decodeResult(bytes: Uint8Array): unknown {
  const result: NodeResult = JSON.parse(decoder.decode(bytes));
  if ('error' in result) throw fromErrorMessage(result.error);
  return result.value;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** True if the method changes something: without a response, its outcome is unknown. */
  readonly hasEffect: boolean;
  /** Bytes that follow the call; absent for none. */
  readonly body?: AsyncIterable<Uint8Array>;
}

/** The node of a call no longer listens: nothing was delivered. */
export class NodeGone extends Error {
  override readonly name = 'NodeGone';
  readonly node: NodeEpoch;

  constructor(node: NodeEpoch, cause: unknown) {
    super(`Node ${node.nodeId} does not listen any more.`, { cause });
    this.node = node;
  }
}

export interface NodeClientDeps {
  readonly messenger: NodeMessenger;
  readonly version: string;
}

/** `endCallsTo` ends the calls to a node that has ended. */
export class NodeClient {
  readonly #deps: NodeClientDeps;
  readonly #waiting = new Map<string, { readonly node: NodeEpoch; readonly calls: Set<AbortController> }>();

  constructor(deps: NodeClientDeps) {
    this.#deps = deps;
  }

  /** @throws NodeGone; the error of the method; Failure OUTCOME_UNKNOWN, DEPENDENCY_UNAVAILABLE, OPERATION_TIMEOUT */
  async call(
    to: NodeEpoch,
    method: string,
    args: readonly unknown[],
    options: CallOptions,
  ): Promise<unknown> {
    const { messenger } = this.#deps;
    using call = this.#begin(to);
    const request = this.#request(options, call);
    return await this.#guard(to, options, call, async () =>
      decodeResult(await messenger.request(to, this.#payload(method, args), request)),
    );
  }

  /** Calls a method whose response is a stream: returns its first item, and the bytes of the others. @throws as `call`; the stream too */
  async stream(
    to: NodeEpoch,
    method: string,
    args: readonly unknown[],
    options: CallOptions,
  ): Promise<{ readonly value: unknown; readonly items: AsyncGenerator<Uint8Array, void, undefined> }> {
    const { messenger } = this.#deps;
    const call = this.#begin(to);
    const items = messenger.stream(to, this.#payload(method, args), this.#request(options, call));
    const next = () => this.#guard(to, options, call, () => items.next());
    const end = (): void => {
      call[Symbol.dispose]();
      // Do not await: the other node may not answer any more.
      void items.return?.()?.catch(() => undefined);
    };
    try {
      const first = await next();
      if (first.done === true) throw new Failure('INTERNAL', 'The stream of another node was empty.');
      return { value: decodeResult(first.value), items: rest(next, end) };
    } catch (error) {
      end();
      throw error;
    }
  }

  get waitingFor(): readonly NodeEpoch[] {
    return [...this.#waiting.values()].map(({ node }) => node);
  }

  /** Ends the calls that wait for a node whose epoch has ended: no response will come. */
  endCallsTo(node: NodeEpoch): void {
    for (const call of this.#waiting.get(keyOf(node))?.calls ?? [])
      call.abort(new NoResponse('silent', `Node ${node.nodeId} stopped answering.`));
  }

  #payload(method: string, args: readonly unknown[]): Uint8Array {
    return encodeCall({ version: this.#deps.version, method, args });
  }

  #begin(to: NodeEpoch): WaitingCall {
    const controller = new AbortController();
    const waiting = this.#waiting.get(keyOf(to)) ?? { node: to, calls: new Set() };
    this.#waiting.set(keyOf(to), waiting);
    waiting.calls.add(controller);
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        waiting.calls.delete(controller);
        if (waiting.calls.size === 0 && this.#waiting.get(keyOf(to)) === waiting)
          this.#waiting.delete(keyOf(to));
      },
    };
  }

  #request({ signal, timeoutMs, body }: CallOptions, call: WaitingCall): RequestOptions {
    return {
      signal: AbortSignal.any([signal, call.signal]),
      timeoutMs,
      // The messenger adds the trace of the running operation.
      trace: {},
      ...(body !== undefined && { body }),
    };
  }

  async #guard<T>(
    to: NodeEpoch,
    { signal, hasEffect }: CallOptions,
    call: WaitingCall,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw callerGoneFailure();
      const cause = call.signal.aborted ? call.signal.reason : error;
      throw cause instanceof NoResponse ? toFailure(to, cause, hasEffect) : cause;
    }
  }
}

/** A call that waits for a response. Its signal aborts when the epoch of the other node has ended. */
interface WaitingCall extends Disposable {
  readonly signal: AbortSignal;
}

async function* rest(
  next: () => Promise<IteratorResult<Uint8Array>>,
  end: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let item = await next(); item.done !== true; item = await next()) yield item.value;
  } finally {
    end();
  }
}

/** Seconds after which a caller should try again: by then a node that stopped is known as such. */
const RETRY_AFTER_SECONDS = 5;

function toFailure(to: NodeEpoch, error: NoResponse, hasEffect: boolean): Error {
  const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error };
  switch (error.reason) {
    case 'gone':
      return new NodeGone(to, error);
    case 'unavailable':
    case 'full':
      return new Failure(
        'DEPENDENCY_UNAVAILABLE',
        'The message bus of the service cannot be reached.',
        retry,
      );
    case 'silent':
      return hasEffect
        ? new Failure(
            'OUTCOME_UNKNOWN',
            'The node that runs the session stopped answering after it received the operation, which may have been performed.',
            { cause: error },
          )
        : new Failure('DEPENDENCY_UNAVAILABLE', 'The node that runs the session does not answer.', retry);
  }
}

const keyOf = ({ nodeId, epoch }: NodeEpoch): string => `${nodeId} ${epoch}`;
