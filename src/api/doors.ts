/** Who answers a request: the handlers in their order. */
import { Failure } from '../domain/failures.ts';
import type { Answer, Exchange, Handler } from './exchange.ts';
import { GRAPHQL_PATH, graphqlDoor, refused } from './graphql/graphqlDoor.ts';
import { schema } from './graphql/schema.ts';
import type { Yoga } from './graphql/yoga.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { graphiqlPage } from './pages/graphiqlPage.ts';
import { pages } from './pages/pages.ts';
import { probes } from './probes.ts';
import { resources } from './resources.ts';
import { restDoor, toldProblem } from './rest/restDoor.ts';
import { routes } from './rest/routes.ts';
import type { ServerParts } from './serverParts.ts';
import { walletDoor } from './wallet/walletDoor.ts';

/** What the handlers share with the server around them. */
export interface DoorParts {
  readonly yoga: Yoga;
  /** How many WebSockets are open. */
  readonly sockets: () => number;
  /** Aborts when the service shuts down. */
  readonly ending: AbortSignal;
  /** The address that callers use, known once it listens. */
  readonly origin: () => string;
}

/** Every request's way to its answer. `answer` never rejects. */
export interface Doors extends Pick<Metrics, 'began'> {
  answer(exchange: Exchange): Promise<Answer>;
  /** A failure in the form of the door that was knocked at. */
  tell(error: unknown, exchange: Exchange): Answer;
}

/** These say themselves that the service shuts down. */
const PROBES = new Set(['/health', '/ready']);

export function doors(parts: ServerParts, { yoga, sockets, ending, origin }: DoorParts): Doors {
  const { service, log, version } = parts;
  const metrics = metricsOf({ service, sockets });
  // Where only kept operations are run there is nothing to try.
  const graphiql = parts.graphiql === false || parts.persisted?.only === true ? null : graphiqlPage();

  const tell = (error: unknown, exchange: Exchange): Answer =>
    exchange.path === GRAPHQL_PATH ? refused(error, exchange, parts) : toldProblem(error, exchange, parts);

  const shuttingDown: Handler = ({ path }) => {
    if (ending.aborted && !PROBES.has(path))
      throw new Failure('SHUTTING_DOWN', 'The service is shutting down.', { retryAfterSeconds: 5 });
    return null;
  };
  const nothing: Handler = ({ path }) => {
    throw new Failure('NOT_FOUND', `There is nothing at ${path.slice(0, 200)}. See /docs.`);
  };
  const read = {
    ...probes({ service, version, ending }),
    ...pages({ version, graphiql: graphiql !== null, origin }),
    ...metrics.resources,
    ...graphiql?.resources,
  };

  const handlers: readonly Handler[] = [
    shuttingDown,
    restDoor(routes, { schema, service, log }),
    ...(graphiql === null ? [] : [graphiql.handler]),
    graphqlDoor(yoga, { service, log }, origin),
    walletDoor(service, origin, tell),
    resources(read, tell),
    nothing,
  ];

  return {
    began: metrics.began,
    tell,
    answer: async exchange => {
      try {
        for (const handler of handlers) {
          const answered = await handler(exchange);
          if (answered !== null) return answered;
        }
        throw new Error('No handler answered.');
      } catch (error) {
        return tell(error, exchange);
      }
    },
  };
}
