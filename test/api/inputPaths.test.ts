import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, callGraphql } from '../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
let sessionId: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  const { body } = await callApi(product.url, 'POST', '/session/start', { key: product.key, body: {} });
  sessionId = body.session_id;
});
afterAll(() => product[Symbol.asyncDispose]());

type Errors = readonly { readonly path: string; readonly message: string }[];

const overRest = async (path: string, body: object): Promise<{ errors: Errors; text: string }> => {
  const response = await callApi(product.url, 'POST', path, { key: product.key, body });
  return { errors: response.body.errors, text: response.body.detail };
};
const overGraphql = async (field: string, input: object): Promise<{ errors: Errors; text: string }> => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const selection = field === 'scrape' ? 'data { extracted }' : '__typename';
  const query = `mutation ($input: ${type}) { ${field}(input: $input) { ${selection} } }`;
  const { body } = await callGraphql(product.url, product.key, query, { input });
  return { errors: body.errors[0].extensions.errors, text: body.errors[0].message };
};

describe.each([
  ['/relative', /lacks the host/],
  ['http:/x', /lacks "\/\/" after "http:"/],
  ['//example.com', /lacks the scheme/],
  ['https://', /lacks the host/],
])('the address %j', (url, message) => {
  test('is refused with what it lacks, over REST, over GraphQL and as the value of S1', async () => {
    const rest = await overRest('/env/observe', { session_id: sessionId, url });
    expect(rest.errors).toEqual([{ path: 'url', message: expect.stringMatching(message) }]);
    const graphql = await overGraphql('observe', { sessionId, url });
    expect(graphql.errors).toEqual([{ path: 'input.url', message: expect.stringMatching(message) }]);
    await overRest('/env/observe', { session_id: sessionId, url: 'about:blank' }).catch(() => undefined);
    const step = await overRest('/step', { session_id: sessionId, action_id: 'S1', value: url });
    expect(step.errors).toEqual([{ path: expect.any(String), message: expect.stringMatching(message) }]);
  });
});

// Each is found by another layer: GraphQL, the schema of the input, and the service.
test.each<[string, string, object, string, object, string]>([
  ['diffSince', 'observe', { diffSince: 'O99' }, '/env/observe', { diff_since: 'O99' }, 'diff_since'],
  [
    'sessionTimeoutMinutes',
    'observe',
    { sessionTimeoutMinutes: 40 },
    '/env/observe',
    { session_timeout_minutes: 40 },
    'session_timeout_minutes',
  ],
  [
    'content.extract.properties.a',
    'scrape',
    { content: { extract: { properties: { a: { type: 'nothing', selector: 'p' } } } } },
    '/env/scrape',
    { extract: { properties: { a: { type: 'nothing', selector: 'p' } } } },
    'extract.properties.a',
  ],
])(
  'an error of %s has the path of the input in GraphQL, and of the field in REST',
  async (path, field, input, route, body, restPath) => {
    const url = 'about:blank';
    const graphql = await overGraphql(field, { sessionId, url, ...input });
    expect(graphql.errors[0]?.path).toMatch(new RegExp(`^input\\.${path.replaceAll('.', '\\.')}`));
    expect(graphql.text).not.toMatch(/[a-z]_[a-z]/);
    const rest = await overRest(route, { session_id: sessionId, url, ...body });
    expect(rest.errors[0]?.path).toMatch(new RegExp(`^${restPath.replaceAll('.', '\\.')}`));
    expect(rest.text).not.toContain('input.');
  },
);

test('an error of an argument that is no input has the name of the argument', async () => {
  const query = '{ sessions(after: "x") { totalCount } }';
  const { body } = await callGraphql(product.url, product.key, query);
  expect(body.errors[0].extensions.errors[0].path).toBe('after');
});
