import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientSession, PagespaceClient } from '../../src/client/main.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { axeFindings, openDashboard } from './openDashboard.ts';

const HOME = `<title>Log</title><h1>Log</h1>
  <button onclick="console.warn('pressed <b>once</b>'); fetch('/gone?item=7')">Tell</button>
  <script>console.log('page begun'); fetch('/data.json')</script>`;

let product: TestProduct;
let pages: ServedPages;
let client: PagespaceClient;
/** A session of three events, which most tests only look at. */
let recorded: ClientSession;
beforeAll(async () => {
  pages = await servePages({
    '/': HOME,
    '/moving': `<title>Moving</title><button onclick="clearInterval(moving)">Stop</button>
      <script>let count = 0; const moving = setInterval(() => { document.body.style.background = 'hsl(' + ++count * 30 + ' 80% 50%)' }, 50)</script>`,
    '/data.json': (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    },
    '/gone': (_request, response) => {
      response.statusCode = 404;
      response.end();
    },
  });
  product = await startTestProduct({ record: 'steps' });
  client = new PagespaceClient({ url: product.url, key: product.key });
  recorded = await client.start({ name: 'Recorded' });
  const page = await recorded.observe(pages.url);
  await recorded.step(page.find('Tell'));
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

it('console and network of a session stand beside its picture, live and as they were at an event', async () => {
  await using session = await client.start();
  const page = await session.observe(pages.url);
  await using dashboard = await openDashboard(product.url, product.key);
  const tab = dashboard.page;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await tab.getByRole('tab', { name: 'Console' }).click();
  await tab.getByText('page begun').waitFor();
  await session.step(page.find('Tell'));
  // Live, and the words of the page are text.
  await tab.getByText('pressed <b>once</b>').click();
  await tab.locator('.log-detail pre', { hasText: 'pressed <b>once</b>' }).waitFor();
  expect(await axeFindings(tab)).toEqual([]);

  await tab.getByRole('tab', { name: 'Network' }).click();
  await tab.getByRole('combobox', { name: 'Kind' }).selectOption('failed');
  await tab.getByText('gone?item=7').click();
  await tab.locator('.log-detail', { hasText: '404' }).waitFor();
  expect(await axeFindings(tab)).toEqual([]);
  // The first observation is event 2: what the step wrote had not come yet.
  await dashboard.go(`/dashboard/sessions/${session.id}?event=2`);
  await tab.getByRole('tab', { name: 'Console' }).click();
  await tab.locator('.log-row.new', { hasText: 'page begun' }).waitFor();
  expect(await tab.getByText('pressed').count()).toBe(0);
  expect(dashboard.errors).toEqual([]);
});

it('a session is saved as Markdown, JSON and HAR, and copied as Markdown', async () => {
  await using dashboard = await openDashboard(product.url, product.key);
  const tab = dashboard.page;
  await dashboard.go(`/dashboard/sessions/${recorded.id}`);
  for (const [name, end] of [
    ['Markdown', 'md'],
    ['JSON', 'json'],
    ['HAR, the requests', 'har'],
  ] as const) {
    await tab.getByText('Export', { exact: true }).click();
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('button', { name: `Save the session as ${name}` }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${end}$`));
    expect(await download.failure()).toBeNull();
  }
  await tab.getByText('Export', { exact: true }).click();
  await tab.getByRole('button', { name: 'Copy the session as Markdown' }).click();
  await expect.poll(() => tab.evaluate(() => navigator.clipboard.readText())).toContain('Recorded');
  expect(dashboard.errors).toEqual([]);
});

it('a picture that cannot be decoded is said, and is no error of the dashboard', async () => {
  await using dashboard = await openDashboard(product.url, product.key);
  const tab = dashboard.page;
  const threw: string[] = [];
  tab.on('pageerror', error => threw.push(error.message));
  await tab.routeWebSocket(/graphql/, socket => {
    const server = socket.connectToServer();
    server.onMessage(message =>
      socket.send(String(message).replace(/"image":"[^"]*"/, '"image":"bm8gcGljdHVyZQ=="')),
    );
  });
  await dashboard.go(`/dashboard/sessions/${recorded.id}`);
  await tab.getByText('This picture cannot be decoded').waitFor();
  expect(threw).toEqual([]);
});

it('an event is seen before, after, or both beside each other', async () => {
  await using dashboard = await openDashboard(product.url, product.key);
  const tab = dashboard.page;
  await dashboard.go(`/dashboard/sessions/${recorded.id}?event=3`);
  const before = tab.getByRole('img', { name: 'The page before event 3' });
  const after = tab.getByRole('img', { name: 'The page after event 3' });
  await after.waitFor();
  await tab.getByRole('button', { name: 'Before', exact: true }).click();
  await before.waitFor();
  expect(await after.count()).toBe(0);
  await tab.getByRole('button', { name: 'Both' }).click();
  await after.waitFor();
  await expect
    .poll(() => before.evaluate(image => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100);
  expect(await axeFindings(tab)).toEqual([]);
  expect(dashboard.errors).toEqual([]);
});

it('a film of the events and of the video between them is made in the browser, plays, and is saved as WebM', async () => {
  await using session = await client.start({ record: 'VIDEO' });
  const page = await session.observe(`${pages.url}/moving`);
  await session.step(page.find('Stop'));
  const VIDEO = 'query ($id: ID!) { session(id: $id) { pictures(kind: FRAME, first: 500) { number } } }';
  const frames = async () =>
    (await client.query<{ session: { pictures: object[] } }>(VIDEO, { id: session.id })).session.pictures
      .length;
  await expect.poll(frames).toBeGreaterThan(1);
  await using dashboard = await openDashboard(product.url, product.key);
  const tab = dashboard.page;
  const loaded: string[] = [];
  tab.on('request', request => loaded.push(new URL(request.url()).pathname));
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  await tab.getByText('3 events').waitFor();
  await tab.getByText('Export', { exact: true }).click();
  // What makes it is loaded now.
  const isFilmScript = (path: string) => path.includes('filmDialog');
  expect(loaded.filter(isFilmScript)).toEqual([]);
  await tab.getByRole('button', { name: 'Film' }).click();
  const film = tab.locator('video');
  await film.waitFor();
  expect(loaded.filter(isFilmScript).length).toBeGreaterThan(0);
  // Two moments of events, each of 1.2 seconds, and what moved between them; the second one can be reached.
  await expect
    .poll(() => film.evaluate(video => (video as HTMLVideoElement).duration))
    .toBeGreaterThan(2.4 + 0.07);
  await film.evaluate(video => {
    (video as HTMLVideoElement).currentTime = 1.5;
  });
  await expect
    .poll(() =>
      film.evaluate(video => !(video as HTMLVideoElement).seeking && (video as HTMLVideoElement).readyState),
    )
    .toBeGreaterThanOrEqual(2);
  const size = await film.evaluate(video => {
    const { videoWidth, videoHeight } = video as HTMLVideoElement;
    return { videoWidth, videoHeight };
  });
  // The page, and the line that says what happened.
  expect(size).toEqual({ videoWidth: 1280, videoHeight: 720 + 48 });
  expect(await axeFindings(tab)).toEqual([]);
  const [download] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('link', { name: /Save/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.webm$/);
  expect(dashboard.errors).toEqual([]);
});

it('the events play from the first to the last, each with its picture', async () => {
  await using dashboard = await openDashboard(product.url, product.key);
  const { page } = dashboard;
  await dashboard.go(`/dashboard/sessions/${recorded.id}`);
  await page.getByText('3 events').waitFor();
  const seen: string[] = [];
  await page.exposeFunction('sawEvent', (text: string) => seen.push(text));
  await page.evaluate(() => {
    const see = () => {
      const shown = document.querySelector('.event-banner strong')?.textContent;
      if (shown != null) (window as unknown as { sawEvent(text: string): void }).sawEvent(shown);
    };
    new MutationObserver(see).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.getByRole('button', { name: 'Play the events' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByText('Event 3', { exact: true }).waitFor();
  await page.getByRole('img', { name: 'The page after event 3' }).waitFor();
  await page.getByRole('button', { name: 'Play the events' }).waitFor();
  expect([...new Set(seen)]).toEqual(['Event 1', 'Event 2', 'Event 3']);
});
