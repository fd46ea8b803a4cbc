/** graphql-transport-ws over Yoga: authentication, and operations with the same limits and masked errors as over HTTP. */
import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { CloseCode, type Context, type ServerOptions } from 'graphql-ws';
import { isAsyncIterable, mapAsyncIterator } from 'graphql-yoga';
import type { Viewer } from '../../../domain/account/account.ts';
import { isFailure } from '../../../domain/failure/failures.ts';
import { authenticateSocket, RequestRateLimit } from '../../auth/authenticate.ts';
import { assertLinkAllows } from '../../auth/shareLinkAccess.ts';
import { assertJsonSize } from '../../http/httpContext.ts';
import { logRequest, RequestRecord } from '../../http/requestRecord.ts';
import { type ErrorContext, maskResultErrors } from '../plugins/maskError.ts';
import type { OperationRequest, RequestContext } from '../requestContext.ts';
import type { GraphqlDeps, Yoga } from './yoga.ts';

/** Maximum wait for the client's connection_init; then the socket is closed with 4408. */
const INIT_TIMEOUT_MS = 5_000;
/** Maximum number of operations at once on one socket; the next one closes the socket with 4429. */
const MAX_OPERATIONS = 100;
/** Close code of graphql-ws: Too Many Requests. */
export const TOO_MANY_REQUESTS = 4429;

/** The persisted operation with which the dashboard sends the input of a person, and its name in the log. */
const INPUT_DOCUMENT = 'DashSendInput';
const INPUT_OPERATION = 'mutation sendInput';

/** The data and callbacks of one WebSocket that `socketProtocol` needs. graphql-ws passes them as `extra`. */
export interface SocketExtra extends Record<PropertyKey, unknown> {
  readonly request: IncomingMessage;
  /** The caller's network address. */
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
export function socketProtocol(
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
