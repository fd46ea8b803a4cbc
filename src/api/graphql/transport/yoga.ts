/** GraphQL over HTTP: POST, GET for queries, and server-sent events. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import {
  createYoga,
  type GraphQLParams,
  isAsyncIterable,
  type Plugin,
  type YogaServerInstance,
} from 'graphql-yoga';
import type { Pagespace } from '../../../service/pagespace.ts';
import { parseJson } from '../../http/parseJson.ts';
import { documentCache, NO_ERROR_CACHE } from '../plugins/documentCache.ts';
import { type ErrorContext, maskError, maskResultErrors } from '../plugins/maskError.ts';
import { type PersistedOperations, persistedOperationsPlugin } from '../plugins/persistedOperations.ts';
import { limitsPlugin, QUERY_LIMITS, type QueryLimits } from '../plugins/queryLimits.ts';
import { rateLimitPlugin } from '../plugins/rateLimitPlugin.ts';
import { recordOperationPlugin } from '../plugins/recordOperationPlugin.ts';
import { subscriptionResultCachePlugin } from '../plugins/subscriptionResultCache.ts';
import {
  createRequestContext,
  type Log,
  type OperationRequest,
  type RequestContext,
} from '../requestContext.ts';
import { schema } from '../schema.ts';
import { mapIterable } from '../subscriptions/cancellable.ts';
import { withHttpStatus } from './withHttpStatus.ts';

/** What the GraphQL door needs. */
export interface GraphqlDeps {
  readonly service: Pagespace;
  readonly log: Log;
  /** Whether `__schema` and `__type` are answered. Default true. */
  readonly introspection?: boolean;
  /** Default QUERY_LIMITS. */
  readonly limits?: QueryLimits;
  readonly operations: PersistedOperations;
}

/** Yoga with our context. Each call passes who asks. */
export type Yoga = YogaServerInstance<OperationRequest, RequestContext>;

/** Makes the GraphQL server; the WebSocket goes through it as well, so that both have the same bounds and masks. */
export function graphqlYoga({
  service,
  log,
  introspection = true,
  limits = QUERY_LIMITS,
  operations,
}: GraphqlDeps): Yoga {
  return createYoga<OperationRequest, RequestContext>({
    schema,
    context: request => createRequestContext(service, log, request),
    plugins: [
      jsonParserPlugin,
      persistedOperationsPlugin(operations),
      maskErrorsPlugin(service, log),
      limitsPlugin(limits, introspection),
      recordOperationPlugin,
      rateLimitPlugin(),
      subscriptionResultCachePlugin(),
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
function maskErrorsPlugin(service: Pagespace, log: Log): Plugin<object, OperationRequest> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const telling: ErrorContext = { record: serverContext.record, log, now: () => service.now() };
      const told = (one: ExecutionResult) => maskResultErrors(one, telling);
      if (isAsyncIterable(result)) setResult(mapIterable(result as AsyncIterable<ExecutionResult>, told));
      else if (!Array.isArray(result)) setResult(told(result as ExecutionResult));
    },
  };
}

/** What a GET asks. @throws Failure INVALID_JSON, VALIDATION_ERROR */
function queryParams(params: URLSearchParams): GraphQLParams {
  const json = (name: string) => {
    const text = params.get(name);
    // Sound: Yoga looks at it before it believes it.
    return text === null || text === '' ? undefined : (parseJson(text, name) as Record<string, unknown>);
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
      setRequestParser(() => withHttpStatus(() => queryParams(new URL(request.url).searchParams)));
    if (request.method !== 'POST') return;
    setRequestParser(async () => {
      const text = await request.text();
      // Sound: Yoga looks at it before it believes it.
      return withHttpStatus(() => parseJson(text) as GraphQLParams);
    });
  },
};

/** A failure before any GraphQL ran, in GraphQL's form. */
export const errorResult = (error: unknown, telling: ErrorContext): { errors: readonly GraphQLError[] } => ({
  errors: [maskError(error, telling)],
});
