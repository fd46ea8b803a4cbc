/** graphql-transport-ws over Yoga: who may connect, and how its operations run, under the bounds and masks of HTTP. */
import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { CloseCode, type Context, type ServerOptions } from 'graphql-ws';
import { isAsyncIterable } from 'graphql-yoga';
import type { Viewer } from '../../../domain/account.ts';
import { isFailure } from '../../../domain/failures.ts';
import { authenticateSocket } from '../../auth/authenticate.ts';
import { RequestRateLimit } from '../../auth/requestRateLimit.ts';
import { assertJsonDepth } from '../../http/parseJson.ts';
import { logRequest, RequestRecord } from '../../http/requestRecord.ts';
import { type ErrorContext, maskResultErrors } from '../plugins/maskError.ts';
import type { OperationRequest, RequestContext } from '../requestContext.ts';
import { mapIterable } from '../subscriptions/cancellable.ts';
import type { GraphqlDeps, Yoga } from './yoga.ts';

/** A client must begin with connection_init within this time, or it is closed with 4408. Milliseconds. */
const INIT_TIMEOUT_MS = 5_000;
/** Operations at once on one socket; the next closes it with 4429. */
const MAX_OPERATIONS = 100;
/** The protocol's Too Many Requests. */
export const TOO_MANY_REQUESTS = 4429;

/** What goes with a socket beside what graphql-ws knows. */
export interface SocketExtra extends Record<PropertyKey, unknown> {
  readonly request: IncomingMessage;
  /** The caller's network address. */
  readonly address: string;
  /** Aborts when the socket closes. */
  readonly signal: AbortSignal;
  /** To be called when the caller has signed in. */
  onAuthenticated(): void;
  close(code: number, reason: string): void;
  /** The operations that run, by the client's id: each gets a line in the log when it ends. */
  readonly records: Map<string, RequestRecord>;
}

const NO_OPERATION_ERROR = new GraphQLError('Name one operation of the document by operationName.');

type Params = Record<string, unknown>;

/**
 * The protocol's server, to be given sockets. Close codes: 4401, 4403 with the failure's code as reason (also when the key
 * ends later), 4408, 4429.
 */
export function socketProtocol(
  yoga: Yoga,
  { service, log, operations }: Pick<GraphqlDeps, 'service' | 'log' | 'operations'>,
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
    logRequest(log, record, outcome, { transport: 'websocket' });
  };

  const maskErrors = (errors: readonly unknown[], how: ErrorContext): readonly GraphQLError[] =>
    maskResultErrors({ errors: errors as readonly GraphQLError[] }, how).errors ?? [];

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
        if (!isFailure(error)) log.error({ err: error }, 'a socket could not be signed in');
        // The protocol's Forbidden, with the reason where the caller can read it.
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
        // Nobody hears it any more, but the library wants one.
        return [new GraphQLError('Too many operations at once.')];
      }
      const how: ErrorContext = { record, log, now: () => service.now() };
      try {
        // Again for each operation: a key may have been revoked since the socket was opened.
        const viewer = await authenticate(context, record);
        const ration = new RequestRateLimit(service);
        await ration.consume(viewer, 1);
        const request: OperationRequest = {
          viewer,
          requestId: record.requestId,
          signal: context.extra.signal,
          rateLimit: ration,
          record,
        };
        assertJsonDepth([payload.variables, payload.extensions]);
        const query = operations.resolveText(payload) ?? '';
        const params = { ...payload, query };
        const graphql = yoga.getEnveloped({ ...request, params } as never);
        const document = graphql.parse(query);
        const errors = graphql.validate(graphql.schema, document);
        if (errors.length > 0) return maskErrors(errors, how);
        if (getOperationAST(document, payload.operationName) == null)
          return maskErrors([NO_OPERATION_ERROR], how);
        const contextValue: RequestContext = await graphql.contextFactory();
        errorContexts.set(contextValue, how);
        return {
          schema: graphql.schema,
          document,
          contextValue,
          operationName: payload.operationName,
          variableValues: payload.variables,
          rootValue: graphql,
        };
      } catch (error) {
        return maskErrors([error], how);
      }
    },
    onOperation: (_context, _id, _payload, args, result) => {
      const how = errorContexts.get(args.contextValue as object);
      if (how === undefined) throw new Error('An operation runs that was not begun here.');
      const rewritten = (one: ExecutionResult) => maskResultErrors(one, how);
      return isAsyncIterable(result)
        ? (mapIterable(result as AsyncIterable<ExecutionResult>, rewritten) as never)
        : rewritten(result as ExecutionResult);
    },
    onComplete: logEnd,
    onError: logEnd,
    onClose: context => {
      for (const id of context.extra.records.keys()) logEnd(context, id);
    },
  };
}

/** The enveloped functions travel as the root value; no resolver reads it. */
const enveloped = (args: ExecutionArgs) => args.rootValue as ReturnType<Yoga['getEnveloped']>;
