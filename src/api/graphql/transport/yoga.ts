import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  Kind,
} from 'graphql';
import {
  createYoga,
  type GraphQLParams,
  isAsyncIterable,
  mapAsyncIterator,
  type Plugin,
  type YogaServerInstance,
} from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { FairTurns } from '../../../async/fairTurns.ts';
import { toWellFormedJson } from '../../../domain/space/pageText.ts';
import type { Pagespace } from '../../../service/pagespace.ts';
import { parseJson } from '../../http/httpContext.ts';
import {
  type ErrorContext,
  type FailureExtensions,
  maskError,
  maskResultErrors,
  withHttpStatus,
} from '../plugins/maskError.ts';
import { type PersistedOperations, persistedOperationsPlugin } from '../plugins/persistedOperations.ts';
import {
  QUERY_LIMITS,
  type QueryLimits,
  queryLimitsPlugin,
  rateLimitPlugin,
} from '../plugins/queryLimits.ts';
import {
  createRequestContext,
  type Log,
  type OperationRequest,
  type RequestContext,
} from '../requestContext.ts';
import { schema } from '../schema.ts';

type Execution = ExecutionResult | Promise<ExecutionResult>;

/** Runs a subscription's document once for each event, for all subscribers with the same API key, document and variables. */
function subscriptionResultCachePlugin(): Plugin {
  const cache = new SubscriptionResultCache();
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args);
        if (!isAsyncIterable(source)) return source;
        const key = requestKey(args);
        const results = mapAsyncIterator(source, event =>
          cache.getOrRun(event, args.document, key, async () => {
            const context = args.contextValue as RequestContext;
            // Many subscriptions can wait for the same event: each runs in a turn of its own.
            await context.turns.next();
            // graphql-js completes lists from arrays only, so they are not divided into turns of the caller.
            const turns: RequestContext['turns'] = { ...context.turns, sliced: items => items };
            return execute({ ...args, rootValue: event, contextValue: { ...context, turns } });
          }),
        );
        return endWithError(results);
      });
    },
  };
}

/** Returns the same results; an error of their source becomes the last one, and is masked like any other. */
function endWithError(
  results: AsyncIterableIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  let hasFailed = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (hasFailed) return { done: true, value: undefined };
      try {
        return await results.next();
      } catch (error) {
        hasFailed = true;
        return { done: false, value: { errors: [toGraphqlError(error)] } };
      }
    },
    return: async () => (await results.return?.()) ?? { done: true, value: undefined },
    throw: async error => (await results.throw?.(error)) ?? { done: true, value: undefined },
  };
}

const toGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('The subscription failed.', {
        originalError: error instanceof Error ? error : new Error(String(error)),
      });

/** Returns a text that is equal for two requests only if the account, API key, operation name and variables are equal. */
function requestKey({ contextValue, operationName, variableValues }: ExecutionArgs): string {
  // The cast is sound: `createRequestContext` makes the context of every operation.
  const { viewer } = contextValue as RequestContext;
  return JSON.stringify([viewer.account.id, viewer.keyId, operationName ?? null, variableValues ?? {}]);
}

/** Results of subscriptions by event, document and request key, until the next turn of the event loop. */
class SubscriptionResultCache {
  readonly #results = new WeakMap<object, WeakMap<DocumentNode, Map<string, Execution>>>();

  /** Returns the result for the event (compared by identity), document and key; calls `run` if there is none. */
  getOrRun(event: unknown, document: DocumentNode, key: string, run: () => Execution): Execution {
    if (typeof event !== 'object' || event === null) return run();
    const byDocument = this.#results.get(event) ?? new WeakMap<DocumentNode, Map<string, Execution>>();
    this.#results.set(event, byDocument);
    const byKey = byDocument.get(document) ?? new Map<string, Execution>();
    byDocument.set(document, byKey);
    const stored = byKey.get(key);
    if (stored !== undefined) return stored;
    const execution = run();
    byKey.set(key, execution);
    // Keep the result only for this turn of the event loop: values such as durations and tabs change later.
    const evict = () => setImmediate(() => byKey.delete(key));
    if (execution instanceof Promise) execution.then(evict, evict);
    else evict();
    return execution;
  }
}

const MAX_DOCUMENTS = 100;
/** A longer operation is not cached: a parsed document needs up to 240 times the memory of its text. */
const MAX_DOCUMENT_CHARACTERS = 4_000;

interface DocumentCache {
  get(text: string): DocumentNode | undefined;
  set(text: string, document: DocumentNode): unknown;
}

/** Creates a cache of parsed operations. Its memory is limited, whatever callers send. */
export const documentCache = (): DocumentCache =>
  new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxEntrySize: MAX_DOCUMENT_CHARACTERS,
    sizeCalculation: (_document, text) => text.length,
  });

/** Stores nothing: errors contain the caller's text, and a second validation is as fast. */
const NO_ERROR_CACHE = { get: () => undefined, set: () => undefined };

/** Sets `operation` of the request's log line to the type and root fields, for example `query session, viewer`. */
const recordOperationPlugin: Plugin = {
  onExecute: ({ args }) => recordOperation(args),
  onSubscribe: ({ args }) => recordOperation(args),
};

// Logs the names of fields, which the validation has checked against the schema, and not the operation's name, which is the
// caller's text.
function recordOperation({ document, operationName, contextValue }: ExecutionArgs): void {
  const operation = getOperationAST(document, operationName);
  if (operation == null) return;
  const names = operation.selectionSet.selections.map(selection =>
    selection.kind === Kind.FIELD ? selection.name.value : '…',
  );
  const { record } = contextValue as RequestContext;
  record.operation = `${operation.operation} ${[...new Set(names)].join(', ')}`;
}

export interface GraphqlDeps {
  readonly service: Pagespace;
  readonly log: Log;
  /** False to refuse `__schema` and `__type`. Default true. */
  readonly introspection?: boolean;
  /** The limits of one operation. Default: QUERY_LIMITS. */
  readonly limits?: QueryLimits;
  readonly operations: PersistedOperations;
  readonly turns: FairTurns;
}

/** The GraphQL server (Yoga). Each call passes its OperationRequest, from which the context is made. */
export type Yoga = YogaServerInstance<OperationRequest, RequestContext>;

/** Creates the GraphQL server. WebSockets use it too, so that limits and masked errors are the same. */
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
      queryLimitsPlugin(limits, introspection),
      recordOperationPlugin,
      rateLimitPlugin(),
      subscriptionResultCachePlugin(),
    ],
    // maskErrorsPlugin masks errors: Yoga's own mask would hide the failure code.
    maskedErrors: false,
    parserAndValidationCache: { documentCache: documentCache(), errorCache: NO_ERROR_CACHE },
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    logging: false,
    // The limit is applied before the body is read (http/readBody.ts).
    maxRequestBodySize: false,
  });
}

function maskErrorsPlugin(service: Pagespace, log: Log): Plugin<object, OperationRequest> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const context: ErrorContext = { record: serverContext.record, log, now: () => service.now() };
      const mask = (one: ExecutionResult) => ({
        ...maskResultErrors(one, context),
        // Yoga serializes a result with the function that the result brings.
        stringify: toWellFormedJson,
      });
      if (isAsyncIterable(result))
        setResult(mapAsyncIterator(result as AsyncIterable<ExecutionResult>, mask));
      else if (!Array.isArray(result)) setResult(withRefusalStatus(mask(result as ExecutionResult)));
    },
  };
}

/** A refused operation has HTTP status 400 for `application/graphql-response+json`, and 200 for others (GraphQL over HTTP, section 6.4). */
function withRefusalStatus(result: ExecutionResult): ExecutionResult {
  if (result.errors === undefined || 'data' in result) return result;
  return { ...result, errors: result.errors.map(withStatus) };
}

function withStatus({ message, nodes, source, positions, path, extensions }: GraphQLError): GraphQLError {
  const { status } = extensions as FailureExtensions;
  // `spec`: Yoga sends the status only to clients that accept `application/graphql-response+json`.
  const http = extensions.http ?? { spec: true, status: status >= 500 ? status : 400 };
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions: { ...extensions, http },
  });
}

/** Parses the operation in the query string of a GET. @throws Failure INVALID_JSON, VALIDATION_ERROR */
function queryParams(params: URLSearchParams): GraphQLParams {
  const json = (name: string) => {
    const text = params.get(name);
    // The cast is sound: Yoga validates the value.
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

const NOT_AN_OBJECT = new GraphQLError('The body must be a JSON object with the field query.', {
  extensions: { http: { status: 400 } },
});

/** Parses the JSON body of a POST; invalid JSON fails with INVALID_JSON. */
const jsonParserPlugin: Plugin = {
  onRequestParse({ request, setRequestParser }) {
    if (request.method === 'GET')
      setRequestParser(() => withHttpStatus(() => queryParams(new URL(request.url).searchParams)));
    if (request.method !== 'POST') return;
    setRequestParser(async () => {
      const text = await request.text();
      const params = withHttpStatus(() => parseJson(text));
      // Yoga reads properties of the value before it checks its type.
      if (typeof params !== 'object' || params === null) throw NOT_AN_OBJECT;
      // The cast is sound: Yoga validates the value.
      return params as GraphQLParams;
    });
  },
};

export const errorResult = (error: unknown, context: ErrorContext): { errors: readonly GraphQLError[] } => ({
  errors: [maskError(error, context)],
});
