import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, callApi, callGraphql } from '../../support/callApi.ts';
import { parseObservation } from '../../support/restBodies.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

const SHOP = `<!doctype html><title>Shop</title><main><h1>Tea</h1><p class="price">€ 1.299,50</p>
<p>${'A long tale of tea. '.repeat(200)}</p><img src="/tea.png" alt="Tea" width="300" height="300">
<div style="height:3000px"></div></main>`;

/** A grey image of 3 × 2 pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAC0lEQVR42mNggAAAAAgAAST8BHIAAAAASUVORK5CYII=';

const LINKS = 600;

let site: ServedPages;
let product: TestProduct;
/** Number of requests for /counted. */
let visits = 0;
/** The session of the tests that need none of their own. */
let session_id: string;
/** The response of /paper.pdf. */
let pdf: Uint8Array = new Uint8Array();

beforeAll(async () => {
  site = await servePages({
    '/shop': SHOP,
    '/counted': (_, response) => {
      visits++;
      response.end('<!doctype html><title>Counted</title>');
    },
    '/links': `<!doctype html><title>Links</title><main>${Array.from({ length: LINKS }, (_, n) => `<a href="/to/${n}">link number ${n}</a> `).join('')}</main>`,
    '/then':
      '<!doctype html><title>Then</title><script type="application/ld+json">{"@type":"Event","then":{"a":1}}</script><p>Then</p>',
    '/wide': '<!doctype html><title>Wide</title><div style="width:17000px">Wide</div>',
    '/paper': '<!doctype html><title>The paper</title><h1>Findings</h1><p>Water is wet.</p>',
    '/data': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' });
      response.end(Buffer.from('{"name":"Zoë"}', 'latin1'));
    },
    '/paper.pdf': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);
    },
    '/picture.png': (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(Buffer.from(PICTURE, 'base64'));
    },
    '/drawing.svg': (_, response) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end('<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 30 20"></svg>');
    },
    '/table': (_, response) => {
      const disposition = 'attachment; filename="table.csv"';
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': disposition });
      response.end('a,b\n1,2\n');
    },
  });
  product = await startTestProduct();
  session_id = (await post('/session/start', {})).body.session_id;
  const { body } = await post('/env/scrape', { session_id, url: `${site.url}/paper`, formats: ['pdf'] });
  pdf = Buffer.from(body.data.pdf, 'base64');
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });
async function scraped(path: string, more: object = {}) {
  const { status, body } = await post('/env/scrape', { session_id, url: site.url + path, ...more });
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
  const observation = parseObservation(body);
  if (observation.data === null) throw new Error('No data was scraped.');
  return { ...observation, data: observation.data };
}

describe('POST /env/scrape with extract', () => {
  const price = { price: { type: 'number', selector: '.price' } };

  test('returns the values in data.extracted', async () => {
    const { data } = await scraped('/shop', { extract: price });
    expect([data.extracted, data.extract_errors]).toEqual([{ price: 1299.5 }, []]);
  });

  test('lists missing required values in data.extract_errors', async () => {
    const extract = {
      type: 'object',
      required: ['sku'],
      properties: { sku: { type: 'string', selector: '.sku' } },
    };
    const { data } = await scraped('/shop', { extract });
    expect(data.extracted).toEqual({ sku: null });
    expect(data.extract_errors?.map(error => error.path)).toEqual(['sku']);
  });

  test('answers 422 with the path in an invalid schema', async () => {
    const { status, body } = await post('/env/scrape', {
      url: `${site.url}/shop`,
      extract: { price: { type: 'money' } },
    });
    expect([status, body.errors[0].path]).toEqual([422, 'extract.properties.price.type']);
  });

  test('scrape over GraphQL answers VALIDATION_ERROR with the path in an invalid schema', async () => {
    const query = 'mutation ($input: ScrapeInput!) { scrape(input: $input) { data { extracted } } }';
    const content = { extract: { price: { type: 'money' } } };
    const input = { url: `${site.url}/shop`, content };
    const { body } = await callGraphql(product.url, product.key, query, { input });
    expect(body.errors[0].extensions.errors[0].path).toBe('input.content.extract.properties.price.type');
  });

  test('answers 422 for an invalid schema before it opens the page or creates a session', async () => {
    const extract = { price: { type: 'money' } };
    const { status, body } = await post('/env/scrape', { url: `${site.url}/counted`, extract });
    expect([status, visits, body.session]).toEqual([422, 0, undefined]);
  });

  test('works over GraphQL, as a variable and as a literal', async () => {
    const query = `mutation ($url: String, $extract: JSON) {
      scrape(input: { url: $url, content: { extract: $extract } }) { data { extracted extractErrors { path } } }
    }`;
    const byVariable = await callGraphql(product.url, product.key, query, {
      url: `${site.url}/shop`,
      extract: price,
    });
    expect(byVariable.body.data.scrape.data).toEqual({ extracted: { price: 1299.5 }, extractErrors: [] });
    const literal = `mutation { scrape(input: { url: "${site.url}/shop",
      content: { extract: { name: { type: "string", selector: "h1" } } } }) { data { extracted } } }`;
    const written = await callGraphql(product.url, product.key, literal);
    expect(written.body.data.scrape.data.extracted).toEqual({ name: 'Tea' });
  });
});

describe('POST /env/scrape with formats', () => {
  test('returns only these parts', async () => {
    const { data } = await scraped('/shop', { formats: ['markdown', 'images'] });
    expect(data.markdown).toContain('Tea');
    expect(data.images).toHaveLength(1);
    expect([data.main_content, data.text, data.metadata, data.pdf]).toEqual(Array(4).fill(null));
    // A list is never null, because clients iterate over it.
    for (const list of ['links', 'structured']) expect(data).not.toHaveProperty(list);
  });

  test('returns all parts except pdf and images by default', async () => {
    const { data } = await scraped('/shop');
    expect([data.images, data.pdf]).toEqual([undefined, null]);
    expect(data.main_content).toContain('Tea');
    expect(data.content_type).toBe('text/html');
  });

  test('returns the page as a PDF', () => {
    expect(Buffer.from(pdf).toString('latin1', 0, 5)).toBe('%PDF-');
  });
});

describe('screenshot', () => {
  const sizeOf = (png: string): number => Buffer.from(png, 'base64').readUInt32BE(20);

  test('is a PNG of the viewport by default', async () => {
    const { screenshot } = await scraped('/shop', { screenshot: true });
    expect(sizeOf(screenshot ?? '')).toBeLessThan(2_000);
  });

  test('is of the whole page with full_page', async () => {
    const options = { full_page: true };
    const { screenshot } = await scraped('/shop', { screenshot: true, screenshot_options: options });
    expect(sizeOf(screenshot ?? '')).toBeGreaterThan(3_000);
  });

  test('is a JPEG with format jpeg', async () => {
    const options = { format: 'jpeg', quality: 50 };
    const { screenshot } = await scraped('/shop', { screenshot: true, screenshot_options: options });
    expect(screenshot).toMatch(/^\/9j\//);
  });

  test.each([
    ['/wide', true],
    ['/paper', false],
  ])('says whether the page is larger than the largest picture: %s', async (path, isCut) => {
    const { screenshot_is_cut } = await scraped(path, {
      screenshot: true,
      screenshot_options: { full_page: true, format: 'jpeg', quality: 1 },
      formats: ['text'],
    });
    expect(screenshot_is_cut).toBe(isCut);
  });

  test('is not taken because of screenshot_options alone', async () => {
    const { screenshot } = await scraped('/shop', { screenshot_options: { full_page: true } });
    expect(screenshot).toBeNull();
  });
});

test('POST /env/scrape returns long content in chunks that join to the whole', async () => {
  await post('/env/observe', { session_id, url: `${site.url}/shop` });
  const whole = (await post('/env/scrape', { session_id })).body.data;
  expect([whole.truncated, whole.cursor]).toEqual([false, null]);
  const texts: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const { body }: ApiResponse = await post('/env/scrape', { session_id, max_characters: 1_000, cursor });
    const { data } = body;
    expect(data.text.length).toBeLessThanOrEqual(1_000);
    texts.push(data.text);
    if (!data.truncated) break;
    cursor = data.cursor;
  }
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.join('')).toBe(whole.text);
});

test('POST /env/scrape returns a very long list of links in chunks, each link once', async () => {
  await scraped('/links', { formats: ['text'] });
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const more = { session_id, formats: ['links'], max_characters: 20_000, cursor };
    const { body, text }: ApiResponse = await post('/env/scrape', { ...more, max_nb_actions: 1 });
    expect(text.length).toBeLessThan(40_000);
    seen.push(...body.data.links.map((link: { url: string }) => link.url));
    expect(body.data.truncated).toBe(body.data.cursor !== null);
    cursor = body.data.cursor;
    if (cursor === null) break;
  }
  expect([seen.length, new Set(seen).size]).toEqual([LINKS, LINKS]);
});

describe('POST /env/scrape of a resource that is not HTML returns', () => {
  test('JSON, decoded by its charset', async () => {
    const { data } = await scraped('/data');
    expect(data).toMatchObject({ text: '{"name":"Zoë"}', structured: [{ name: 'Zoë' }] });
    expect(data.content_type).toBe('application/json');
  });

  test('the text of a PDF', async () => {
    const { data, metadata, space } = await scraped('/paper.pdf');
    expect(data.text).toContain('Water is wet.');
    expect(data.content_type).toBe('application/pdf');
    expect(metadata).toMatchObject({ url: `${site.url}/paper.pdf`, title: 'paper.pdf', http_status: 200 });
    expect(space).toBeNull();
  });

  test.each([
    ['/picture.png', 3, 2],
    ['/drawing.svg', 30, 20],
  ])('an image with its natural size: %s', async (path, width, height) => {
    const { data } = await scraped(path, { formats: ['images'] });
    expect(data.images).toEqual([
      { id: 'IMG1', url: site.url + path, alt: null, category: 'content_image', width, height },
    ]);
  });

  test('a download, which is also a file of the session', async () => {
    const own = (await post('/session/start', {})).body.session_id;
    const { data } = await scraped('/table', { session_id: own });
    expect(data.text).toBe('a,b\n1,2\n');
    const { body } = await callApi(product.url, 'GET', `/session/${own}/downloads`, {
      key: product.key,
    });
    expect(body.downloads.map((file: { name: string }) => file.name)).toEqual(['table.csv']);
    const again = await post('/env/scrape', { session_id: own });
    expect(again.body.data.text).toBe('a,b\n1,2\n');
  });

  test('an HTML page again when the next URL is one', async () => {
    await scraped('/paper.pdf');
    const { data } = await scraped('/shop');
    expect(data.content_type).toBe('text/html');
    expect(data.markdown).toContain('Tea');
  });
});

test('POST /env/scrape returns data of a page whose fields are called then', async () => {
  const { status, body } = await callApi(product.url, 'POST', '/env/scrape', {
    key: product.key,
    body: {
      session_id,
      url: `${site.url}/then`,
      formats: ['structured'],
      extract: JSON.parse('{"then": {"selector": "p"}}'),
    },
  });
  expect(status).toBe(200);
  expect(JSON.stringify(body.data.structured)).toContain('"then":{"a":1}');
  expect(JSON.stringify(body.data.extracted)).toBe('{"then":"Then"}');
});
