/** A row of the REST table, and how one is run: check the body, execute its document, write its answer. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, execute, type GraphQLSchema, validate } from 'graphql';
import type { z } from 'zod';
import type { RequestContext } from '../../graphql/requestContext.ts';
import { type HttpContext, type HttpResponse, jsonResponse } from '../../http/httpContext.ts';
import { validationFailure } from '../../http/validationFailure.ts';

/** One path. It holds no rule of its own: rules are in the schemas of the fields and in the resolvers. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  /** What stands in the body of a request; null where there is none. */
  readonly bodyType: 'json' | 'bytes' | null;
  /** The body where that is JSON, with the path's parameters; else the path's and the query's parameters. */
  readonly request: z.ZodType;
  /** A body that the manual shows first; null for a GET. */
  readonly example: unknown;
  /** Null where the answer is a file's bytes. */
  readonly response: z.ZodType | null;
  /** Null for a row of files. */
  readonly document: DocumentNode | null;
  /** @throws Failure VALIDATION_ERROR, and what the operation throws, as GraphQL wraps it */
  readonly run: (call: RouteCall) => Promise<HttpResponse>;
}

/** One request of a row. */
export interface RouteCall {
  readonly schema: GraphQLSchema;
  readonly input: unknown;
  readonly context: RequestContext;
  readonly http: HttpContext;
}

interface RouteOptions<Request extends z.ZodType, Response extends z.ZodType, Data, Variables>
  extends Pick<Route, 'method' | 'path' | 'title' | 'description'> {
  readonly aliases?: readonly string[];
  readonly request: Request;
  readonly response: Response;
  readonly example?: z.input<Request>;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly toVariables: (request: z.output<Request>) => NoInfer<Variables>;
  readonly toResponse: (data: NoInfer<Data>, request: z.output<Request>) => z.input<Response>;
}

/** Makes a row; its mappers are checked against the types of its document. */
export function route<Request extends z.ZodType, Response extends z.ZodType, Data, Variables extends object>(
  row: RouteOptions<Request, Response, Data, Variables>,
): Route {
  const run: Route['run'] = async ({ schema, input, context: contextValue }) => {
    const request = validateRequest(row.request, input);
    const variableValues = { ...row.toVariables(request) } as Record<string, unknown>;
    const result = await execute({ schema, document: row.document, contextValue, variableValues });
    const error = result.errors?.[0];
    if (error !== undefined) throw error;
    return jsonResponse(200, row.toResponse(result.data as Data, request));
  };
  const { method, path, aliases = [], title, description, request, example = null, response, document } = row;
  const takes = method === 'POST' ? 'json' : null;
  return {
    method,
    path,
    aliases,
    title,
    description,
    bodyType: takes,
    request,
    example,
    response,
    document,
    run,
  };
}

interface FileRouteOptions<Request extends z.ZodType>
  extends Pick<Route, 'method' | 'path' | 'title' | 'description' | 'bodyType' | 'response'> {
  readonly request: Request;
  readonly example?: z.input<Request>;
  readonly respond: (request: z.output<Request>, call: RouteCall) => Promise<HttpResponse>;
}

/** Makes a row whose body or answer is a file's bytes, which GraphQL does not carry. The service holds its rules as it does the others'. */
export function fileRoute<Request extends z.ZodType>(row: FileRouteOptions<Request>): Route {
  const { respond, example = null, ...facts } = row;
  const run: Route['run'] = async call => respond(validateRequest(row.request, call.input), call);
  return { ...facts, aliases: [], example, document: null, run };
}

/** @throws Failure VALIDATION_ERROR */
function validateRequest<Request extends z.ZodType>(schema: Request, input: unknown): z.output<Request> {
  const read = schema.safeParse(input);
  if (!read.success) throw validationFailure(read.error);
  return read.data;
}

/**
 * Sees to it at the start, not in a request, that every document fits the schema.
 * @throws Error when one does not
 */
export function validateDocuments(schema: GraphQLSchema, routes: readonly Route[]): void {
  for (const { path, document } of routes) {
    if (document === null) continue;
    const errors = validate(schema, document);
    if (errors.length > 0)
      throw new Error(`The document of ${path} does not fit the schema: ${errors.join('; ')}`);
  }
}
