/** graphql-transport-ws over Yoga: who may connect, and how its operations run, under the bounds and masks of HTTP. */
import type { IncomingMessage } from 'node:http';
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import { CloseCode, type Context, type ServerOptions } from 'graphql-ws';
import { isAsyncIterable } from 'graphql-yoga';
import type { Viewer } from '../../domain/account.ts';
import { isFailure } from '../../domain/failures.ts';
import type { Request, RequestContext } from '../requestContext.ts';
import { socketViewer } from '../viewer.ts';
import { mapped } from './endable.ts';
import { exposedResult, type Telling } from './exposedError.ts';
import type { GraphqlParts, Yoga } from './yoga.ts';

/** A client must begin with connection_init within this time, or it is closed with 4408. Milliseconds. */
const INIT_MS = 5_000;
/** Operations at once on one socket; the next closes it with 4429. */
const MOST_OPERATIONS = 100;

/** What goes with a socket beside what graphql-ws knows. */
export interface SocketFacts extends Record<PropertyKey, unknown> {
  readonly request: IncomingMessage;
  /** Aborts when the socket closes. */
  readonly signal: AbortSignal;
  close(code: number, reason: string): void;
  /** Known once connection_init was acknowledged. */
  viewer?: Viewer;
}

type Params = Record<string, unknown>;

/** The protocol's server, to be given sockets. Close codes: 4401, 4403 with the failure's code as reason, 4408, 4429. */
export function socketProtocol(
  yoga: Yoga,
  { service, log }: Pick<GraphqlParts, 'service' | 'log'>,
): ServerOptions<Params, SocketFacts> {
  const tellings = new WeakMap<object, Telling>();

  const begun = ({ extra }: Context<Params, SocketFacts>): { request: Request; telling: Telling } => {
    if (extra.viewer === undefined)
      throw new Error('An operation came before connection_init was acknowledged.');
    const requestId = crypto.randomUUID();
    return {
      request: { viewer: extra.viewer, requestId, signal: extra.signal },
      telling: { requestId, log, now: () => service.now() },
    };
  };

  const told = (errors: readonly unknown[], telling: Telling): readonly GraphQLError[] =>
    exposedResult({ errors: errors as readonly GraphQLError[] }, telling).errors ?? [];

  return {
    connectionInitWaitTimeout: INIT_MS,
    execute: args => enveloped(args).execute(args),
    subscribe: args => enveloped(args).subscribe(args),
    onConnect: async ({ connectionParams, extra }) => {
      try {
        extra.viewer = await socketViewer(service, connectionParams, extra.request.headers);
        return true;
      } catch (error) {
        if (!isFailure(error)) log.error({ err: error }, 'a socket could not be signed in');
        // The protocol's Forbidden, with the reason where the caller can read it.
        extra.close(CloseCode.Forbidden, isFailure(error) ? error.code : 'INTERNAL');
        return false;
      }
    },
    onSubscribe: async (context, _id, payload) => {
      if (Object.keys(context.subscriptions).length > MOST_OPERATIONS) {
        context.extra.close(4429, 'Too many operations at once');
        return [];
      }
      const { request, telling } = begun(context);
      const graphql = yoga.getEnveloped({ ...request, params: payload } as never);
      try {
        const document = graphql.parse(payload.query);
        const errors = graphql.validate(graphql.schema, document);
        if (errors.length > 0) return told(errors, telling);
        const contextValue: RequestContext = await graphql.contextFactory();
        tellings.set(contextValue, telling);
        return {
          schema: graphql.schema,
          document,
          contextValue,
          operationName: payload.operationName,
          variableValues: payload.variables,
          rootValue: graphql,
        };
      } catch (error) {
        return told([error], telling);
      }
    },
    onOperation: (_context, _id, _payload, args, result) => {
      const telling = tellings.get(args.contextValue as object);
      if (telling === undefined) throw new Error('An operation runs that was not begun here.');
      const rewritten = (one: ExecutionResult) => exposedResult(one, telling);
      return isAsyncIterable(result)
        ? (mapped(result as AsyncIterable<ExecutionResult>, rewritten) as never)
        : rewritten(result as ExecutionResult);
    },
  };
}

/** The enveloped functions travel as the root value; no resolver reads it. */
const enveloped = (args: ExecutionArgs) => args.rootValue as ReturnType<Yoga['getEnveloped']>;
