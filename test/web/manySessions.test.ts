import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issueApiKey } from '../../src/service/accounts/apiKeys.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { COSTLY_ACCOUNT, fillStore } from '../bench/fillStore.ts';
import { startTestProduct } from '../support/startServer.ts';
import { openDashboard } from './openDashboard.ts';

const SESSIONS = 5_000;

it('a list of 5,000 sessions draws only the rows on the screen, and goes to its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagespace-list-'));
  try {
    const path = join(folder, 'store.sqlite');
    await fillStore(path, SESSIONS, 2);
    const store = await openSqliteStore(path);
    const options = { accountId: COSTLY_ACCOUNT, name: 'list', scopes: ['read'] as const, expiresAt: null };
    const { text: key } = await issueApiKey(store.accounts, options, Date.now());
    await store.close();
    await using product = await startTestProduct({ browser: 'fake', path, auditsLedger: false });
    await using dashboard = await openDashboard(product.url, key);
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
