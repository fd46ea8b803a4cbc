import { z } from 'zod';
import { FAILURES, type FailureCode } from '../../domain/failure/failures.ts';
import { ProblemBody } from './problem.ts';
import type { RestRoute } from './route.ts';

type Schema = z.core.JSONSchema.BaseSchema;
type JsonObject = Record<string, unknown>;

const codes = Object.keys(FAILURES) as FailureCode[];

/** The HTTP statuses of failures that no GET route returns, because they concern request bodies, pages and operations. */
const NOT_FOR_GET = new Set([400, 402, 409, 410, 413, 415, 502, 504]);
/** The OpenAPI `content` of a request or response that is a file. */
const BYTES = { 'application/octet-stream': { schema: {} } };
const NOT_FROM_OPERATIONS = new Set<FailureCode>(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'SUBSCRIPTION_BEHIND']);

export interface OpenapiOptions {
  readonly version: string;
  readonly origin: string;
  readonly exampleUrl: string;
}

export function openapi(
  routes: readonly RestRoute[],
  { version, origin, exampleUrl }: OpenapiOptions,
): JsonObject {
  const components = new Components();
  const problem = components.ref(ProblemBody, 'output');
  const routePaths = paths(routes, components, exampleUrl);
  return {
    openapi: '3.1.0',
    info: {
      title: 'pagespace',
      version,
      summary: 'Observe web pages as lists of actions and perform them, in real browser sessions.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin, description: 'This service.' }],
    security: [{ key: [] }],
    tags: [
      {
        name: 'operations',
        description: 'What a session does: start, observe, step, scrape, close. Charged.',
      },
      {
        name: 'reads',
        description: 'Sessions, their files and the ledger. Reading resets no timeout and costs nothing.',
      },
      { name: 'service', description: 'Probes and metrics of the service. They need no key.' },
    ],
    paths: { ...routePaths, ...SERVICE_PATHS },
    components: {
      schemas: withSelectableFields(components.schemas),
      responses: failureResponses(problem),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'psk_…', description: 'An API key.' },
      },
      headers: {
        RequestId: {
          description: 'The id of this request in problems and in the log.',
          schema: { type: 'string' },
        },
        Version: { description: 'The version of the service.', schema: { type: 'string' } },
        RateLimit: {
          description: 'Requests per minute that the account may send; absent without a limit.',
          schema: { type: 'integer' },
        },
        RateLimitRemaining: {
          description: 'Requests left in the current minute; absent without a limit.',
          schema: { type: 'integer' },
        },
        RateLimitReset: {
          description: 'Seconds until the next minute starts; absent without a limit.',
          schema: { type: 'integer' },
        },
      },
    },
  };
}

function paths(routes: readonly RestRoute[], components: Components, exampleUrl: string): JsonObject {
  const found: Record<string, JsonObject> = {};
  for (const route of routes)
    for (const path of [route.path, ...route.aliases]) {
      const method = route.method.toLowerCase();
      const name = operationIdOf(route);
      // An id must be unique, so that of another path says what it is.
      const operationId = path === route.path ? name : `${name}Alias`;
      const described = operation(route, path, components, exampleUrl);
      found[path] = { ...found[path], [method]: { operationId, ...described } };
    }
  return found;
}

/** Returns the name of the operation in generated clients: that of its GraphQL mutation, else its title: `startSession`, `getDownload`. */
function operationIdOf({ bodyType, graphql, title }: RestRoute): string {
  if (bodyType === 'json') return graphql.replace(/\(.*$/s, '');
  const [verb = '', ...words] = title.split(' ').filter(word => !/^(a|an|the)$/.test(word));
  const first = verb === 'Read' ? 'get' : verb.toLowerCase();
  return first + words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
}

const ROUTE_EXAMPLE_URL = '"https://example.com/"';

function operation(route: RestRoute, path: string, components: Components, exampleUrl: string): JsonObject {
  const read = route.method === 'GET';
  const json = route.bodyType === 'json';
  return {
    tags: [read ? 'reads' : 'operations'],
    summary: path === route.path ? route.title : `${route.title} (alias of ${route.path})`,
    description:
      path === route.path
        ? route.description
        : `An alias of ${route.path}, with the same fields and answers.`,
    ...(!json && { parameters: parameters(route, path) }),
    ...(json && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: components.ref(route.request, 'input'),
            example: exampleOf(route, exampleUrl),
          },
        },
      },
    }),
    ...(route.bodyType === 'bytes' && { requestBody: { required: true, content: BYTES } }),
    responses: {
      200: {
        description: 'Success.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'X-Pagespace-Version': { $ref: '#/components/headers/Version' },
          'RateLimit-Limit': { $ref: '#/components/headers/RateLimit' },
          'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
          'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
        },
        content:
          route.response === null
            ? BYTES
            : { 'application/json': { schema: components.ref(route.response, 'output') } },
      },
      ...Object.fromEntries(
        statuses()
          .filter(status => !(read && NOT_FOR_GET.has(status)))
          .map(status => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

const exampleOf = ({ example }: RestRoute, exampleUrl: string): unknown =>
  JSON.parse(JSON.stringify(example).replaceAll(ROUTE_EXAMPLE_URL, JSON.stringify(exampleUrl)));

function parameters(route: RestRoute, path: string): JsonObject[] {
  const { properties = {}, required = [] } = jsonSchema(route.request, 'input').schema;
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as Schema;
    const inPath = path.includes(`{${name}}`);
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || required.includes(name),
      description,
      schema: rest,
    };
  });
}

const statuses = (): number[] => [
  ...new Set(codes.filter(code => !NOT_FROM_OPERATIONS.has(code)).map(code => FAILURES[code].status)),
];

function failureResponses(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    statuses().map(status => {
      const rows = codes.filter(code => FAILURES[code].status === status && !NOT_FROM_OPERATIONS.has(code));
      const description = rows
        .map(code => `**${code}** ${FAILURES[code].title}. ${FAILURES[code].description}`)
        .join('\n\n');
      return [status, { description, content: { 'application/problem+json': { schema } } }];
    }),
  );
}

/** The components whose fields `fields` selects and `lean` leaves out, so that a response can have any of them. */
const SELECTABLE_COMPONENTS = [
  'Observation',
  'PageMetadata',
  'ScrapedData',
  'Space',
  'SpaceDiff',
  'Action',
  'ActionParam',
];

/** Returns the components with every field of an observation optional, with a session of its own: other responses have the whole session. */
function withSelectableFields(components: Components['schemas']): Components['schemas'] {
  const schemas: Record<string, Schema> = { ...(components as Record<string, Schema>) };
  const optional = (name: string): Schema => {
    const { required: _required, ...schema } = schemas[name] ?? {};
    return schema;
  };
  const session = { ...optional('Session'), description: 'The selected fields of a Session.' };
  for (const name of SELECTABLE_COMPONENTS) schemas[name] = optional(name);
  const observation = schemas.Observation ?? {};
  const properties = { ...observation.properties, session: { $ref: '#/components/schemas/ObservedSession' } };
  return { ...schemas, ObservedSession: session, Observation: { ...observation, properties } };
}

/** Collects the schemas for `components.schemas` of the OpenAPI document, each once. */
class Components {
  readonly schemas: Record<string, unknown> = {};

  /** Adds a schema, and those that it uses, to `schemas`. Returns a `$ref` to it. The schema must have an id (`.meta({ id })`). */
  ref(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { schema: root, defs } = jsonSchema(schema, io);
    Object.assign(this.schemas, defs);
    return { $ref: root.$ref };
  }
}

function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
): { schema: Schema; defs: Record<string, Schema> } {
  const made = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: one }) => {
      // Keep only the format; zod's pattern for it has 300 characters.
      if (one.format === 'date-time') delete one.pattern;
      // Remove zod's limits of every integer, which are JavaScript's safe integers.
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum;
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
      // New versions may add fields to responses; requests with unknown fields are refused.
      if (io === 'output') delete one.additionalProperties;
    },
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs: defs = {}, $schema: _dialect, ...root } = JSON.parse(text) as Schema;
  return { schema: root, defs: defs as Record<string, Schema> };
}

const serviceOperation = (
  summary: string,
  type: string,
  schema: JsonObject,
  more: JsonObject = {},
  parameters: readonly JsonObject[] = [],
): JsonObject => ({
  get: {
    operationId: summary.replace('Read ', 'get').replace(/(?<=get)\w/, letter => letter.toUpperCase()),
    tags: ['service'],
    summary,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    responses: { 200: { description: 'Success.', content: { [type]: { schema } } }, ...more },
  },
});

const text = { type: 'string' };

const SERVICE_PATHS: JsonObject = {
  '/health': serviceOperation(
    'Read health',
    'application/json',
    {
      type: 'object',
      required: ['status', 'active_sessions', 'version'],
      properties: { status: { const: 'ok' }, active_sessions: { type: 'integer' }, version: text },
    },
    { 503: { description: 'The service is shutting down.' } },
  ),
  '/ready': serviceOperation(
    'Read readiness',
    'application/json',
    { type: 'object', required: ['status', 'version'], properties: { status: text, version: text } },
    { 503: { description: 'No session can be started now.' } },
    [
      {
        name: 'capacity',
        in: 'query',
        description: '`ignore`: a service whose sessions are all in use is ready too.',
        schema: { enum: ['ignore'] },
      },
    ],
  ),
  '/metrics': serviceOperation('Read metrics', 'text/plain', text, {
    401: { $ref: '#/components/responses/401' },
    403: { $ref: '#/components/responses/403' },
  }),
};

const DESCRIPTION = `Start a session, observe a page by its URL, perform actions by their ids, close the session.

Each path is also available under \`/v1\`. Every request except those tagged *service* needs \`Authorization: Bearer <API_KEY>\`.
\`null\` means the same as leaving a field out. Unknown fields are refused. If the page itself answers 404, the response is still 200, with \`metadata.http_status\` 404.

Failures are [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem details; [/failures](/failures) lists all codes.
[/graphql](/graphql) has the same operations, and also live status and richer queries.`;
