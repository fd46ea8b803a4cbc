import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDashboardLink } from '../../src/main/startServing.ts';
import { systemClock } from '../../src/service/systemClock.ts';
import { callApi } from '../support/callApi.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../support/startServer.ts';
import { axeFindings, openDashboard } from './openDashboard.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' }, { persisted: { persistedOnly: true } });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

it('a key signs in for the visit, a newcomer is led to the page to try, and signing out forgets the key', async () => {
  await using dashboard = await openDashboard(product.url, null);
  const { page, errors } = dashboard;
  await dashboard.go('/dashboard');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel('API key').fill(product.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/try');
  await page.reload();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('pagespace.key'))).toBeNull();
  expect(errors).toEqual([]);
});

it('a wrong key is refused with the reason of the service', async () => {
  await using dashboard = await openDashboard(product.url, null);
  await dashboard.go('/dashboard/sessions');
  await dashboard.page.getByLabel('API key').fill('psk_wrong');
  await dashboard.page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => dashboard.page.getByRole('alert').textContent()).toMatch(/key/i);
});

it('the link of the terminal signs in once, and its token stays in no address', async () => {
  const { service, store } = product.started;
  const link = createDashboardLink(store.accounts, systemClock);
  await using linked = await startTestServer(service, { signInByLink: link.exchange });
  await using dashboard = await openDashboard(linked.url, null);
  await dashboard.go(`/dashboard#token=${link.token}`);
  await dashboard.page.getByRole('heading', { name: 'Try it' }).waitFor();
  expect(dashboard.page.url()).not.toContain('token');
  await using other = await openDashboard(linked.url, null);
  await other.go(`/dashboard#token=${link.token}`);
  await expect.poll(() => other.page.getByRole('alert').textContent()).toContain('has been used already');
});

it('a wallet that announces itself signs in with its signature, unless its owner refuses, and signing out revokes the key of the visit', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  await using dashboard = await openDashboard(product.url, null);
  const { page, errors } = dashboard;
  let refuses = true;
  await page.exposeFunction('askWallet', (method: string, [raw]: `0x${string}`[]) => {
    if (method === 'eth_requestAccounts') return { result: [wallet.address] };
    return refuses
      ? { code: 4001 }
      : wallet.signMessage({ message: { raw: raw ?? '0x' } }).then(result => ({ result }));
  });
  await page.addInitScript(() => {
    type Answer = { readonly code?: number; readonly result?: unknown };
    const { askWallet } = window as unknown as {
      askWallet: (method: string, params: unknown) => Promise<Answer>;
    };
    const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
      const { code, result } = await askWallet(method, params);
      if (code !== undefined) throw Object.assign(new Error('User rejected'), { code });
      return result;
    };
    const detail = { info: { uuid: 'f0e1', name: 'Test Wallet' }, provider: { request } };
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    );
  });
  await dashboard.go('/dashboard');
  const connect = page.getByRole('button', { name: 'Connect Test Wallet' });
  await connect.click();
  await page.getByText('You refused in your wallet').waitFor();
  refuses = false;
  await connect.click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  await page.locator('.who-name', { hasText: wallet.address }).waitFor();
  // The key of the visit is enough: the cookie of the wallet is gone.
  expect(await page.context().cookies()).toEqual([]);
  const { accounts } = product.started.store;
  const account = await accounts.findAccountByName(wallet.address);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  await expect
    .poll(async () => (await accounts.keys(account?.id ?? '')).map(({ revokedAt }) => revokedAt))
    .toEqual([expect.any(Number)]);
  expect(errors).toEqual([]);
});

it('POST /dashboard/sign-in refuses every token where the service has printed no link', async () => {
  const answer = await callApi(product.url, 'POST', '/dashboard/sign-in', {
    body: { token: 'x'.repeat(43) },
  });
  expect(answer.status).toBe(401);
});

it('the pages of the dashboard allow only scripts, styles and requests of the service', async () => {
  const response = await fetch(`${product.url}/dashboard/sessions/anything`);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect((await fetch(`${product.url}/assets/dashboard/..%2Fhome.js`)).status).toBe(404);
  expect((await fetch(`${product.url}/assets/dashboard/none.js`)).status).toBe(404);
});

it('the first view is at most 90 kB, compressed', () => {
  const folder = new URL('../../dist/web/dashboard/', import.meta.url);
  const main = readFileSync(new URL('main.js', folder), 'utf8');
  // The parts that the first script imports at once, and the style sheet.
  const parts = readdirSync(folder).filter(
    name => name === 'style.css' || new RegExp(`(from|import)"\\./${name}"`).test(main),
  );
  const bytes = [main, ...parts.map(name => readFileSync(new URL(name, folder), 'utf8'))].reduce(
    (sum, text) => sum + gzipSync(text).byteLength,
    0,
  );
  expect(bytes).toBeLessThan(90_000);
});
