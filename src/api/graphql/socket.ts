/** GraphQL over WebSocket: graphql-transport-ws, through the same Yoga as HTTP. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { CloseCode, type Context, handleProtocols } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { isAsyncIterable } from 'graphql-yoga';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Viewer } from '../../domain/account.ts';
import { isFailure } from '../../domain/failures.ts';
import type { Request, RequestContext } from '../requestContext.ts';
import { socketViewer } from '../viewer.ts';
import { mapped } from './endable.ts';
import { exposedResult, type Telling } from './exposedError.ts';
import type { GraphqlParts, Yoga } from './yoga.ts';

/** Pings go out this often; a peer that does not answer in time is gone. Milliseconds. */
const PING_MS = 12_000;
/** A client must begin with connection_init within this time, or it is closed with 4408. Milliseconds. */
const INIT_MS = 5_000;
/** Operations at once on one socket; the next closes it with 4429. */
const MOST_OPERATIONS = 100;
/** A message may have at most this many bytes. */
const MOST_BYTES = 1_000_000;

type SocketExtra = Extra & { viewer?: Viewer } & Record<PropertyKey, unknown>;
type SocketContext = Context<Record<string, unknown>, SocketExtra>;

/** The WebSocket side of the door. */
export interface GraphqlSocket {
  /** Takes over an upgrade of node:http. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends every subscription and closes every socket with 1001; resolves when they are gone. */
  close(): Promise<void>;
  /** Sockets open now. */
  readonly size: number;
}

export function graphqlSocket(
  yoga: Yoga,
  { service, log }: Pick<GraphqlParts, 'service' | 'log'>,
): GraphqlSocket {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, handleProtocols });
  const operation = (context: SocketContext): { request: Request; telling: Telling } => {
    const { viewer, socket } = context.extra;
    if (viewer === undefined) throw new Error('An operation came before connection_init was acknowledged.');
    const requestId = crypto.randomUUID();
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    return {
      request: { viewer, requestId, signal: gone.signal },
      telling: { requestId, log, now: () => service.now() },
    };
  };
  const tellings = new WeakMap<object, Telling>();

  const running = useServer<Record<string, unknown>, SocketExtra>(
    {
      connectionInitWaitTimeout: INIT_MS,
      execute: args => execution(args).execute(args),
      subscribe: args => execution(args).subscribe(args),
      onConnect: async context => {
        try {
          context.extra.viewer = await socketViewer(
            service,
            context.connectionParams,
            context.extra.request.headers,
          );
          return true;
        } catch (error) {
          // The protocol's Forbidden, with the reason where the caller can read it.
          const reason = isFailure(error) ? error.code : 'INTERNAL';
          if (reason === 'INTERNAL') log.error({ err: error }, 'a socket could not be signed in');
          context.extra.socket.close(CloseCode.Forbidden, reason);
          return false;
        }
      },
      onSubscribe: async (context, _id, payload) => {
        if (Object.keys(context.subscriptions).length > MOST_OPERATIONS) {
          context.extra.socket.close(4429, 'Too many operations at once');
          return [];
        }
        const { request, telling } = operation(context);
        const enveloped = yoga.getEnveloped({ ...request, params: payload } as never);
        try {
          const document = enveloped.parse(payload.query);
          const errors = enveloped.validate(enveloped.schema, document);
          if (errors.length > 0) return exposedResult({ errors }, telling).errors ?? [];
          const contextValue: RequestContext = await enveloped.contextFactory();
          tellings.set(contextValue, telling);
          return {
            schema: enveloped.schema,
            document,
            contextValue,
            operationName: payload.operationName,
            variableValues: payload.variables,
            rootValue: enveloped,
          };
        } catch (error) {
          return exposedResult({ errors: [error as never] }, telling).errors ?? [];
        }
      },
      onOperation: (_context, _id, _payload, args, result) => {
        const telling = tellings.get(args.contextValue as object);
        if (telling === undefined) return result;
        const told = (one: ExecutionResult) => exposedResult(one, telling);
        return isAsyncIterable(result)
          ? (mapped(result as AsyncIterable<ExecutionResult>, told) as never)
          : told(result as ExecutionResult);
      },
    },
    server,
    PING_MS,
  );

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (open: WebSocket) =>
        server.emit('connection', open, request),
      ),
    close: async () => {
      await running.dispose();
      server.close();
    },
    get size() {
      return server.clients.size;
    },
  };
}

/** The enveloped functions travel as the root value; no resolver reads it. */
const execution = (args: ExecutionArgs) => args.rootValue as ReturnType<Yoga['getEnveloped']>;
