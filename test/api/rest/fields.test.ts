import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapi } from '../../../src/api/rest/openapi.ts';
import { pageRequest } from '../../../src/api/rest/operationRoutes.ts';
import { restRoutes } from '../../../src/api/rest/restRouteTable.ts';
import { callApi } from '../../support/callApi.ts';
import type { RestObservation } from '../../support/restBodies.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

let site: TestSite;
let product: TestProduct;
let sessionId: string;
let whole: RestObservation;
beforeAll(async () => {
  site = await startTestSite();
  product = await startTestProduct({ browser: 'fake' });
  sessionId = (await post('/session/start', {})).body.session_id;
  whole = (await post('/env/observe', { session_id: sessionId, url: `${site.url}/forms` })).body;
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site.close();
});

const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });
const observe = (more: object) => post('/env/observe', { session_id: sessionId, ...more });

describe('fields', () => {
  test.each([
    [['observation_id'], { observation_id: expect.any(String) }],
    [['markdown'], { space: { markdown: expect.any(String) } }],
    [['space.markdown'], { space: { markdown: expect.any(String) } }],
    [
      ['session.status', 'total_actions'],
      { session: { status: 'active' }, space: { total_actions: expect.any(Number) } },
    ],
    [
      ['metadata.title', 'metadata.page_title'],
      { metadata: { title: expect.any(String), page_title: expect.any(String) } },
    ],
    [['dialog'], { space: { dialog: null } }],
    [['data'], { data: null }],
    [['diff.added'], { space: { diff: { added: [] } } }],
    [['screenshot'], { screenshot: expect.any(String) }],
  ])('%j returns these fields and no others', async (fields, expected) => {
    expect((await observe({ fields })).body).toEqual(expected);
  });

  test('every field of the response can be requested alone, and has the value of the whole response', async () => {
    // Times and ids differ between two observations.
    const changing = /observation_id|accessed|duration|expires|timestamp/;
    const names = Object.entries(whole).flatMap(([name, value]) =>
      value !== null && typeof value === 'object'
        ? Object.keys(value).map(inner => `${name}.${inner}`)
        : [name],
    );
    for (const name of names.filter(one => !changing.test(one) && one !== 'screenshot')) {
      const [first = '', second] = name.split('.');
      const { body } = await observe({ fields: [name], lean: false });
      expect(Object.keys(body), name).toEqual([first]);
      const expected = whole[first as keyof RestObservation];
      if (second === undefined) expect(body[first], name).toEqual(expected);
      else expect(body[first], name).toEqual({ [second]: (expected as Record<string, unknown>)[second] });
    }
  });

  test('a path into a list selects the fields of its items', async () => {
    const { body } = await observe({ fields: ['actions.id', 'space.actions.bounds'] });
    expect(Object.keys(body.space)).toEqual(['actions']);
    for (const action of body.space.actions) expect(Object.keys(action)).toEqual(['id', 'bounds']);
  });

  test('screenshot: true adds the screenshot to the fields', async () => {
    const { body } = await observe({ fields: ['markdown'], screenshot: true });
    expect(Object.keys(body)).toEqual(['screenshot', 'screenshot_is_cut', 'space']);
  });

  const observedNow = async (): Promise<string> =>
    (await observe({ fields: ['observation_id'] })).body.observation_id;

  test('with diff_only, markdown is that of the difference', async () => {
    const { body } = await observe({
      fields: ['markdown', 'actions'],
      diff_since: await observedNow(),
      diff_only: true,
    });
    expect(body).toEqual({ space: { markdown: 'Nothing has changed.', actions: [] } });
  });

  test('diff without diff_since is the difference to the last observation', async () => {
    await observe({});
    const { body } = await observe({ fields: ['diff'] });
    expect(body.space.diff).toMatchObject({ added: [], removed: [], changed: [] });
  });

  test.each([[['text_blocks']], [['space.text_blocks.text']]])(
    '%j asks for the text between the actions',
    async fields => {
      expect(pageRequest<{ actions?: { text?: boolean } }>({}, { fields }).actions).toEqual({ text: true });
    },
  );

  test('diff contains the difference', async () => {
    const { body } = await observe({ fields: ['diff'], diff_since: await observedNow() });
    expect(body.space.diff).toMatchObject({ added: [], removed: [], changed: [] });
  });

  test('POST /env/scrape takes the parts of data', async () => {
    const scrape = (fields: string[]) => post('/env/scrape', { session_id: sessionId, fields });
    expect((await scrape(['data.markdown'])).body).toEqual({ data: { markdown: expect.any(String) } });
    expect(Object.keys((await scrape(['links', 'actions.id'])).body)).toEqual(['data', 'space']);
    expect((await scrape(['markdown'])).body.errors).toEqual([
      { path: 'fields.0', message: 'is ambiguous: write space.markdown or data.markdown' },
    ]);
  });

  test.each([['nothing'], ['space.nothing'], ['actions.id.length'], ['__proto__'], ['']])(
    'refuses the name %j and says which there are',
    async name => {
      const { status, body } = await observe({ fields: ['markdown', name] });
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        {
          path: 'fields.1',
          message: expect.stringContaining(
            `is "${name}", not a field of the response. Use observation_id, session`,
          ),
        },
      ]);
    },
  );

  test('the space of a failure has the same fields', async () => {
    const { body } = await post('/step', { session_id: sessionId, action_id: 'L1', fields: ['diff'] });
    expect(body.space).toBeDefined();
    const again = await post('/step', { session_id: sessionId, action_id: 'I1', fields: ['diff'] });
    expect(again.body.code).toBe('ACTION_STALE');
    expect(again.body.space).toEqual({ markdown: expect.any(String) });
  });
});

describe('lean', () => {
  const EMPTY = [null, '', [], 'valid'] as unknown[];

  test('leaves out of each action what is null, empty or part of the description', async () => {
    const { body } = await observe({ url: `${site.url}/forms`, lean: true });
    expect(Object.keys(body)).toEqual(Object.keys(whole));
    const actions = [...body.space.actions, ...body.space.special_actions];
    expect(actions.length).toBeGreaterThan(10);
    for (const action of actions) {
      expect(action).toMatchObject({ id: expect.any(String), description: expect.any(String) });
      expect(action).not.toHaveProperty('bounds');
      expect('category' in action).toBe(!action.id.startsWith('S'));
      for (const value of Object.values(action)) expect(EMPTY).not.toContainEqual(value);
      for (const param of action.params ?? [])
        for (const value of Object.values(param)) expect(EMPTY).not.toContainEqual(value);
    }
  });

  test('is the default of actions with fields, and makes a response at least three times smaller', async () => {
    const { body, text } = await observe({ fields: ['actions'] });
    const { body: full, text: fullText } = await observe({ fields: ['actions'], lean: false });
    expect(body.space.actions.map((one: { id: string }) => one.id)).toEqual(
      full.space.actions.map((one: { id: string }) => one.id),
    );
    expect(fullText.length).toBeGreaterThan(3 * text.length);
  });
});

test('no list in any response can be null', () => {
  const nullable: string[] = [];
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { anyOf = [] } = schema as { anyOf?: { type?: string }[] };
    if (['array', 'null'].every(type => anyOf.some(one => one.type === type))) nullable.push(path);
    for (const [name, inner] of Object.entries(schema)) visit(inner, `${path}.${name}`);
  };
  const { components } = openapi(restRoutes, {
    version: '1',
    origin: 'http://127.0.0.1:4000',
    exampleUrl: 'http://127.0.0.1:4001/',
  }) as { components: { schemas: Record<string, unknown> } };
  for (const [name, schema] of Object.entries(components.schemas))
    if (!/(?:Request|Query)$/.test(name)) visit(schema, name);
  expect(nullable).toEqual([]);
});

test('params[].values is a list, in REST and in GraphQL', async () => {
  const { actions, special_actions } = whole.space ?? { actions: [], special_actions: [] };
  const params = [...actions, ...special_actions].flatMap(action => action.params);
  expect(params.length).toBeGreaterThan(3);
  for (const { values } of params) expect(values).toBeInstanceOf(Array);
});
