import { z } from 'zod';
import type { CallerTurns } from '../../async/fairTurns.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import {
  type EnumTable,
  FLAT,
  type Group,
  type RequestField,
  type RequestFields,
  type RequestOf,
  type Rule,
  restName,
  restWords,
  toSnakeCase,
} from '../../operations/field.ts';
import { assertScope, type Operation, type OperationContext } from '../../operations/operation.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import { validationFailure } from '../http/validationFailure.ts';
import { type BodySelection, WHOLE_BODY } from './selection.ts';

interface Binding {
  readonly rest: string;
  readonly name: string;
  /** The group that contains it; null for none. */
  readonly group: string | null;
  readonly inner: readonly Binding[] | null;
}

export function restFields(fields: RequestFields): z.ZodRawShape {
  const shapes: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.rest === null) continue;
    if (field.rest === FLAT) Object.assign(shapes, restFields((field.type as Group).fields));
    else shapes[restName(name, field)] = fieldSchema(field);
  }
  return shapes;
}

function fieldSchema({
  type,
  check,
  required,
  description,
  default: value,
  examples,
}: RequestField): z.ZodType {
  const schema = check ?? typeSchema(type);
  return (required ? schema : schema.nullish()).meta({
    description: restWords(description),
    ...(value !== undefined && { default: value }),
    ...(examples !== undefined && { examples: [...examples] }),
  });
}

function typeSchema(type: RequestField['type']): z.ZodType {
  if (typeof type === 'object') {
    if (!('kind' in type)) return z.array(typeSchema(type[0]));
    if (type.kind === 'enum') return z.enum(Object.keys((type as EnumTable).values));
    return withRules(z.strictObject(restFields(type.fields)), [type]);
  }
  if (type === 'Boolean') return z.boolean();
  if (type === 'Int' || type === 'SafeInt') return z.int();
  if (type === 'Float') return z.number();
  return type === 'JSON' ? z.unknown() : z.string();
}

function withRules<Schema extends z.ZodType>(schema: Schema, groups: readonly Group[]): Schema {
  return groups.reduce((refined, { rule, fields }) => {
    if (rule === undefined) return refined;
    const names = Object.entries(fields).map(([name, field]) => [name, restName(name, field)] as const);
    return refined.refine(
      body => {
        const values = body as Record<string, unknown>;
        return rule.holds(Object.fromEntries(names.map(([name, rest]) => [name, values[rest]])));
      },
      { message: rule.message, path: [restName(rule.field, fields[rule.field] ?? {})] },
    );
  }, schema);
}

const flatGroups = (fields: RequestFields): Group[] =>
  Object.values(fields)
    .filter(field => field.rest === FLAT)
    .map(field => field.type as Group);

/** Returns the schema of a body. @param more fields that only REST has @param rules conditions on fields by their REST names */
export const bodyOf = (
  id: string,
  fields: RequestFields,
  more: z.ZodRawShape,
  rules: readonly Rule[],
): z.ZodType =>
  rules
    .reduce<z.ZodType>(
      (schema, { holds, field, message }) =>
        schema.refine(body => holds(body as Record<string, unknown>), { message, path: [field] }),
      withRules(z.strictObject({ ...restFields(fields), ...more }), flatGroups(fields)),
    )
    .meta({ id });

/** The fields of an operation as an object of REST: its schema, and the function that converts a valid one to the request. */
export const restObject = (fields: RequestFields) => ({
  schema: z.strictObject(restFields(fields)),
  toRequest: toRequest(fields),
});

function toRequest(
  fields: RequestFields,
): (body: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const bindings = bindingsOf(fields, null);
  return body => values(bindings, body);
}

function bindingsOf(fields: RequestFields, group: string | null): Binding[] {
  return Object.entries(fields).flatMap(([name, field]): Binding[] => {
    const { type, rest } = field;
    if (rest === null) return [];
    const item = typeof type === 'object' && !('kind' in type) ? type[0] : type;
    const inner = typeof item === 'object' && 'kind' in item && item.kind === 'group' ? item.fields : null;
    if (rest === FLAT && inner !== null) return bindingsOf(inner, name);
    return [{ rest: restName(name, field), name, group, inner: inner && bindingsOf(inner, null) }];
  });
}

function values(
  bindings: readonly Binding[],
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const { rest, name, group, inner } of bindings) {
    const given = body[rest];
    if (given === undefined || given === null) continue;
    const value =
      inner === null
        ? given
        : Array.isArray(given)
          ? given.map(item => values(inner, item))
          : values(inner, given as Record<string, unknown>);
    if (group === null) request[name] = value;
    else {
      const target = (request[group] ?? {}) as Record<string, unknown>;
      target[name] = value;
      request[group] = target;
    }
  }
  return request;
}

/** The session_id in the example requests of the documentation. */
export const EXAMPLE_SESSION_ID = '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11';

/** One REST route. The HTTP route, OpenAPI, /docs, the metrics and the table in docs/contract.md are made from it. */
export interface RestRoute {
  readonly method: 'GET' | 'POST';
  /** The path, with placeholders: `{name}` matches one segment. */
  readonly path: string;
  readonly aliases: readonly string[];
  /** Title in the documentation: a short imperative, such as `Start a session`. */
  readonly title: string;
  readonly description: string;
  /** The GraphQL field that does the same, such as `session(id).downloads`; empty if none does. */
  readonly graphql: string;
  /** The fields of the operation's request; null if the route is no operation. */
  readonly fields: RequestFields | null;
  /** The type of the request's body; null if the request has none. */
  readonly bodyType: 'json' | 'bytes' | null;
  /** Validates the JSON body; without one, an object of the query parameters and the placeholders of the path, all of them texts. */
  readonly request: z.ZodType;
  /** A valid request, shown in OpenAPI and /docs; null for a GET. */
  readonly example: unknown;
  /** Schema of the JSON of a successful response; null when the response is a file. */
  readonly response: z.ZodType | null;
  /** Returns the parts of the response that a request asks for, valid or not; problems leave out the same parts. */
  readonly selectionOf: (input: unknown) => BodySelection;
  /** Handles one request. @throws Failure */
  readonly run: (call: RouteCall) => Promise<HttpResponse>;
}

export interface RestContext extends OperationContext {
  readonly turns: CallerTurns;
}

export interface RouteCall {
  /** The JSON body, or an object of the query parameters and the placeholders of the path. Not validated yet. */
  readonly input: unknown;
  readonly context: RestContext;
  readonly http: HttpContext;
}

interface OperationRouteOptions<Fields extends RequestFields, Result, Body>
  extends Pick<RestRoute, 'path' | 'example'> {
  readonly operation: Operation<Fields, Result>;
  readonly aliases?: readonly string[];
  /** Schema of the body. Default: the fields of the operation. */
  readonly body?: z.ZodType<Body>;
  /** Sets what a body means beyond the values of its fields, such as defaults that only REST has. */
  readonly complete?: (request: RequestOf<Fields>, body: Body) => RequestOf<Fields>;
  /** Returns the parts of the response that a valid body asks for. Default: the whole response. */
  readonly toSelection?: (body: Body) => BodySelection;
  readonly response: z.ZodType;
  readonly layOut: (result: Result, selection: BodySelection, context: RestContext) => unknown;
}

/** Creates the route of an operation: it validates the body, calls the function that the GraphQL mutation calls too, and lays out the result. */
export function operationRoute<Fields extends RequestFields, Result, Body extends object>({
  operation: { name, title, description, scope, fields, run },
  aliases = [],
  body: request = bodyOf(
    `${name[0]?.toUpperCase()}${name.slice(1)}Request`,
    fields,
    {},
    [],
  ) as z.ZodType<Body>,
  complete = request => request,
  toSelection = () => WHOLE_BODY,
  layOut,
  ...route
}: OperationRouteOptions<Fields, Result, Body>): RestRoute {
  const convert = toRequest(fields);
  return {
    ...route,
    method: 'POST',
    aliases,
    title,
    description,
    graphql: `${name}(input)`,
    fields,
    bodyType: 'json',
    request,
    selectionOf: input => {
      const parsed = request.safeParse(input);
      return parsed.success ? toSelection(parsed.data) : WHOLE_BODY;
    },
    run: async ({ input, context }) => {
      const body = validateRequest(request, input);
      assertScope(context.viewer, scope, name);
      const selection = toSelection(body);
      // The schema of the body is made from the fields of the operation.
      const typed = convert(body as Readonly<Record<string, unknown>>) as RequestOf<Fields>;
      const result = await run(complete(typed, body), context, selection.selection).catch(renameFields);
      return jsonResponse(200, await layOut(result, selection, context));
    },
  };
}

/** Throws the error again; the operation names fields in its failures as GraphQL does, REST in snake_case. */
function renameFields(error: unknown): never {
  if (!isFailure(error) || error.context.errors === undefined) throw error;
  const { errors, ...context } = error.context;
  const renamed = errors.map(({ path, message }) => ({ path: path.replace(/^\w+/, toSnakeCase), message }));
  const detail = errors.reduce(
    (text, { path }) => text.replaceAll(/^\w+/.exec(path)?.[0] ?? path, toSnakeCase),
    error.message,
  );
  throw new Failure(error.code, detail, { ...context, cause: error, errors: renamed });
}

interface ReadRouteOptions<Request extends z.ZodType>
  extends Pick<RestRoute, 'path' | 'title' | 'description' | 'graphql' | 'response'> {
  readonly request: Request;
  readonly read: (request: z.output<Request>, context: RestContext) => Promise<unknown>;
}

export const readRoute = <Request extends z.ZodType>({
  read,
  ...route
}: ReadRouteOptions<Request>): RestRoute =>
  fileRoute({
    ...route,
    method: 'GET',
    bodyType: null,
    respond: async (request, { context }) => jsonResponse(200, await read(request, context)),
  });

interface FileRouteOptions<Request extends z.ZodType>
  extends Pick<RestRoute, 'method' | 'path' | 'title' | 'description' | 'bodyType' | 'response'> {
  readonly request: Request;
  readonly graphql?: string;
  readonly example?: z.input<Request>;
  readonly respond: (request: z.output<Request>, call: RouteCall) => Promise<HttpResponse>;
}

export function fileRoute<Request extends z.ZodType>({
  respond,
  ...route
}: FileRouteOptions<Request>): RestRoute {
  return {
    aliases: [],
    example: null,
    graphql: '',
    fields: null,
    ...route,
    selectionOf: () => WHOLE_BODY,
    run: async call => respond(validateRequest(route.request, call.input), call),
  };
}

/** Parses the input by the schema of the request. @throws Failure VALIDATION_ERROR */
function validateRequest<Request extends z.ZodType>(schema: Request, input: unknown): z.output<Request> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw validationFailure(parsed.error, schema);
  return parsed.data;
}
