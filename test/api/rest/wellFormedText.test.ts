import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

/** Fills a page with `text` in every place that the service reads, with each length around the limits of these places. */
const FILL = `const put = (tag, attributes, content, parent = document.body) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (content !== null) element.textContent = content;
  parent.append(element);
  return element;
};
document.title = long(400);
for (const name of ['author', 'description', 'og:site_name', 'og:title', 'article:author', 'date'])
  put('meta', { property: name, content: long(11000) }, null, document.head);
put('script', { type: 'application/ld+json' }, JSON.stringify({ '@type': 'Article', author: long(400), description: long(1100), [long(20)]: long(20) }), document.head);
const item = put('div', { itemscope: '', itemtype: 'https://schema.org/Product' }, null);
put('span', { itemprop: 'name' }, long(11000), item); put('meta', { itemprop: 'color', content: long(11000) }, null, item);
put('h1', {}, long(50)); put('p', { id: 'value' }, long(21000));
put('a', { href: '/x?' + long(30), title: long(600) }, long(600));
put('img', { src: '/tea.png?' + long(30), alt: long(600), width: 300, height: 300 }, null);
put('button', { 'aria-label': long(700) }, 'x');
put('input', { 'aria-label': 'Field', value: long(900), placeholder: long(900) }, null);
put('textarea', { 'aria-label': 'Lines' }, long(9000));
const list = put('select', { 'aria-label': 'List' }, null); for (let n = 0; n < 3; n++) put('option', {}, long(700), list);
put('div', { role: 'alert' }, long(900));
const frozen = put('input', { 'aria-label': 'Frozen', value: long(300) }, null); frozen.onbeforeinput = event => event.preventDefault();
put('table', {}, null).innerHTML = '<tr><th>' + long(40) + '<td>' + long(400);
put('button', {}, 'Ask').onclick = () => alert(long(3000));
const file = put('a', { download: long(40) + '.txt', href: 'data:text/plain,hello' }, 'Get');`;

const pageOf = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><body><script>const unit = ${JSON.stringify(text)}; const long = length => unit.repeat(Math.ceil(length / 2)); ${FILL}</script>`;

/** Emoji whose halves stand at even places, and at odd ones; then halves without their other half. */
const PAGES = { '/even': '😀', '/odd': 'x😀', '/halves': '\uD83D \uDE00' };

let site: ServedPages;
let product: TestProduct;
beforeAll(async () => {
  site = await servePages({
    ...Object.fromEntries(Object.entries(PAGES).map(([path, text]) => [path, pageOf(text)])),
    '/lines': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('one\u2028two\u2029three\u0085four');
    },
    '/json': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"half":"\\uD83D","pair":"\\uD83D\\uDE00","\\ude00":1}');
    },
  });
  product = await startTestProduct();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** All names and texts in a value, with the path to each. */
function* textsIn(value: unknown, path = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      yield [`${path} name`, name];
      yield* textsIn(inner, `${path}.${name.slice(0, 20)}`);
    }
}

/** Checks every text of an answer. @param isWhole true if the page has only whole characters, so that none may be replaced */
function check(answer: unknown, isWhole: boolean): void {
  for (const [path, text] of textsIn(answer)) {
    expect.soft(text.isWellFormed(), path).toBe(true);
    if (isWhole) expect.soft(text.includes('\uFFFD'), path).toBe(false);
  }
}

const FORMATS = ['main_content', 'markdown', 'text', 'links', 'images', 'structured', 'metadata'];

describe.each(Object.keys(PAGES))('Every text of every answer about %s is well-formed', path => {
  const isWhole = path !== '/halves';
  const post = async (route: string, body: object) => {
    const answer = await callApi(product.url, 'POST', route, { key: product.key, body });
    check(answer.body, isWhole);
    return answer.body;
  };

  test('of observe, step, scrape in all formats, chunks, downloads and events', async () => {
    const url = site.url + path;
    const { session_id } = await post('/session/start', {});
    const seen = await post('/env/observe', { session_id, url, text: true });
    const idOf = (label: string): string =>
      seen.space.actions.find((action: { description: string }) => action.description.includes(label)).id;
    const step = (label: string, value?: string) =>
      post('/env/step', { session_id, action_id: idOf(label), ...(value !== undefined && { value }) });
    await step('"Field"', `${'y'.repeat(99)}😀`);
    expect((await step('"Frozen"', `${'z'.repeat(99)}😀`)).code).toBe('VALUE_REFUSED');
    expect((await step('"List"', `${'y'.repeat(99)}😀`)).code).toBe('VALIDATION_ERROR');
    await step('"Get"');
    const schema = {
      type: 'object',
      properties: {
        value: { type: 'string', selector: '#value' },
        count: { type: 'number', selector: 'h1' },
      },
    };
    let scraped = await post('/env/scrape', {
      session_id,
      formats: FORMATS,
      extract: schema,
      max_characters: 1_000,
    });
    expect(scraped.data.extracted.value.length).toBeGreaterThan(19_990);
    for (let chunk = 0; chunk < 3 && scraped.data.cursor !== null; chunk++)
      scraped = await post('/env/scrape', { session_id, cursor: scraped.data.cursor, max_characters: 1_001 });
    await post('/env/scrape', { session_id, formats: FORMATS, only_main_content: false });
    const files = await callApi(product.url, 'GET', `/session/${session_id}/downloads`, { key: product.key });
    check(files.body, isWhole);
    await step('"Ask"');
    const graphql = await callGraphql(
      product.url,
      product.key,
      '{ sessions(first: 1) { edges { node { pageTitle space { markdown } events(first: 100) { edges { node { __typename ... on SessionDialogEvent { message } ... on SessionDownloadEvent { fileName } } } } } } } }',
    );
    check(graphql.body, isWhole);
    expect(graphql.body.errors).toBeUndefined();
    expect(graphql.text).toContain('SessionDownloadEvent');
    await post('/session/close', { session_id });
  });
});

test('JSON that a server sends is well-formed in the answer', async () => {
  const body = { url: `${site.url}/json`, formats: ['structured', 'text'] };
  const answer = await callApi(product.url, 'POST', '/env/scrape', { key: product.key, body });
  expect(answer.body.data.structured).toEqual([{ half: '\uFFFD', pair: '😀', '\uFFFD': 1 }]);
});

test('No answer contains a line separator that is not escaped, so that every program finds the same lines', async () => {
  const { url, key } = product;
  const session = (await callApi(url, 'POST', '/session/start', { key, body: {} })).body.session_id;
  const page = `${site.url}/lines`;
  const rest = await callApi(url, 'POST', '/env/scrape', { key, body: { session_id: session, url: page } });
  expect(rest.body.data.text).toMatch(/one\u2028two/);
  const query = `mutation { scrape(input: { url: "${page}" }) { data { text } } }`;
  const graphql = await callGraphql(url, key, query);
  expect(graphql.body.data.scrape.data.text).toMatch(/one\u2028two/);
  const mcp = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'scrape', arguments: { url: page } },
    }),
  });
  const texts = [rest.text, graphql.text, await mcp.text()];
  for (const text of texts) expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
  for (const text of texts.slice(0, 2)) expect(text).toContain('one\\u2028two');
  expect(texts[2]).toContain('one\\ntwo');
});
