/** A row of the REST table, and how one is run: check the body, execute its document, write its answer. */
import { type DocumentNode, execute, type GraphQLSchema, validate } from 'graphql';
import type { z } from 'zod';
import { validationFailure } from '../graphql/validationFailure.ts';
import type { RequestContext } from '../requestContext.ts';
import type { TypedDocument } from '../typedDocument.ts';

/** One path. It holds no rule of its own: rules are in the schemas of the fields and in the resolvers. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  /** The JSON body of a POST; the path's and the query's parameters of a GET. */
  readonly request: z.ZodType;
  /** A body that the manual shows first; null for a GET. */
  readonly example: unknown;
  readonly response: z.ZodType;
  readonly document: DocumentNode;
  /** @throws Failure VALIDATION_ERROR, and what the operation throws, as GraphQL wraps it */
  readonly run: (schema: GraphQLSchema, input: unknown, context: RequestContext) => Promise<unknown>;
}

interface Row<Request extends z.ZodType, Response extends z.ZodType, Data, Variables>
  extends Pick<Route, 'method' | 'path' | 'title' | 'description'> {
  readonly aliases?: readonly string[];
  readonly request: Request;
  readonly example?: z.input<Request>;
  readonly response: Response;
  readonly document: TypedDocument<Data, Variables>;
  readonly variables: (request: z.output<Request>) => NoInfer<Variables>;
  readonly answer: (data: NoInfer<Data>, request: z.output<Request>) => z.input<Response>;
}

/** Makes a row; its mappers are checked against the types of its document. */
export function route<Request extends z.ZodType, Response extends z.ZodType, Data, Variables extends object>(
  row: Row<Request, Response, Data, Variables>,
): Route {
  const run: Route['run'] = async (schema, input, contextValue) => {
    const request = row.request.safeParse(input);
    if (!request.success) throw validationFailure(request.error);
    const variableValues = { ...row.variables(request.data) } as Record<string, unknown>;
    const result = await execute({ schema, document: row.document, contextValue, variableValues });
    const error = result.errors?.[0];
    if (error !== undefined) throw error;
    return row.answer(result.data as Data, request.data);
  };
  const { method, path, aliases = [], title, description, request, example = null, response, document } = row;
  return { method, path, aliases, title, description, request, example, response, document, run };
}

/**
 * Sees to it at the start, not in a request, that every document fits the schema.
 * @throws Error when one does not
 */
export function validateDocuments(schema: GraphQLSchema, routes: readonly Route[]): void {
  for (const { path, document } of routes) {
    const errors = validate(schema, document);
    if (errors.length > 0)
      throw new Error(`The document of ${path} does not fit the schema: ${errors.join('; ')}`);
  }
}
