/** GraphQL over HTTP: POST, GET for queries, and server-sent events. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import {
  createYoga,
  type GraphQLParams,
  isAsyncIterable,
  type Plugin,
  type YogaServerInstance,
} from 'graphql-yoga';
import type { Pagespace } from '../../service/verbs.ts';
import { readJson } from '../readJson.ts';
import { type Log, type Request, type RequestContext, requestContext } from '../requestContext.ts';
import { documentCache, NO_ERROR_CACHE } from './documentCache.ts';
import { mapped } from './endable.ts';
import { exposedError, exposedResult, type Telling } from './exposedError.ts';
import { limitsPlugin, QUERY_LIMITS, type QueryLimits } from './limits.ts';
import { type PersistedOperations, persistedPlugin } from './persistedOperations.ts';
import { rationPlugin } from './rationPlugin.ts';
import { schema } from './schema.ts';
import { sharedAnswersPlugin } from './sharedAnswers.ts';
import { withStatus } from './withStatus.ts';

/** What the GraphQL door needs. */
export interface GraphqlParts {
  readonly service: Pagespace;
  readonly log: Log;
  /** Whether `__schema` and `__type` are answered. Default true. */
  readonly introspection?: boolean;
  /** Default QUERY_LIMITS. */
  readonly limits?: QueryLimits;
  readonly operations: PersistedOperations;
}

/** Yoga with our context. Each call passes who asks. */
export type Yoga = YogaServerInstance<Request, RequestContext>;

/** Makes the GraphQL server; the WebSocket goes through it as well, so that both have the same bounds and masks. */
export function graphqlYoga({
  service,
  log,
  introspection = true,
  limits = QUERY_LIMITS,
  operations,
}: GraphqlParts): Yoga {
  return createYoga<Request, RequestContext>({
    schema,
    context: request => requestContext(service, log, request),
    plugins: [
      jsonParserPlugin,
      persistedPlugin(operations),
      tellingPlugin(service, log),
      limitsPlugin(limits, introspection),
      rationPlugin(),
      sharedAnswersPlugin(),
    ],
    // Errors are told by our own plugin, which knows the request; Yoga's mask would hide their facts.
    maskedErrors: false,
    parserAndValidationCache: { documentCache: documentCache(), errorCache: NO_ERROR_CACHE },
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    logging: false,
    // Bounded before it comes here.
    maxRequestBodySize: false,
  });
}

/** Rewrites errors of every kind of answer, a stream's too, as the caller may see them. */
function tellingPlugin(service: Pagespace, log: Log): Plugin<object, Request> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const telling: Telling = { requestId: serverContext.requestId, log, now: () => service.now() };
      const told = (one: ExecutionResult) => exposedResult(one, telling);
      if (isAsyncIterable(result)) setResult(mapped(result as AsyncIterable<ExecutionResult>, told));
      else if (!Array.isArray(result)) setResult(told(result as ExecutionResult));
    },
  };
}

/** What a GET asks. @throws Failure INVALID_JSON, VALIDATION_ERROR */
function inAddress(params: URLSearchParams): GraphQLParams {
  const json = (name: string) => {
    const text = params.get(name);
    // Sound: Yoga looks at it before it believes it.
    return text === null || text === '' ? undefined : (readJson(text, name) as Record<string, unknown>);
  };
  const query = params.get('query');
  const operationName = params.get('operationName');
  const [variables, extensions] = [json('variables'), json('extensions')];
  return {
    ...(query && { query }),
    ...(operationName && { operationName }),
    ...(variables && { variables }),
    ...(extensions && { extensions }),
  };
}

/** Reads JSON; what is none has its own code. */
const jsonParserPlugin: Plugin = {
  onRequestParse({ request, setRequestParser }) {
    if (request.method === 'GET')
      setRequestParser(() => withStatus(() => inAddress(new URL(request.url).searchParams)));
    if (request.method !== 'POST') return;
    setRequestParser(async () => {
      const text = await request.text();
      // Sound: Yoga looks at it before it believes it.
      return withStatus(() => readJson(text) as GraphQLParams);
    });
  },
};

/** A failure before any GraphQL ran, in GraphQL's form. */
export const refusedResult = (error: unknown, telling: Telling): { errors: readonly GraphQLError[] } => ({
  errors: [exposedError(error, telling)],
});
