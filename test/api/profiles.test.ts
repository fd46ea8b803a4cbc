import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAudit } from '../../src/domain/ports/auditLog.ts';
import type { StorageState } from '../../src/domain/session/browserOptions.ts';
import { createProfileService } from '../../src/service/secrets/profiles.ts';
import { type ApiResponse, callApi, callGraphql } from '../support/callApi.ts';
import { FakeLease } from '../support/fakeLease.ts';
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
        .end(`<title>Signed in</title><script>localStorage.setItem('draft', '${DRAFT}');
          const open = indexedDB.open('shop'); open.onupgradeneeded = () => open.result.createObjectStore('items');
          open.onsuccess = () => open.result.transaction('items', 'readwrite').objectStore('items')
            .put({ name: 'seven', at: new Date(), bytes: new Uint8Array([1, 2, 3]) }, 1);</script>`),
    '/logout': (_, response) =>
      response.writeHead(200, { 'set-cookie': 'visit=; Max-Age=0' }).end('<title>Signed out</title>'),
    '/account': ({ headers }, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(
        `<title>${headers.cookie === `visit=${TOKEN}` ? 'Account of Ann' : 'Please sign in'}</title><p id=p></p><script>
            const open = indexedDB.open('shop'); open.onsuccess = () => {
              const read = open.result.transaction('items').objectStore('items').get(1);
              read.onsuccess = ({ target: { result: { name, at, bytes } } }) => {
                p.textContent = 'Draft: ' + localStorage.getItem('draft') + '. Database: ' + name + ', ' +
                  Object.prototype.toString.call(at) + ', ' + bytes.length + ' bytes';
              };
            };</script>`,
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

async function versions(
  key = product.key,
): Promise<readonly { name: string; version: number; origins: string[] }[]> {
  const { body } = await callGraphql(product.url, key, '{ profiles { name version savedAt bytes origins } }');
  return body.data.profiles;
}

describe('A profile', () => {
  test('keeps a login before its session ends, encrypted, for one account', async () => {
    const { body } = await startWith('shop', 'write');
    const writer = body.session_id;
    expect(body.options).toEqual({ profile: { name: 'shop', mode: 'write' } });
    await post('/env/observe', { session_id: writer, url: `${pages.url}/login` });
    // The session still runs: a killed service leaves what is stored now.
    await vi.waitFor(
      async () => expect((await versions())[0]?.origins).toEqual(['127.0.0.1', pages.url]),
      20_000,
    );
    const { body: reader } = await startWith('shop', 'read');
    const account = await post('/env/scrape', {
      session_id: reader.session_id,
      url: `${pages.url}/account`,
      formats: ['text'],
      wait_for: 'text "Database"',
    });
    expect(account.body.metadata.title).toBe('Account of Ann');
    expect(account.body.data.text).toContain(`Draft: ${DRAFT}. Database: seven, [object Date], 3 bytes`);
    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, file));
      expect(bytes.includes(TOKEN) || bytes.includes(DRAFT), file).toBe(false);
    }
    const second = await startWith('shop', 'write');
    expect(second).toMatchObject({ status: 409, body: { code: 'PROFILE_IN_USE' } });
    expect(second.body.detail).toContain(writer);
    // A reader changes nothing; the end of the writer does.
    await post('/env/observe', { session_id: reader.session_id, url: `${pages.url}/logout` });
    await close(reader.session_id);
    const { hostname } = new URL(pages.url);
    const cookie = { name: 'late', value: 'yes', domain: hostname, path: '/' };
    await post('/session/update', { session_id: writer, cookies: [cookie] });
    await close(writer);
    const { storage_state } = (await post('/profile/export', { name: 'shop' })).body;
    expect(storage_state.cookies.map(({ name }: { name: string }) => name).sort()).toEqual(['late', 'visit']);
  });
});

describe('The profiles of an account', () => {
  beforeAll(async () => {
    await product[Symbol.asyncDispose]();
    product = await startTestProduct({ browser: 'fake' });
  });
  const state = (value: string) => ({
    cookies: [
      {
        name: 'visit',
        value,
        domain: '.shop.example',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      },
    ],
    origins: [{ origin: 'https://shop.example', localStorage: [{ name: 'cart', value }] }],
  });
  const save = (name: string, value: string, key?: string) =>
    post('/profile/import', { name, storage_state: state(value) }, key);
  const exported = async (name: string, version?: number) =>
    (await post('/profile/export', { name, version })).body.storage_state?.cookies[0].value;
  const codeOf = async (answer: Promise<ApiResponse>) => (await answer).body.code;

  test('are imported, restored, renamed, exported and deleted, and the audit log has each', async () => {
    expect((await save('a', 'one')).body).toMatchObject({
      version: 1,
      origins: ['https://shop.example', 'shop.example'],
    });
    expect((await post('/profile/export', { name: 'a' })).body.storage_state).toEqual(state('one'));
    await save('a', 'two');
    expect((await post('/profile/restore', { name: 'a', version: 1 })).body.version).toBe(3);
    expect((await save('b', 'other')).body.version).toBe(1);
    expect(await codeOf(post('/profile/rename', { name: 'a', new_name: 'b' }))).toBe('VALIDATION_ERROR');
    const renamed = await post('/profile/rename', { name: 'a', new_name: 'c' });
    expect(renamed.body.profiles.map(({ version }: { version: number }) => version).sort()).toEqual([
      1, 2, 3,
    ]);
    expect([await exported('c'), await exported('c', 2), await exported('a')]).toEqual([
      'one',
      'two',
      undefined,
    ]);
    const { body } = await callGraphql(product.url, product.key, 'mutation { deleteProfile(name: "c") }');
    expect(body.data.deleteProfile).toBe('c');
    for (const [path, more] of [
      ['delete', {}],
      ['export', {}],
      ['rename', { new_name: 'd' }],
      ['restore', { version: 1 }],
    ] as const)
      expect(await codeOf(post(`/profile/${path}`, { name: 'c', ...more })), path).toBe('PROFILE_NOT_FOUND');
    const log = await callGraphql(
      product.url,
      product.key,
      '{ auditLog(first: 9) { action subject details } }',
    );
    const rows = log.body.data.auditLog.map(
      ({ action, subject }: Record<string, string>) => `${action} ${subject}`,
    );
    expect(rows.toReversed()).toEqual([
      'profile.imported a',
      'profile.exported a',
      'profile.imported a',
      'profile.restored a',
      'profile.imported b',
      'profile.renamed a',
      'profile.exported c',
      'profile.exported c',
      'profile.deleted c',
    ]);
    expect(log.text).not.toContain('"two"');
  });

  test('are restored from a version that an earlier key has encrypted, with the present one', async () => {
    const { store, account, viewer, clock } = product.started;
    const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 7)];
    const serviceWith = (...secretsKeys: Buffer[]) => {
      const deps = { profiles: store.profiles, secretsKeys, now: () => clock.now() };
      return createProfileService({ ...deps, audit: createAudit(store.auditLog, deps.now) });
    };
    await serviceWith(before).importProfile(viewer, 'old', state('one') as StorageState);
    expect(await codeOf(post('/profile/restore', { name: 'old', version: 1 }))).toBe('PROFILE_UNREADABLE');
    await serviceWith(now, before).restoreProfile(viewer, 'old', 1);
    expect(await exported('old')).toBe('one');
    expect(await codeOf(post('/profile/export', { name: 'old', version: 1 }))).toBe('PROFILE_UNREADABLE');
    expect((await store.profiles.list(account.id)).filter(({ name }) => name === 'old')).toHaveLength(2);
  });

  test('are changed by one session or request at a time', async () => {
    await save('busy', 'one');
    const { body } = await startWith('busy', 'write');
    for (const answer of [
      save('busy', 'two'),
      post('/profile/rename', { name: 'busy', new_name: 'idle' }),
      post('/profile/restore', { name: 'busy', version: 1 }),
    ])
      expect((await answer).body).toMatchObject({
        code: 'PROFILE_IN_USE',
        detail: expect.stringContaining(body.session_id),
      });
    const deletion = await callGraphql(product.url, product.key, 'mutation { deleteProfile(name: "busy") }');
    expect(deletion.text).toContain('PROFILE_IN_USE');
    await close(body.session_id);
    expect((await post('/profile/rename', { name: 'busy', new_name: 'idle' })).status).toBe(200);
  });

  test('keep their databases while the browser cannot read those of a page', async () => {
    const origin = 'https://bases.example';
    const indexedDB = [{ name: 'shop', version: 1, stores: [] }];
    const storage_state = { cookies: [], origins: [{ origin, localStorage: [], indexedDB }] };
    expect((await post('/profile/import', { name: 'bases', storage_state })).status).toBe(200);
    const left = 'A database cannot be read.';
    const read = vi
      .spyOn(FakeLease.prototype, 'storageState')
      .mockResolvedValue({ state: state('new') as StorageState, left });
    const { body } = await startWith('bases', 'write');
    await close(body.session_id);
    read.mockRestore();
    const exported = (await post('/profile/export', { name: 'bases' })).body.storage_state;
    expect(exported).toEqual({
      ...state('new'),
      origins: [...state('new').origins, { origin, localStorage: [], indexedDB }],
    });
  });

  test('are listed to a key whose policy names some of them: those', async () => {
    await save('one', 'a');
    await save('other', 'a');
    const create = 'mutation { createApiKey(input: { name: "a", policy: { profiles: ["one"] } }) { key } }';
    const { key } = (await callGraphql(product.url, product.key, create)).body.data.createApiKey;
    expect((await versions(key)).map(({ name }) => name)).toEqual(['one']);
  });

  test('are those of no other account, and only a key with the scope admin exports them', async () => {
    const { started } = product;
    await save('mine', 'one');
    const other = await addAccount(started.store, started.clock, 'other');
    expect((await startWith('mine', 'read', other.key)).body).toMatchObject({
      code: 'PROFILE_NOT_FOUND',
      status: 404,
    });
    expect(await versions(other.key)).toEqual([]);
    expect(await codeOf(post('/profile/export', { name: 'mine' }, other.key))).toBe('PROFILE_NOT_FOUND');
    const create = 'mutation { createApiKey(input: { name: "a" }) { key } }';
    const { key } = (await callGraphql(product.url, product.key, create)).body.data.createApiKey;
    expect(await codeOf(post('/profile/export', { name: 'mine' }, key))).toBe('SCOPE_DENIED');
  });

  test('have at most 4 MB each: the answers say that a larger one was not written', async () => {
    const large = { ...state('x'.repeat(4_000_000)), cookies: [] };
    const read = vi
      .spyOn(FakeLease.prototype, 'storageState')
      .mockResolvedValue({ state: large, left: null });
    const { body } = await startWith('large', 'write');
    const { session_id } = body;
    // Each operation postpones the write.
    await vi.waitFor(
      async () => {
        const seen = await post('/env/observe', { session_id, url: `${pages.url}/account` });
        expect(seen.text).toMatch(/The profile .large. was not written.*the maximum is 4,000,000/);
      },
      { timeout: 20_000, interval: 1_000 },
    );
    await close(session_id);
    read.mockRestore();
    expect((await versions()).filter(({ name }) => name === 'large')).toEqual([]);
  });

  test('refuse what is none, and leave nothing behind', async () => {
    const { store, account } = product.started;
    const before = await versions();
    for (const storage_state of [{ cookies: [{ name: 'a' }] }, 7, { origins: [{ origin: 'no' }] }])
      expect((await post('/profile/import', { name: 'new', storage_state })).status).toBe(422);
    expect(await versions()).toEqual(before);
    const row = { name: 'bad', version: 1, savedAt: 0, bytes: 8, origins: [] };
    await store.profiles.save(account.id, row, 'v1.AAAA');
    for (const mode of ['write', 'write', 'read'] as const)
      expect((await startWith('bad', mode)).body).toMatchObject({ code: 'PROFILE_UNREADABLE', status: 409 });
    expect(await codeOf(post('/profile/rename', { name: 'bad', new_name: 'good' }))).toBe(
      'PROFILE_UNREADABLE',
    );
    // With the contents of another name.
    const sealed = await store.profiles.find(account.id, 'mine', 1);
    await store.profiles.save(account.id, row, sealed ?? '');
    expect(await codeOf(post('/profile/export', { name: 'bad' }))).toBe('PROFILE_UNREADABLE');
    expect(product.started.browsers.sessionCount).toBe(0);
  });
});
