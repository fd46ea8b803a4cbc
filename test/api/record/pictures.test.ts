/** Pictures in the record: one of each operation, and those of a video, by signed addresses; secrets are painted over. */
import { readFile } from 'node:fs/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { overSocket } from '../../support/subscribe.ts';

let product: TestProduct;
let pages: ServedPages;
const clock = manualClock();
/** Resolved when the server may answer /answer. */
const answer = Promise.withResolvers<void>();
beforeAll(async () => {
  pages = await servePages({
    '/': '<title>One</title><body style="margin:0;background:#fff"><a href="/two">Two</a>',
    '/two': '<title>Two</title><body style="background:#00f">',
    '/order': `<title>Order</title><button onclick="console.error('refused'); document.querySelector('p').textContent = 'The card was refused.'">Pay</button>
      <p role="alert"></p><div role="alert"></div><script>fetch('/answer').then(() => {
        document.querySelector('div').textContent = 'The shop is closed.'; console.log('closed') })</script>`,
    '/files': '<title>Files</title><a href="/report.csv" download>Report</a>',
    '/report.csv': 'a,b',
    '/wide': `<title>Wide</title><body style="margin:0;background:#fff;width:980px;height:1500px">
      <label>CVC <input type="password" maxlength="3" style="position:absolute;left:300px;top:700px;width:200px;height:40px;border:0;background:#fff;color:#f00;font:40px/40px monospace"></label>`,
    '/answer': (_request, response) => void answer.promise.then(() => response.end()),
    '/login': `<title>Log in</title><body style="margin:0;background:#fff">
      <label>Password <input type="password" style="position:absolute;left:100px;top:100px;width:200px;height:40px;border:0;background:#fff;color:#f00;font:40px/40px monospace"></label>
      <button onclick="document.querySelector('input').type='text'">Show</button>`,
  });
  product = await startTestProduct({ clock });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const rest = async (path: string, body: object) =>
  (await callApi(product.url, 'POST', path, { key: product.key, body })).body;
const graphql = async (query: string, variables: object = {}) =>
  (await callGraphql(product.url, product.key, query, variables)).body;

async function pictureUrls(id: string): Promise<string[]> {
  const query = `query ($id: ID!) { session(id: $id) { events(first: 50) { edges { node { type performed { picture { url } } } } } } }`;
  const { data } = await graphql(query, { id });
  return data.session.events.edges.flatMap(
    ({ node }: { node: { performed: { picture: { url: string } | null } | null } }) =>
      node.performed?.picture == null ? [] : [node.performed.picture.url],
  );
}
const load = async (url: string) => {
  const response = await fetch(product.url + url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: Buffer.from(await response.arrayBuffer()),
  };
};
/** The colours of the pixels of a part of a picture: red, green, blue of each. */
async function pixels(image: Buffer, x: number, y: number, width = 1, height = 1): Promise<number[][]> {
  const source = await loadImage(image);
  const context = createCanvas(source.width, source.height).getContext('2d');
  context.drawImage(source, 0, 0);
  const { data } = context.getImageData(x, y, width, height);
  return Array.from({ length: width * height }, (_, i) => [...data.subarray(i * 4, i * 4 + 3)]);
}

interface BinaryFrame {
  readonly header: { readonly tab_id: string | null; readonly width: number; readonly height: number };
  readonly image: Buffer;
}
/** Opens a socket of binary pictures; resolves with the first picture, or with the code and the reason with which it was closed. */
async function firstFrame(path: string, init: object | null = null): Promise<BinaryFrame | string> {
  const headers = init === null ? { authorization: `Bearer ${product.key}` } : {};
  const socket = new WebSocket(product.url.replace('http', 'ws') + path, { headers });
  const { promise, resolve, reject } = Promise.withResolvers<BinaryFrame | string>();
  if (init !== null) socket.once('open', () => socket.send(JSON.stringify(init)));
  socket.once('error', reject);
  socket.once('close', (code, reason) => resolve(`${code} ${reason}`));
  socket.once('message', (data: Buffer) => {
    const length = data.readUInt32BE(0);
    resolve({ header: JSON.parse(data.toString('utf8', 4, 4 + length)), image: data.subarray(4 + length) });
  });
  const first = await promise;
  socket.close();
  return first;
}

describe('a session with `record: steps`', () => {
  it('has a picture of each operation, which a browser loads by its address alone, also after the end', async () => {
    const { session_id } = await rest('/session/start', { record: 'steps' });
    const { space } = await rest('/env/observe', { session_id, url: `${pages.url}/` });
    const link = space.actions[0].id;
    await rest('/env/step', { session_id, action_id: link });
    await rest('/session/close', { session_id });
    const urls = await pictureUrls(session_id);
    expect(urls).toHaveLength(2);
    const images = await Promise.all(urls.map(load));
    expect(images.map(({ status, type }) => [status, type])).toEqual([
      [200, 'image/jpeg'],
      [200, 'image/jpeg'],
    ]);
    expect(await pixels(images[0]?.body ?? Buffer.alloc(0), 600, 400)).toEqual([[255, 255, 255]]);
    const [[red = 255, , blue = 0] = []] = await pixels(images[1]?.body ?? Buffer.alloc(0), 600, 400);
    expect(red).toBeLessThan(20);
    expect(blue).toBeGreaterThan(235);
  });

  it('shows no secret: its box is painted over, in the record, in screenshots of the window and of the page, and live', async () => {
    const { session_id } = await rest('/session/start', { record: 'steps' });
    let { space } = await rest('/env/observe', { session_id, url: `${pages.url}/login` });
    const idOf = (name: string) => space.actions.find((action: { name: string }) => action.name === name).id;
    // The beginning of each PNG in Base64: a picture is not masked as a text.
    const value = 'iVBORw0KGgo';
    ({ space } = await rest('/env/step', { session_id, action_id: idOf('Password'), value }));
    const shown = await rest('/env/step', { session_id, action_id: idOf('Show'), screenshot: true });
    const whole = { session_id, screenshot: true, screenshot_options: { full_page: true } };
    const { screenshot } = await rest('/env/observe', whole);
    const [, , recorded = ''] = await pictureUrls(session_id);
    const live = await firstFrame(`/session/${session_id}/frames?max_width=1280`);
    const images: Buffer[] = [shown.screenshot, screenshot].map(image => Buffer.from(image, 'base64'));
    if (typeof live !== 'string') images.push(live.image);
    expect(images).toHaveLength(3);
    for (const image of [...images, (await load(recorded)).body]) {
      const isGrey = (await pixels(image, 105, 105, 190, 30))
        .flat()
        .every(value => Math.abs(value - 128) < 12);
      expect(isGrey).toBe(true);
    }
    await rest('/session/close', { session_id });
  });
});

it('paints over a secret of three characters on a device, in its window and on its whole page', async () => {
  const options = { device: 'iPhone 15' };
  const { session_id } = await rest('/session/start', options);
  const { space } = await rest('/env/observe', { session_id, url: `${pages.url}/wide` });
  const step = { session_id, action_id: space.actions[0].id, value: '123', screenshot: true };
  const whole = await rest('/env/step', { ...step, screenshot_options: { full_page: true } });
  const isGrey = async (image: Buffer, box: readonly [number, number, number, number]) => {
    const found = await pixels(image, ...box);
    return found.flat().every(value => Math.abs(value - 128) < 12);
  };
  // Three pixels for each CSS pixel.
  expect(await isGrey(Buffer.from(whole.screenshot, 'base64'), [905, 2105, 590, 110])).toBe(true);
  const live = await firstFrame(`/session/${session_id}/frames?max_width=320`);
  if (typeof live === 'string') throw new Error(live);
  const { width, height } = await loadImage(live.image);
  const all = await pixels(live.image, 0, 0, width, height);
  const grey = all.flatMap((colour, at) =>
    colour.every(value => Math.abs(value - 128) < 4) ? [at % width] : [],
  );
  // The window shows all 980 CSS pixels of the width.
  expect(Math.min(...grey) / width).toBeCloseTo(300 / 980, 1);
  expect(Math.max(...grey) / width).toBeCloseTo(500 / 980, 1);
  expect(all.some(([red = 0, green = 0]) => red > green + 60)).toBe(false);
  await rest('/session/close', { session_id });
});

const CONSOLE = `query ($id: ID!) { session(id: $id) { console(first: 10) { edges { node { text } } } } }`;

it('a step that failed has its picture, its messages and its console line in the event, and the next list tells what its failure did not', async () => {
  const { session_id } = await rest('/session/start', { record: 'steps' });
  const { space } = await rest('/env/observe', { session_id, url: `${pages.url}/order`, wait_ms: 0 });
  const [{ id: action_id }] = space.actions;
  const step = { session_id, action_id, wait_for: 'text "Thank you"', wait_ms: 1 };
  expect((await rest('/env/step', step)).code).toBe('WAIT_TIMEOUT');
  const query = `query ($id: ID!) { session(id: $id) { events(last: 1) { edges { node { type performed {
    observationId console messages { text } picture { url } observation { space { messages { text } } } } } } } } }`;
  const { node } = (await graphql(query, { id: session_id })).data.session.events.edges[0];
  const messages = [{ text: 'The card was refused.' }];
  expect(node).toMatchObject({
    type: 'FAILED',
    performed: {
      observationId: 'O2',
      console: expect.stringContaining('1 error'),
      messages,
      picture: { url: expect.stringMatching(/^\//) },
      observation: { space: { messages } },
    },
  });
  expect((await load(node.performed.picture.url)).status).toBe(200);

  answer.resolve();
  await expect
    .poll(async () => JSON.stringify((await graphql(CONSOLE, { id: session_id })).data))
    .toContain('closed');
  expect((await rest('/env/step', { session_id, action_id: 'B77' })).code).toBe('ACTION_NOT_FOUND');
  const untold = (await graphql(query, { id: session_id })).data.session.events.edges[0].node.performed;
  expect(untold).toMatchObject({ observationId: 'O3', messages: [{ text: 'The shop is closed.' }] });
  const next = await rest('/env/observe', { session_id });
  expect(next.observation_id).toBe('O4');
  expect(next.space.messages).toContainEqual(
    expect.objectContaining({ text: 'The shop is closed.', is_new: true }),
  );
  await rest('/session/close', { session_id });
});

describe('a session with `record: video`', () => {
  it('has frames of the page as it changed', async () => {
    const { session_id } = await rest('/session/start', { record: 'video' });
    await rest('/env/observe', { session_id, url: `${pages.url}/two` });
    const query = `query ($id: ID!) { session(id: $id) { pictures(kind: FRAME) { number at bytes url } } }`;
    await expect
      .poll(async () => (await graphql(query, { id: session_id })).data.session.pictures.length)
      .toBeGreaterThan(0);
    const [frame] = (await graphql(query, { id: session_id })).data.session.pictures;
    expect((await loadImage((await load(frame.url)).body)).width).toBe(640);
    await rest('/session/close', { session_id });
  });
});

describe('pictures of a session as they come', () => {
  const FRAMES = 'subscription ($id: ID!) { sessionFrames(sessionId: $id) { tabId width height image } }';
  it('are binary messages over a WebSocket; a viewer that comes later gets the present one at once', async () => {
    const { session_id } = await rest('/session/start', {});
    await rest('/env/observe', { session_id, url: `${pages.url}/two` });
    const path = `/session/${session_id}/frames?max_width=320`;
    const frames = await Promise.all([
      firstFrame(path),
      firstFrame(path, {
        type: 'connection_init',
        payload: { authorization: `Bearer ${product.key}` },
      }),
    ]);
    for (const frame of frames) {
      expect(frame).toMatchObject({ header: { tab_id: 'T1', width: 1280, height: 720 } });
      const { image } = frame as BinaryFrame;
      expect((await loadImage(image)).width).toBe(320);
      expect((await pixels(image, 100, 100))[0]?.[2]).toBeGreaterThan(230);
    }
    await rest('/session/close', { session_id });
    expect(await firstFrame(path)).toBe('4410 SESSION_CLOSED');
    const [ended] = await Array.fromAsync(overSocket(product, FRAMES, { id: session_id }));
    expect(ended?.errors?.[0]).toMatchObject({
      message: expect.stringContaining('its `record` was `off`, so no picture was kept'),
      extensions: { code: 'SESSION_CLOSED' },
    });
  });

  it.each([
    ['/session/0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11/frames', null, '4404 SESSION_NOT_FOUND'],
    ['/session/0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11/frames?quality=0', null, '4422 VALIDATION_ERROR'],
    ['/session/x/frames', { type: 'connection_init' }, '4401 MISSING_API_KEY'],
  ])('are refused at %s with %j: %s', async (path, init, closed) => {
    expect(await firstFrame(path, init)).toBe(closed);
  });

  it('are the last one of the record when the session has ended', async () => {
    const { session_id } = await rest('/session/start', { record: 'steps' });
    await rest('/env/observe', { session_id, url: `${pages.url}/` });
    await rest('/env/observe', { session_id, url: `${pages.url}/two` });
    await rest('/session/close', { session_id });
    const frames = await Array.fromAsync(overSocket(product, FRAMES, { id: session_id }));
    expect(frames).toMatchObject([{ data: { sessionFrames: { tabId: null, width: 1280, height: 720 } } }]);
    const image = Buffer.from(frames[0]?.data.sessionFrames.image, 'base64');
    expect((await pixels(image, 600, 400))[0]?.[2]).toBeGreaterThan(230);
    expect(await firstFrame(`/session/${session_id}/frames`)).toMatchObject({ header: { tab_id: null } });
  });
});

/** A page of another origin in a browser without a key, with the pictures and links at these addresses of the service. */
async function pageWith(html: string): Promise<Page> {
  const page = await (await sharedChromium()).newPage();
  await page.goto(`${pages.url}/two`);
  await page.setContent(html);
  return page;
}

it('the addresses of a download and of a picture work in a page without a key, also after the end; altered it is NOT_FOUND, and LINK_EXPIRED after 15 minutes', async () => {
  const { session_id } = await rest('/session/start', { record: 'steps' });
  const { space } = await rest('/env/observe', { session_id, url: `${pages.url}/files` });
  const query = `query ($id: ID!) { session(id: $id) { downloads { link } } }`;
  const links = async (): Promise<string[]> =>
    (await graphql(query, { id: session_id })).data.session.downloads.map(
      ({ link }: { link: string }) => link,
    );
  await rest('/env/step', { session_id, action_id: space.actions[0].id });
  await expect.poll(links).toHaveLength(1);
  const [[link = ''], [picture]] = await Promise.all([links(), pictureUrls(session_id)]);
  await rest('/session/close', { session_id });

  const page = await pageWith(
    `<img src="${product.url}${picture}"><a href="${product.url}${link}">Report</a>`,
  );
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('a')]);
  expect(await readFile(await download.path(), 'utf8')).toBe('a,b');
  expect(download.suggestedFilename()).toBe('report.csv');
  await expect
    .poll(() => page.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth))
    .toBe(1280);
  await page.close();

  const refusal = async (path: string) => {
    const { status, body } = await load(path);
    return [status, JSON.parse(body.toString()).code];
  };
  const [head, claims = '', signature] = link.split('.');
  const text = Buffer.from(claims, 'base64url').toString();
  const ofAnother = Buffer.from(text.replace(/"account":"[^"]*"/, '"account":"another"')).toString(
    'base64url',
  );
  expect(await refusal([head, ofAnother, signature].join('.'))).toEqual([404, 'NOT_FOUND']);
  expect(await refusal([head, claims, signature?.split('').reverse().join('')].join('.'))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  clock.advance(16 * 60_000);
  expect(await refusal(link)).toEqual([410, 'LINK_EXPIRED']);
});

describe('the address of a picture', () => {
  const signed = async () => {
    const { session_id } = await rest('/session/start', { record: 'steps' });
    await rest('/env/observe', { session_id, url: `${pages.url}/` });
    const [url = ''] = await pictureUrls(session_id);
    return { session_id, url };
  };

  it('is NOT_FOUND when a character of it differs, and is not in the log', async () => {
    const { url } = await signed();
    const changed = url.slice(0, -3) + (url.endsWith('AAA') ? 'BBB' : 'AAA');
    const { status, body } = await load(changed);
    expect([status, JSON.parse(body.toString()).code]).toEqual([404, 'NOT_FOUND']);
    expect(JSON.stringify(product.logLines)).not.toContain(url.slice(-30));
  });

  it('is RECORD_EXPIRED after the record was deleted', async () => {
    const { session_id, url } = await signed();
    await rest('/session/close', { session_id });
    const mutation = 'mutation ($id: ID!) { deleteRecord(sessionId: $id) { id } }';
    expect((await graphql(mutation, { id: session_id })).data.deleteRecord.id).toBe(session_id);
    const { status, body } = await load(url);
    expect([status, JSON.parse(body.toString()).code]).toEqual([410, 'RECORD_EXPIRED']);
  });
});
