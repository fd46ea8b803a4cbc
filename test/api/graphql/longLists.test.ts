import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { overEvents, overSocket } from '../../support/subscribe.ts';

/** Lists that are completed in several turns, over each way to the schema. */

const LINKS = 1_500;
let product: TestProduct;
let pages: ServedPages;
let sessionId: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake', capacity: 20 });
  const links = Array.from({ length: LINKS }, (_, index) => `<a href="/${index}">Link ${index}</a>`);
  pages = await servePages({ '/': `<title>Long</title>${links.join('\n')}` });
  for (let index = 0; index < 12; index += 1)
    ({ session_id: sessionId } = (await post('/session/start', {})).body);
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const post = (path: string, body: object) => callApi(product.url, 'POST', path, { key: product.key, body });
const expected = Array.from({ length: LINKS }, (_, index) => `L${index + 1}`);
const ids = (actions: readonly { readonly id: string }[]): string[] => actions.map(({ id }) => id);

test('POST /env/observe returns a long list of actions, and its difference', async () => {
  const request = { session_id: sessionId, url: pages.url, max_nb_actions: 10_000 };
  const { body } = await post('/env/observe', request);
  expect(ids(body.space.actions)).toEqual(expected);
  const { observation_id: diff_since } = (
    await post('/env/observe', { session_id: sessionId, url: 'about:blank' })
  ).body;
  const { space } = (await post('/env/observe', { ...request, diff_since })).body;
  expect(ids(space.diff.added)).toEqual(expected);
});

test('GET /sessions returns many sessions', async () => {
  const { body } = await callApi(product.url, 'GET', '/sessions', { key: product.key });
  expect(body.sessions).toHaveLength(12);
});

test('POST /graphql returns long lists inside lists', async () => {
  const query =
    '{ sessions(first: 12) { edges { node { id space { actions { id } } events { edges { node { seq } } } } } } }';
  const { body } = await callGraphql(product.url, product.key, query);
  expect(body.errors).toBeUndefined();
  const found = body.data.sessions.edges.map((edge: { node: { id: string } }) => edge.node);
  expect(found).toHaveLength(12);
  expect(ids(found.find(({ id }: { id: string }) => id === sessionId).space.actions)).toEqual(expected);
});

test.each([
  ['a WebSocket', overSocket],
  ['server-sent events', overEvents],
])('a subscription over %s has long lists', async (_name, subscribe) => {
  const query = `subscription { sessionStatusChanged(sessionId: "${sessionId}") { space { actions { id } } } }`;
  const results = subscribe(product, query);
  const { value } = await results.next();
  expect(ids(value?.data.sessionStatusChanged.space.actions)).toEqual(expected);
  await results.return();
});
