import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PagespaceClient } from '../../src/client/main.ts';
import { issueApiKey } from '../../src/service/accounts/apiKeys.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { COSTLY_ACCOUNT, fillStore } from '../bench/fillStore.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { openDashboard } from './openDashboard.ts';

const SESSIONS = 5_000;

let folder: string;
let product: TestProduct;
let pages: ServedPages;
let reader: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-list-'));
  const path = join(folder, 'store.sqlite');
  await fillStore(path, SESSIONS, 2);
  const store = await openSqliteStore(path);
  const options = { accountId: COSTLY_ACCOUNT, name: 'list', scopes: ['read'] as const, expiresAt: null };
  ({ text: reader } = await issueApiKey(store.accounts, options, Date.now()));
  await store.close();
  product = await startTestProduct({ browser: 'fake', path, auditsLedger: false, capacity: 30 });
  pages = await servePages({ '/': '<title>Tile</title>' });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

it('a list of 5,000 sessions draws only the rows on the screen, and goes to its end', async () => {
  await using dashboard = await openDashboard(product.url, reader);
  const { page, errors } = dashboard;
  await dashboard.go('/dashboard/sessions');
  await page.getByText(SESSIONS.toLocaleString('en-US'), { exact: true }).waitFor();
  // Each scroll to the end brings the next pages.
  await expect
    .poll(
      () =>
        page.locator('.table-body').evaluate(body => {
          body.scrollTop = body.scrollHeight;
          return [...body.querySelectorAll('[role=row]')].at(-1)?.getAttribute('aria-rowindex');
        }),
      { interval: 20, timeout: 60_000 },
    )
    .toBe(String(SESSIONS + 1));
  expect(await page.locator('.table-body [role=row]').count()).toBeLessThan(60);
  expect(errors).toEqual([]);
});

it('the grid receives the pictures of the tiles on the screen and of no others, each at most 640 pixels wide', async () => {
  const client = new PagespaceClient({ url: product.url, key: product.key });
  const sessions = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const session = await client.start({ name: `Tile ${index}` });
      await session.observe(pages.url);
      return session;
    }),
  );
  await using dashboard = await openDashboard(product.url, product.key);
  const { page } = dashboard;
  /** The sessions whose pictures the page receives now, by the id of the subscription, and the widths that it asked for. */
  const received = new Map<string, string>();
  const widths = new Set<number>();
  page.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => {
      const { id, type, payload: sent } = JSON.parse(String(payload));
      if (type === 'complete') received.delete(id);
      if (type !== 'subscribe' || sent.documentId !== 'DashFrames') return;
      received.set(id, sent.variables.sessionId);
      widths.add(sent.variables.maxWidth);
    }),
  );
  await dashboard.go('/dashboard/sessions?view=grid');
  const tiles = page.getByRole('list', { name: 'Live pictures' }).getByRole('listitem');
  await expect.poll(() => tiles.count()).toBe(sessions.length);
  /** Returns the sessions of the tiles on the screen. */
  const onScreen = () =>
    tiles.evaluateAll(all =>
      all
        .filter(
          tile => tile.getBoundingClientRect().top < innerHeight && tile.getBoundingClientRect().bottom > 0,
        )
        .map(tile => tile.querySelector('a')?.pathname.split('/').at(-1) ?? ''),
    );
  const shown = () => [...received.values()].toSorted();
  await expect.poll(shown).toEqual(expect.arrayContaining(await onScreen()));
  const first = await onScreen();
  expect(received.size).toBeLessThan(sessions.length);
  await tiles.last().scrollIntoViewIfNeeded();
  await expect.poll(shown).toEqual(expect.arrayContaining(await onScreen()));
  await expect.poll(() => shown().filter(id => first.includes(id))).toEqual([]);
  await tiles.first().scrollIntoViewIfNeeded();
  await expect.poll(shown).toEqual(expect.arrayContaining(first));
  expect(Math.max(...widths)).toBeLessThanOrEqual(640);
  await page.getByRole('link', { name: 'Table' }).click();
  await expect.poll(() => received.size).toBe(0);
});
