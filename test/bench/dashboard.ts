/**
 * `npm run bench:dashboard`: the dashboard of a running service, in a browser of its own: the first view; a step of an agent until its change
 * is on the screen; a key of a person until the picture shows its effect; and the processor time of a grid of nine live pictures.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { groupMembers, processorMs } from '../../src/browser/limits/processTable.ts';
import { PagespaceClient } from '../../src/client/main.ts';
import { registeredBrowsers } from '../support/browserProcesses.ts';
import { openDashboard } from '../web/openDashboard.ts';
import { serveTree } from './serveTree.ts';
import { median } from './statistics.ts';

const ROUNDS = 10;
const GRID_MS = 5_000;

const PAGE = `<title>Page</title><body style="margin: 0; height: 100vh; background: #fff"><button>Press</button><script>
  let n = 0;
  const button = document.querySelector('button');
  button.onclick = () => { button.textContent = 'Pressed ' + ++n };
  document.onkeydown = () => { document.body.style.background = n++ % 2 ? '#000' : '#f00' };</script>`;
const MOVING = `<title>Moving</title><h1>0</h1><script>setInterval(() => {
  document.querySelector('h1').textContent = Date.now();
  document.body.style.background = '#' + (Date.now() % 4096).toString(16).padStart(3, '0');
}, 200)</script>`;

/** Notes when each number of presses is first on the screen. */
const WATCH_PRESSES = `window.shownAt = []; new MutationObserver(() => {
  const number = /Pressed (\\d+)/.exec(document.body.textContent)?.[1];
  if (number !== undefined) window.shownAt[number] ??= Date.now();
}).observe(document.body, { subtree: true, childList: true, characterData: true })`;

/** Measures the time from the next key to another colour in the picture. */
const WATCH_COLOUR = `(() => {
  const picture = [...document.querySelectorAll('canvas')].find(({ width }) => width > 300);
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d', { willReadFrequently: true });
  const colour = () => {
    context.drawImage(picture, 0, 0);
    return String(context.getImageData(picture.width * 0.8, picture.height * 0.8, 1, 1).data.map(part => part >> 6));
  };
  const before = colour();
  window.effectMs = null;
  addEventListener('keydown', () => {
    const start = performance.now();
    const look = () => { if (colour() === before) requestAnimationFrame(look); else window.effectMs = performance.now() - start };
    look();
  }, { once: true, capture: true });
})()`;

/** Evaluates until there is a number; null after three seconds. */
async function numberOf(page: Page, expression: string): Promise<number | null> {
  for (let left = 60; left > 0; left--) {
    const value: unknown = await page.evaluate(expression);
    if (typeof value === 'number') return value;
    await delay(50);
  }
  return null;
}

const print = (name: string, values: readonly (number | null)[]): void => {
  const known = values.filter(value => value !== null);
  const most = Math.max(...known).toFixed(0);
  console.log(
    `${name}: median ${median(known).toFixed(0)} ms, at most ${most} ms, ${known.length} of ${ROUNDS}`,
  );
};

const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html').end(request.url === '/moving' ? MOVING : PAGE);
}).listen(0, '127.0.0.1');
await once(site, 'listening');
const { port } = site.address() as AddressInfo;
const tree = await serveTree(process.cwd(), port);
const client = new PagespaceClient({ url: tree.url, key: tree.key });
const url = `http://127.0.0.1:${port}`;

const session = await client.start({ name: 'Measured' });
await session.observe(url);

const firstViews: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  await using dashboard = await openDashboard(tree.url, tree.key);
  const start = performance.now();
  await dashboard.go('/dashboard');
  await dashboard.page.getByText('Measured', { exact: true }).waitFor();
  firstViews.push(performance.now() - start);
}
print('first view', firstViews);

{
  await using dashboard = await openDashboard(tree.url, tree.key);
  const { page } = dashboard;
  await dashboard.go(`/dashboard/sessions/${session.id}`);
  const picture = page.getByRole('img', { name: /Live picture/ });
  await picture.waitFor();
  await page.evaluate(WATCH_PRESSES);
  const changes: (number | null)[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await session.step('B1');
    const answeredAt = Date.now();
    const shownAt = await numberOf(page, `window.shownAt[${round}]`);
    changes.push(shownAt === null ? null : shownAt - answeredAt);
  }
  print('a change on the screen, after the answer of its step', changes);

  await page.getByRole('button', { name: 'Take over' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Ana');
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await page.locator('#hand-back').waitFor();
  const box = await picture.boundingBox();
  if (box === null) throw new Error('The picture has no box');
  await page.mouse.click(box.x + box.width * 0.8, box.y + box.height * 0.8);
  const effects: (number | null)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The effects of the key before are drawn.
    await delay(300);
    await page.evaluate(WATCH_COLOUR);
    await page.keyboard.press('a');
    effects.push(await numberOf(page, 'window.effectMs'));
  }
  print('an input until the picture shows its effect', effects);
}
await session.close();

for (let count = 0; count < 9; count++)
  await (await client.start({ name: `Moving ${count}` })).observe(`${url}/moving`);
const spentMs = (): number =>
  [
    { pid: tree.pid },
    ...registeredBrowsers(join(tree.dataDir, 'browsers')).flatMap(({ group }) => groupMembers(group)),
  ]
    .map(({ pid }) => processorMs(pid))
    .reduce((sum, ms) => sum + ms, 0);
const cores = async (): Promise<string> => {
  const [before, start] = [spentMs(), performance.now()];
  await delay(GRID_MS);
  return ((spentMs() - before) / (performance.now() - start)).toFixed(2);
};
const without = await cores();
{
  await using dashboard = await openDashboard(tree.url, tree.key);
  await dashboard.go('/dashboard/sessions?view=grid');
  await delay(2_000);
  console.log(
    `nine moving pages: ${without} cores of service and browsers; shown in a grid: ${await cores()}`,
  );
}
await tree.close();
site.close();
process.exit(0);
