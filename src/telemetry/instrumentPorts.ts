/** The ports of a node, measured and traced: browsers, store, event bus, messages between nodes. */
import { isFailure } from '../domain/failure/failures.ts';
import type { BrowserHost, BrowserLease, LeaseListener } from '../domain/ports/browserHost.ts';
import type { EventBus, Subscription } from '../domain/ports/eventBus.ts';
import type { NodeMessenger, RequestOptions } from '../domain/ports/nodeMessenger.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import { isSessionId } from '../domain/session/session.ts';
import type { ServiceMetrics } from './serviceMetrics.ts';
import { continueTrace, isTracing, type SpanAttributes, SpanKind, traced, traceHeaders } from './tracing.ts';

/** The calls to measure. */
interface Instrumentation {
  /** First part of the names of the spans: `store` in `store.commit`. Null: the calls are only measured. */
  readonly prefix: string | null;
  /** The methods to measure; each returns a promise. */
  readonly methods: readonly string[];
  readonly kind?: SpanKind;
  readonly attributes?: (method: string, args: readonly unknown[]) => SpanAttributes;
  /** Called after each call. @param outcome `done` or the code of the failure */
  readonly onEnd?: (method: string, outcome: string, seconds: number) => void;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** Returns `target` with some of its methods measured and traced. Everything else passes through unchanged. */
function instrument<Target extends object>(target: Target, options: Instrumentation): Target {
  const wrapped = new Map(options.methods.map(name => [name, wrap(target, name, options)]));
  const boundMethods = new WeakMap<object, unknown>();
  return new Proxy(target, {
    get(_target, name) {
      const method = typeof name === 'string' ? wrapped.get(name) : undefined;
      if (method !== undefined) return method;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      // A method of a class with private fields needs the object itself, not the proxy.
      const bound = boundMethods.get(value) ?? value.bind(target);
      boundMethods.set(value, bound);
      return bound;
    },
  });
}

function wrap(target: object, name: string, options: Instrumentation): Method {
  const { prefix, kind, attributes, onEnd } = options;
  const method = Reflect.get(target, name, target) as Method;
  return async (...args) => {
    const startedAt = performance.now();
    let outcome = 'done';
    try {
      if (prefix === null || !isTracing()) return await method.apply(target, args);
      const spanOptions = {
        ...(kind !== undefined && { kind }),
        ...(attributes !== undefined && { attributes: attributes(name, args) }),
      };
      return await traced(`${prefix}.${name}`, spanOptions, () => method.apply(target, args));
    } catch (error) {
      outcome = isFailure(error) ? error.code : 'INTERNAL';
      throw error;
    } finally {
      onEnd?.(name, outcome, (performance.now() - startedAt) / 1_000);
    }
  };
}

const LEASE_METHODS = [
  'goto',
  'observe',
  'step',
  'waitFor',
  'scrape',
  'scrapeWithoutDialog',
  'screenshot',
] as const;
const OPERATIONS = ['start', 'observe', 'step', 'scrape', 'close', 'uploadFile'] as const;
const STORE_METHODS = ['commit', 'recordSeen', 'list', 'load', 'events', 'eventsInRanges'] as const;

/** Returns the host with spans for the opening of a context and for each call of its leases; it counts refused addresses. */
export function instrumentHost(host: BrowserHost, metrics: ServiceMetrics): BrowserHost {
  const open: BrowserHost['open'] = async (options, listener, signal) => {
    const counting: LeaseListener = {
      onLost: reason => listener.onLost(reason),
      onLimitExceeded: reason => listener.onLimitExceeded(reason),
      onEvent(event) {
        if (event.type === 'blocked') metrics.egressRefused();
        listener.onEvent(event);
      },
      onDialog: dialog => listener.onDialog(dialog),
      onConsole: message => listener.onConsole(message),
      onRequest: request => listener.onRequest(request),
    };
    const lease = await host.open(options, counting, signal);
    return instrument<BrowserLease>(lease, { prefix: 'browser', methods: LEASE_METHODS });
  };
  return instrument<BrowserHost>(
    {
      open,
      get sessionCount() {
        return host.sessionCount;
      },
      get hasCapacity() {
        return host.hasCapacity;
      },
      close: () => host.close(),
    },
    { prefix: 'browser', methods: ['open'] },
  );
}

/** Returns the store with a span and a duration for its frequent calls. */
export const instrumentStore = (store: SessionStore, metrics: ServiceMetrics): SessionStore =>
  instrument(store, {
    prefix: 'store',
    methods: STORE_METHODS,
    onEnd: (call, outcome, seconds) => metrics.engineCalled('store', call, outcome, seconds),
  });

/** Returns the operations of the service with a span and a duration each. */
export const instrumentOperations = <Operations extends object>(
  operations: Operations,
  metrics: ServiceMetrics,
): Operations =>
  instrument(operations, {
    prefix: 'session',
    methods: OPERATIONS,
    attributes: (_operation, [, command]) => {
      const { sessionId } = (command ?? {}) as { readonly sessionId?: string | null };
      return isSessionId(sessionId) ? { 'pagespace.session_id': sessionId } : {};
    },
    onEnd: (operation, outcome, seconds) => metrics.operationEnded(operation, outcome, seconds),
  });

/** Returns the operations of this node, which callers of all nodes use, with a duration each. Their spans are those of the calling node. */
export const measureOwnerOperations = <Operations extends object>(
  operations: Operations,
  metrics: ServiceMetrics,
): Operations =>
  instrument(operations, {
    prefix: null,
    methods: OPERATIONS.filter(name => name in operations),
    onEnd: (operation, outcome, seconds) => metrics.ownerOperationEnded(operation, outcome, seconds),
  });

/** Returns the bus with its open subscriptions counted. */
export function instrumentBus(bus: EventBus, metrics: ServiceMetrics): EventBus {
  function counted<T>(iterator: Subscription<T>, signal: AbortSignal | undefined): Subscription<T> {
    const closed = metrics.subscriberOpened();
    signal?.addEventListener('abort', closed, { once: true });
    const ended = <R extends IteratorResult<T>>(result: R): R => {
      if (result.done === true) closed();
      return result;
    };
    return {
      ...(iterator.started && { started: iterator.started }),
      next: () => iterator.next().then(ended),
      async return() {
        closed();
        return (await iterator.return?.()) ?? { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
  return {
    publish: update => bus.publish(update),
    publishLedgerUpdate: accountId => bus.publishLedgerUpdate(accountId),
    subscribe: (accountId, options) => counted(bus.subscribe(accountId, options), options?.signal),
    subscribeLedger: (accountId, signal) => counted(bus.subscribeLedger(accountId, signal), signal),
  };
}

/** Returns the messenger with a duration for each request, and with traces that go on at the other node. */
export function instrumentMessenger(messenger: NodeMessenger, metrics: ServiceMetrics): NodeMessenger {
  const serve: NodeMessenger['serve'] = (self, handler) =>
    messenger.serve(self, request => {
      const answer = continueTrace(request.trace, () => handler(request));
      return Symbol.asyncIterator in answer ? inTrace(request.trace, answer) : answer;
    });
  const withTrace = (options: RequestOptions): RequestOptions => ({
    ...options,
    trace: { ...options.trace, ...traceHeaders() },
  });
  const request: NodeMessenger['request'] = (to, payload, options) =>
    messenger.request(to, payload, withTrace(options));
  const stream: NodeMessenger['stream'] = (to, payload, options) =>
    messenger.stream(to, payload, withTrace(options));
  return instrument<NodeMessenger>(
    new Proxy(messenger, {
      get(target, name) {
        if (name === 'serve') return serve;
        if (name === 'request') return request;
        if (name === 'stream') return stream;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    {
      prefix: 'bus',
      methods: ['request', 'place'],
      kind: SpanKind.CLIENT,
      onEnd: (call, outcome, seconds) => metrics.engineCalled('bus', call, outcome, seconds),
    },
  );
}

/** Returns the stream, each item of which is produced as a part of the trace: a generator runs in the context of its reader. */
function inTrace<T>(trace: Readonly<Record<string, string>>, stream: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = stream[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => continueTrace(trace, () => iterator.next()),
      return: async () =>
        (await continueTrace(trace, () => iterator.return?.())) ?? { done: true, value: undefined },
    }),
  };
}
