import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openapi } from '../../../src/api/rest/openapi.ts';
import { restRoutes } from '../../../src/api/rest/restRouteTable.ts';
import { FAILURES } from '../../../src/domain/failure/failures.ts';

interface Described {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly operationId: string;
        readonly security?: unknown[];
        readonly responses: Record<string, unknown>;
      }
    >
  >;
  readonly components: {
    readonly schemas: Record<
      string,
      {
        readonly properties?: Record<string, { readonly default?: unknown }>;
        readonly required?: string[];
        readonly additionalProperties?: boolean;
      }
    >;
  };
}

const description = openapi(restRoutes, {
  version: '1.2.3',
  origin: 'https://pagespace.example',
  exampleUrl: 'http://127.0.0.1:4001/',
}) as unknown as Described;

test('The OpenAPI document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...description });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('Every operation of the OpenAPI document has an id of its own', () => {
  const operations = Object.values(description.paths).flatMap(methods => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test('The operations have the names that generated clients give their functions, and an alias says so', () => {
  const ids = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [`${method} ${path}`, operationId]),
  );
  expect(Object.fromEntries(ids)).toMatchObject({
    'post /session/start': 'startSession',
    'post /env/observe': 'observe',
    'post /env/step': 'step',
    'post /step': 'stepAlias',
    'post /session/close': 'closeSession',
    'get /session/{session_id}': 'getSession',
    'get /sessions': 'listSessions',
    'post /session/{session_id}/uploads': 'uploadFile',
    'get /session/{session_id}/downloads/{download_id}': 'getDownload',
    'get /account/ledger.csv': 'getLedger',
    'get /health': 'getHealth',
  });
  for (const [, id] of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  expect(description.paths['/step']?.post).toMatchObject({
    summary: 'Perform an action (alias of /env/step)',
    description: expect.stringMatching(/^An alias of \/env\/step/),
  });
});

test('The OpenAPI document names the public address, describes its tags, and opens the given page in its examples', () => {
  const whole = openapi(restRoutes, {
    version: '1',
    origin: 'https://a.example',
    exampleUrl: 'http://b.example/',
  });
  expect(whole.servers).toEqual([{ url: 'https://a.example', description: 'This service.' }]);
  for (const tag of whole.tags as { description?: string }[]) expect(tag.description).toMatch(/\.$/);
  expect(JSON.stringify(whole)).toContain('"url":"http://b.example/"');
});

test('Every reference of the OpenAPI document resolves', () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    match => match[1] ?? '',
  );
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    const found = reference
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], description);
    expect(found, reference).toBeDefined();
  }
});

test('The OpenAPI document has every route and alias', () => {
  for (const { method, path, aliases } of restRoutes)
    for (const one of [path, ...aliases]) expect(description.paths[one]).toHaveProperty(method.toLowerCase());
});

test('The OpenAPI document has a valid example for every POST', () => {
  for (const { method, request, example } of restRoutes)
    if (method === 'POST') expect(request.safeParse(example).error).toBeUndefined();
});

test('The OpenAPI document lists every failure status of an operation', () => {
  const responses = Object.keys(description.paths['/env/step']?.post?.responses ?? {}).map(Number);
  for (const [code, { status }] of Object.entries(FAILURES))
    if (code !== 'NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED') expect(responses).toContain(status);
});

test('The OpenAPI document has the default values of the specification', () => {
  const scrape = description.components.schemas.ScrapeRequest;
  const defaults = Object.entries(scrape?.properties ?? {}).map(([name, field]) => [name, field.default]);
  expect(Object.fromEntries(defaults)).toMatchObject({
    keep_alive: false,
    max_nb_actions: 100,
    only_main_content: true,
    scrape_images: false,
    session_timeout_minutes: 5,
  });
  expect(scrape?.additionalProperties).toBe(false);
});

test('The OpenAPI document requires a key for all paths except the probes and /metrics', () => {
  const open = Object.entries(description.paths)
    .filter(([, methods]) => Object.values(methods).some(operation => operation.security?.length === 0))
    .map(([path]) => path);
  expect(open.sort()).toEqual(['/health', '/metrics', '/ready']);
});

test('The OpenAPI document requires no field that `fields` or `lean` can leave out', () => {
  const { schemas } = description.components;
  for (const name of ['Observation', 'ObservedSession', 'PageMetadata', 'ScrapedData', 'Space', 'Action'])
    expect.soft(schemas[name], name).toMatchObject({ properties: expect.anything() });
  for (const name of ['Observation', 'ObservedSession', 'PageMetadata', 'ScrapedData', 'Space', 'Action'])
    expect.soft(schemas[name]?.required, name).toBeUndefined();
  expect(schemas.Session?.required).toContain('session_id');
  expect(schemas.Observation?.properties?.session).toEqual({ $ref: '#/components/schemas/ObservedSession' });
});
