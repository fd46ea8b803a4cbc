/** The type of a row of the REST table, and the two functions that create one. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { z } from 'zod';
import { executeDocument } from '../../graphql/executeDocument.ts';
import type { RequestContext } from '../../graphql/requestContext.ts';
import type { HttpContext } from '../../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../../http/httpResponse.ts';
import { validationFailure } from '../../http/validationFailure.ts';
import { type BodySelection, WHOLE_BODY } from '../bodies/bodySelection.ts';
import { toGraphqlFields } from '../bodies/observationFields.ts';
import { selectFields } from './selectFields.ts';

/** The session_id in the example requests of the documentation. */
export const EXAMPLE_SESSION_ID = '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11';

/** One REST route. The HTTP route, OpenAPI, /docs, the metrics and the table in docs/contract.md are made from it. */
export interface RestRoute {
  readonly method: 'GET' | 'POST';
  /** The path, with placeholders: `{name}` matches one segment. */
  readonly path: string;
  /** Other paths that do the same. */
  readonly aliases: readonly string[];
  /** Title in the documentation: a short imperative, such as `Start a session`. */
  readonly title: string;
  readonly description: string;
  /** The type of the request's body; null if the request has none. */
  readonly bodyType: 'json' | 'bytes' | null;
  /**
   * Validates the JSON body. For a route without a JSON body, validates one object of the query parameters and the placeholders of
   * the path, all of them texts.
   */
  readonly request: z.ZodType;
  /** A valid request, shown in OpenAPI and /docs; null for a GET. */
  readonly example: unknown;
  /** Schema of the JSON of a successful response; null when the response is a file. */
  readonly response: z.ZodType | null;
  /** The GraphQL operation that the route executes; null for a file route. */
  readonly document: DocumentNode | null;
  /** Returns the parts of the response that a request asks for, valid or not; problems leave out the same parts. */
  readonly selectionOf: (input: unknown) => BodySelection;
  /**
   * Handles one request.
   * @throws Failure: VALIDATION_ERROR for an invalid request, and those of a file route; GraphQLError with the failure of a
   * GraphQL operation
   */
  readonly run: (call: RouteCall) => Promise<HttpResponse>;
}

/** A request to a route, with the schema and the context to execute it. */
export interface RouteCall {
  readonly schema: GraphQLSchema;
  /** The JSON body, or an object of the query parameters and the placeholders of the path. Not validated yet. */
  readonly input: unknown;
  readonly context: RequestContext;
  readonly http: HttpContext;
}

type Documentation = Pick<RestRoute, 'method' | 'path' | 'title' | 'description'>;

interface JsonRouteOptions<Request extends z.ZodType, Response extends z.ZodType, Data, Variables>
  extends Documentation {
  readonly aliases?: readonly string[];
  readonly request: Request;
  readonly response: Response;
  readonly example?: z.input<Request>;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** Converts the valid request to the variables of the GraphQL document. */
  readonly toVariables: (request: z.output<Request>) => NoInfer<Variables>;
  /** Converts the `data` that the GraphQL document returned to the body of the response. */
  readonly toResponse: (
    data: NoInfer<Data>,
    request: z.output<Request>,
    selection: BodySelection,
  ) => z.input<Response>;
  /** Returns the parts of the response that a valid request asks for. Default: all. */
  readonly toSelection?: (request: z.output<Request>) => BodySelection;
}

/**
 * Creates a route that validates the request, executes a GraphQL document and returns JSON. The rules of the operation (such as
 * the scope) are in the resolvers. The compiler checks `toVariables` and `toResponse` against the document.
 */
export function jsonRoute<
  Request extends z.ZodType,
  Response extends z.ZodType,
  Data,
  Variables extends object,
>(options: JsonRouteOptions<Request, Response, Data, Variables>): RestRoute {
  const { toVariables, toResponse, toSelection = () => WHOLE_BODY, ...route } = options;
  return {
    aliases: [],
    example: null,
    ...route,
    bodyType: route.method === 'POST' ? 'json' : null,
    selectionOf: input => {
      const request = route.request.safeParse(input);
      return request.success ? toSelection(request.data) : WHOLE_BODY;
    },
    run: async ({ schema, input, context }) => {
      const request = validateRequest(route.request, input);
      const variableValues = { ...toVariables(request) } as Record<string, unknown>;
      const selection = toSelection(request);
      const contextValue = selection.diffOnly ? { ...context, listsOnlyWithoutDiff: true } : context;
      const document = selectFields(route.document, toGraphqlFields(selection));
      const result = await executeDocument({ schema, document, contextValue, variableValues });
      const error = result.errors?.[0];
      if (error !== undefined) throw error;
      return jsonResponse(200, toResponse(result.data as Data, request, selection));
    },
  };
}

interface FileRouteOptions<Request extends z.ZodType>
  extends Documentation,
    Pick<RestRoute, 'bodyType' | 'response'> {
  readonly request: Request;
  readonly example?: z.input<Request>;
  readonly respond: (request: z.output<Request>, call: RouteCall) => Promise<HttpResponse>;
}

/** Creates a route whose request or response is a file. GraphQL does not transfer files, so the route calls the service. */
export function fileRoute<Request extends z.ZodType>(options: FileRouteOptions<Request>): RestRoute {
  const { respond, ...route } = options;
  return {
    aliases: [],
    example: null,
    document: null,
    ...route,
    selectionOf: () => WHOLE_BODY,
    run: async call => respond(validateRequest(route.request, call.input), call),
  };
}

/** Parses the input by the schema of the request. @throws Failure VALIDATION_ERROR */
function validateRequest<Request extends z.ZodType>(schema: Request, input: unknown): z.output<Request> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw validationFailure(parsed.error);
  return parsed.data;
}
