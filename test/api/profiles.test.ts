import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callApi, callGraphql } from '../support/callApi.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { addAccount } from '../support/startService.ts';

const TOKEN = 'cookie-of-ann-4711';
const DRAFT = 'draft-in-the-local-storage';

let product: TestProduct;
let pages: ServedPages;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-profiles-'));
  pages = await servePages({
    '/login': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `visit=${TOKEN}; HttpOnly` })
        .end(`<title>Signed in</title><script>localStorage.setItem('draft', '${DRAFT}')</script>`),
    '/account': ({ headers }, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<title>${headers.cookie === `visit=${TOKEN}` ? 'Account of Ann' : 'Please sign in'}</title><p id=p></p><script>p.textContent = 'Draft: ' + localStorage.getItem('draft')</script>`,
        ),
  });
  product = await startTestProduct({ path: join(folder, 'store.sqlite') });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const post = (path: string, body: unknown, key = product.key) =>
  callApi(product.url, 'POST', path, { key, body });
const startWith = (name: string, mode: 'read' | 'write', key = product.key) =>
  post('/session/start', { profile: { name, mode } }, key);
const close = (session_id: string) => post('/session/close', { session_id });

async function versions(key = product.key): Promise<readonly { name: string; version: number }[]> {
  const { body } = await callGraphql(product.url, key, '{ profiles { name version savedAt bytes } }');
  return body.data.profiles;
}

async function signIn(name: string): Promise<string> {
  const { body } = await startWith(name, 'write');
  expect(body.options).toEqual({ profile: { name, mode: 'write' } });
  await post('/env/observe', { session_id: body.session_id, url: `${pages.url}/login` });
  return body.session_id;
}

describe('A profile', () => {
  test('keeps a login before its session ends, encrypted, for one account', async () => {
    const writer = await signIn('shop');
    // The session still runs: a killed service leaves what is stored now.
    await vi.waitFor(
      async () => expect((await versions()).map(({ name }) => name)).toEqual(['shop']),
      20_000,
    );

    const { body: reader } = await startWith('shop', 'read');
    const account = await post('/env/scrape', {
      session_id: reader.session_id,
      url: `${pages.url}/account`,
      formats: ['text'],
    });
    expect(account.body.metadata.title).toBe('Account of Ann');
    expect(account.body.data.text).toContain(DRAFT);

    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, file));
      expect(bytes.includes(TOKEN), file).toBe(false);
    }

    const second = await startWith('shop', 'write');
    expect(second).toMatchObject({ status: 409, body: { code: 'PROFILE_IN_USE' } });
    expect(second.body.detail).toContain(writer);

    const { started } = product;
    const other = await addAccount(started.store, started.clock, 'other');
    expect((await startWith('shop', 'read', other.key)).body).toMatchObject({
      code: 'PROFILE_NOT_FOUND',
      status: 404,
    });
    expect(await versions(other.key)).toEqual([]);

    await close(reader.session_id);
    await close(writer);
    const next = await startWith('shop', 'write');
    expect(next.status).toBe(200);
    const seen = await post('/env/observe', {
      session_id: next.body.session_id,
      url: `${pages.url}/account`,
    });
    expect(seen.body.metadata.title).toBe('Account of Ann');
    await close(next.body.session_id);
  });

  test('is written at the end of its session, and not by a reader', async () => {
    const { body } = await startWith('late', 'write');
    await post('/env/observe', { session_id: body.session_id, url: `${pages.url}/login` });
    await close(body.session_id);
    const before = (await versions()).filter(({ name }) => name === 'late');
    expect(before).toMatchObject([{ version: 1 }]);
    const { body: reader } = await startWith('late', 'read');
    await post('/env/observe', { session_id: reader.session_id, url: `${pages.url}/login` });
    await close(reader.session_id);
    expect((await versions()).filter(({ name }) => name === 'late')).toEqual(before);
  });

  test('begins again from an earlier version, but not while a session writes it', async () => {
    await close(await signIn('again'));
    const { body } = await startWith('again', 'write');
    const restore = (version: number) =>
      callGraphql(
        product.url,
        product.key,
        `mutation { restoreProfile(name: "again", version: ${version}) { version } }`,
      );
    expect((await restore(1)).body.errors[0].extensions.code).toBe('PROFILE_IN_USE');
    // The new version has no login.
    await post('/session/update', { session_id: body.session_id, cookies: [] });
    const { hostname } = new URL(pages.url);
    const cookie = { name: 'visit', value: 'signed-out', domain: hostname, path: '/' };
    await post('/session/update', { session_id: body.session_id, cookies: [cookie] });
    await close(body.session_id);
    expect((await restore(9)).body.errors[0].extensions.code).toBe('PROFILE_NOT_FOUND');
    expect((await restore(1)).body.data.restoreProfile).toEqual({ version: 3 });
    const { body: reader } = await startWith('again', 'read');
    const seen = await post('/env/observe', { session_id: reader.session_id, url: `${pages.url}/account` });
    expect(seen.body.metadata.title).toBe('Account of Ann');
    await close(reader.session_id);
    const list = await callApi(product.url, 'GET', '/profiles', { key: product.key });
    const found = list.body.profiles.filter((each: { name: string }) => each.name === 'again');
    expect(found.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    expect((await post('/profile/delete', { name: 'again' })).body).toEqual({ name: 'again' });
    expect((await post('/profile/delete', { name: 'again' })).body.code).toBe('PROFILE_NOT_FOUND');
  });

  test('can be deleted', async () => {
    const id = await signIn('gone');
    await close(id);
    const remove = () => callGraphql(product.url, product.key, 'mutation { deleteProfile(name: "gone") }');
    expect((await remove()).body.data.deleteProfile).toBe('gone');
    expect((await remove()).body.errors[0].extensions.code).toBe('PROFILE_NOT_FOUND');
    expect((await startWith('gone', 'read')).status).toBe(404);
  });

  test('that no longer decrypts is refused, and its session does not begin', async () => {
    const { store, account } = product.started;
    await store.profiles.save(account.id, { name: 'bad', version: 1, savedAt: 0, bytes: 8 }, 'v1.AAAA');
    expect((await startWith('bad', 'write')).body).toMatchObject({ code: 'PROFILE_UNREADABLE', status: 409 });
    expect((await startWith('bad', 'write')).body.code).toBe('PROFILE_UNREADABLE');
  });
});
