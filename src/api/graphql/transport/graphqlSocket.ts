import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import {
  CloseCode,
  type Context,
  handleProtocols,
  MessageType,
  makeServer,
  type ServerOptions,
} from 'graphql-ws';
import { isAsyncIterable, mapAsyncIterator } from 'graphql-yoga';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Viewer } from '../../../domain/account/account.ts';
import { RequestRateLimit } from '../../../domain/account/rateLimit.ts';
import { isFailure } from '../../../domain/failure/failures.ts';
import { wellFormedJson } from '../../../domain/space/pageText.ts';
import { assertLinkAllows, authenticateSocket } from '../../auth/authenticate.ts';
import {
  assertJsonSize,
  callerAddress,
  jsonSizeError,
  replaceHalfCharacters,
} from '../../http/httpContext.ts';
import { closeSocket, closeSockets, startPings } from '../../http/httpServer.ts';
import { logRequest, RequestRecord } from '../../http/requestRecord.ts';
import { type ErrorContext, maskResultErrors } from '../plugins/maskError.ts';
import type { OperationRequest, RequestContext } from '../requestContext.ts';
import type { GraphqlDeps, Yoga } from './yoga.ts';

/** Maximum wait for the client's connection_init; then the socket is closed with 4408. */
const INIT_TIMEOUT_MS = 5_000;
/** Maximum number of operations at once on one socket; the next one closes the socket with 4429. */
const MAX_OPERATIONS = 100;
/** Close code of graphql-ws: Too Many Requests. */
const TOO_MANY_REQUESTS = 4429;

const INPUT_DOCUMENT = 'DashSendInput';
const INPUT_OPERATION = 'mutation sendInput';

/** The data and callbacks of one WebSocket that `socketProtocol` needs. graphql-ws passes them as `extra`. */
interface SocketExtra extends Record<PropertyKey, unknown> {
  readonly request: IncomingMessage;
  readonly address: string;
  readonly signal: AbortSignal;
  /** Called once, when the caller is authenticated. */
  onAuthenticated(): void;
  close(code: number, reason: string): void;
  /** True after a failed operation, until input is taken: then input counts as a request. */
  countsInput: boolean;
  /** Records of the running operations, by the client's id; each becomes a log line when the operation ends. */
  readonly records: Map<string, RequestRecord>;
}

const NO_OPERATION_ERROR = new GraphQLError(
  'The document has several operations: choose one by operationName.',
);

type Params = Record<string, unknown>;

/**
 * Returns the options of graphql-ws for the server. Close codes: 4401 for an operation before connection_init; 4403 when the API
 * key is refused, revoked or expired, with the failure code as reason; 4408 without connection_init in time; 4429 for too many
 * operations.
 */
function socketProtocol(
  yoga: Yoga,
  { service, log, operations, turns }: Pick<GraphqlDeps, 'service' | 'log' | 'operations' | 'turns'>,
): ServerOptions<Params, SocketExtra> {
  const errorContexts = new WeakMap<object, ErrorContext>();

  const authenticate = (
    { connectionParams, extra }: Context<Params, SocketExtra>,
    record?: RequestRecord,
  ): Promise<Viewer> => {
    const { request, address: callerNetwork } = extra;
    return authenticateSocket(service, { connectionParams, headers: request.headers, callerNetwork }, record);
  };

  const logEnd = ({ extra }: Context<Params, SocketExtra>, id: string): void => {
    const record = extra.records.get(id);
    if (record === undefined) return;
    extra.records.delete(id);
    const outcome = extra.signal.aborted ? 'aborted' : (record.failureCode ?? 'ok');
    if (outcome !== 'ok') extra.countsInput = true;
    else if (record.operation === INPUT_OPERATION) extra.countsInput = false;
    const level = record.operation === INPUT_OPERATION && outcome === 'ok' ? 'debug' : 'info';
    logRequest(log, record, outcome, { transport: 'websocket' }, level);
  };

  const maskErrors = (errors: readonly unknown[], context: ErrorContext): readonly GraphQLError[] =>
    maskResultErrors({ errors: errors as readonly GraphQLError[] }, context).errors ?? [];

  return {
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    execute: args => enveloped(args).execute(args),
    subscribe: args => enveloped(args).subscribe(args),
    onConnect: async context => {
      const { extra } = context;
      try {
        const viewer = await authenticate(context);
        const release = service.onKeyEnd(viewer, ({ code }) => extra.close(CloseCode.Forbidden, code));
        if (extra.signal.aborted) release();
        else extra.signal.addEventListener('abort', release, { once: true });
        extra.onAuthenticated();
        return true;
      } catch (error) {
        if (!isFailure(error)) log.error({ err: error }, 'a WebSocket could not be authenticated');
        // A client can read the code only in the reason of the close frame.
        extra.close(CloseCode.Forbidden, isFailure(error) ? error.code : 'INTERNAL');
        return false;
      }
    },
    onSubscribe: async (context, id, payload) => {
      const record = new RequestRecord(crypto.randomUUID());
      context.extra.records.set(id, record);
      if (Object.keys(context.subscriptions).length > MAX_OPERATIONS) {
        record.failureCode = 'TOO_MANY_OPERATIONS';
        logEnd(context, id);
        context.extra.close(TOO_MANY_REQUESTS, 'Too many operations at once');
        // The library requires an error, although the socket is closed.
        return [new GraphQLError('Too many operations at once.')];
      }
      const errorContext: ErrorContext = { record, log, now: () => service.now() };
      try {
        // Authenticate again for each operation: the key may have been revoked since the socket was opened.
        const viewer = await authenticate(context, record);
        const rateLimit = new RequestRateLimit(service);
        // The input of a person comes in many small messages, which the take-over limits if they are taken.
        if (!isInput(payload) || context.extra.countsInput) await rateLimit.consume(viewer, 1);
        assertLinkAllows(viewer, payload);
        const callerTurns = turns.of(viewer.account.id);
        await callerTurns.next();
        const request: OperationRequest = {
          viewer,
          requestId: record.requestId,
          signal: context.extra.signal,
          rateLimit,
          record,
          turns: callerTurns,
        };
        assertJsonSize([payload.variables, payload.extensions]);
        const query = operations.resolveText(payload) ?? '';
        const params = { ...payload, query };
        const graphql = yoga.getEnveloped({ ...request, params } as never);
        const document = graphql.parse(query);
        const errors = graphql.validate(graphql.schema, document);
        if (errors.length > 0) return maskErrors(errors, errorContext);
        if (getOperationAST(document, payload.operationName) == null)
          return maskErrors([NO_OPERATION_ERROR], errorContext);
        const contextValue: RequestContext = await graphql.contextFactory();
        errorContexts.set(contextValue, errorContext);
        return {
          schema: graphql.schema,
          document,
          contextValue,
          operationName: payload.operationName,
          variableValues: payload.variables,
          rootValue: graphql,
        };
      } catch (error) {
        return maskErrors([error], errorContext);
      }
    },
    onOperation: (_context, _id, _payload, args, result) => {
      const errorContext = errorContexts.get(args.contextValue as object);
      if (errorContext === undefined) throw new Error('The operation has no error context.');
      const mask = (one: ExecutionResult) => maskResultErrors(one, errorContext);
      return isAsyncIterable(result)
        ? (mapAsyncIterator(result as AsyncIterable<ExecutionResult>, mask) as never)
        : mask(result as ExecutionResult);
    },
    onComplete: logEnd,
    onError: logEnd,
    onClose: context => {
      for (const id of context.extra.records.keys()) logEnd(context, id);
    },
  };
}

const isInput = ({
  query,
  documentId,
}: {
  readonly query?: unknown;
  readonly documentId?: unknown;
}): boolean => (query === undefined || query === '') && documentId === INPUT_DOCUMENT;

/** Returns Yoga's `execute` and `subscribe` for the operation. They are stored in the root value, which no resolver reads. */
const enveloped = (args: ExecutionArgs) => args.rootValue as ReturnType<Yoga['getEnveloped']>;

/** Close code of graphql-ws: Bad Request. */
const BAD_REQUEST = 4400;

const CLIENT_TYPES: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/**
 * Returns true if the text is a message whose type the protocol lets a client send. graphql-ws checks the fields of these types, but
 * throws for the types that only a server sends, and repeats the payload of a ping, however deeply it is nested.
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
function isClientMessage(text: string): boolean {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof message !== 'object' || message === null) return false;
  const { type } = message as { readonly type?: unknown };
  // The variables of an operation that are nested too deeply, or too many, are an error of that operation only.
  return CLIENT_TYPES.has(type) && (type === MessageType.Subscribe || jsonSizeError(message) === null);
}

/** Maximum number of messages of one socket that are in progress. A running operation is one; the message that ends it is another. */
const MAX_MESSAGES = 300;
/** Maximum total length of the messages of one socket that are in progress; the value of a step can have a million characters. */
const MAX_BYTES = 8_000_000;
/** Maximum bytes that a caller may send on a socket before it is authenticated; the message with the key needs a hundredth. */
const MAX_UNAUTHENTICATED_BYTES = 64_000;

/** Limits the messages of one socket that are in progress: until their response is written, so that a slow reader reaches the limit. */
class InFlightLimiter {
  #messages = 0;
  #bytes = 0;
  #authenticated = false;

  /** Call it when the caller is authenticated: the limit for callers without authentication ends. */
  markAuthenticated(): void {
    this.#authenticated = true;
  }

  /** Returns true if the caller has sent too much without authentication. @param bytes number received on the socket so far */
  exceedsUnauthenticatedLimit(bytes: number): boolean {
    return !this.#authenticated && bytes > MAX_UNAUTHENTICATED_BYTES;
  }

  /** Runs `work`, and counts its message until it ends. Returns `too much`, without running it, if the message exceeds a limit. */
  async run(bytes: number, work: () => Promise<void>): Promise<'done' | 'too much'> {
    if (this.#messages >= MAX_MESSAGES || this.#bytes + bytes > MAX_BYTES) return 'too much';
    this.#messages += 1;
    this.#bytes += bytes;
    try {
      await work();
      return 'done';
    } finally {
      this.#messages -= 1;
      this.#bytes -= bytes;
    }
  }
}

/** Maximum size of a client's message, in bytes; a longer one closes the socket with 1009. */
const MAX_MESSAGE_BYTES = 2_000_000;

export interface GraphqlSocket {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1001, and terminates those that do not respond within a second. Idempotent. */
  close(): Promise<void>;
  readonly size: number;
}

/** Creates the WebSocket server. @param trustedProxies number of proxies in front of the service, for the caller's address */
export function graphqlSocket(
  yoga: Yoga,
  deps: Pick<GraphqlDeps, 'service' | 'log' | 'operations' | 'turns'>,
  trustedProxies: number,
): GraphqlSocket {
  const { log } = deps;
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
  const protocol = makeServer(socketProtocol(yoga, deps));

  const serve = (socket: WebSocket, request: IncomingMessage): void => {
    const gone = new AbortController();
    const limiter = new InFlightLimiter();
    const before = request.socket.bytesRead;
    const checkUnauthenticated = () => {
      if (!limiter.exceedsUnauthenticatedLimit(request.socket.bytesRead - before)) return;
      request.socket.off('data', checkUnauthenticated);
      closeUnread(socket, 1009, 'Begin with a short connection_init');
    };
    request.socket.on('data', checkUnauthenticated);
    const extra: SocketExtra = {
      request,
      address: callerAddress(request, trustedProxies),
      signal: gone.signal,
      records: new Map(),
      countsInput: false,
      onAuthenticated: () => limiter.markAuthenticated(),
      close: (code, reason) => closeSocket(socket, code, reason),
    };
    // ws itself closes the socket after a frame that is too large or malformed.
    socket.on('error', error => log.debug({ err: error }, 'a WebSocket violated the protocol'));
    const stopPings = startPings(socket);
    const ended = protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when the text is written, so that a slow client delays only its own subscriptions.
        send: text => sendText(socket, text),
        close: (code, reason) => closeSocket(socket, code, reason),
        onMessage: handle =>
          socket.on('message', async data => {
            if (socket.readyState !== socket.OPEN) return;
            const text = replaceHalfCharacters(String(data));
            if (!isClientMessage(text)) return closeSocket(socket, BAD_REQUEST, 'Invalid message');
            try {
              if ((await limiter.run(text.length, () => handle(text))) === 'too much')
                closeUnread(socket, TOO_MANY_REQUESTS, 'Too many messages are in progress');
            } catch (error) {
              // Nothing can be sent to a client that has disconnected; `close` handles that.
              if (socket.readyState !== socket.OPEN) return;
              log.error({ err: error }, 'a WebSocket message could not be handled');
              closeSocket(socket, CloseCode.InternalServerError, 'Internal server error');
            }
          }),
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      stopPings();
      gone.abort();
      ended(code, String(reason)).catch(error =>
        log.error({ err: error }, 'a WebSocket could not be closed'),
      );
    });
  };

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, open => serve(open, request)),
    close: () => closeSockets(server),
    get size() {
      return server.clients.size;
    },
  };
}

function closeUnread(socket: WebSocket, code: number, reason: string): void {
  closeSocket(socket, code, reason);
  socket.pause();
}

/** Sends a text; resolves when it is written. @throws Error when the client has disconnected */
async function sendText(socket: WebSocket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(wellFormedJson(text), error => (error ? reject(error) : resolve()));
  await promise;
}
