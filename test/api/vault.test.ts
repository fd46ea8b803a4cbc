import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTotpSeed, totpCode } from '../../src/service/secrets/vault.ts';
import { type ApiResponse, callApi, callGraphql } from '../support/callApi.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { addAccount } from '../support/startService.ts';

const PASSWORD = 'kestrel-4711-Umbrella';
const USER = 'ann.vaulted@shop.example';
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CARD = '4111 1111 1234 9876';

const FORM = `<title>Sign in</title><form onsubmit="event.preventDefault(); out.textContent =
    'You sent ' + [user.value, word.value, code.value].join(' / ') + ' ending in ' + word.value.slice(-8) + ', paid by the card ending in ' + card.value.slice(-4);
    const all = [...word.value];
    echo.textContent = [all.toReversed().join(''), word.value.toUpperCase(), all.join(' '), all.join('\u200b'), btoa(word.value),
      encodeURIComponent(word.value), card.value.slice(0, 4)].join(' / ');
    echo.append(...all.map(one => Object.assign(document.createElement('b'), { textContent: one })))">
  <label>User <input id=user autocomplete=username></label>
  <label>Password <input id=word type=password></label>
  <label>Code <input id=code autocomplete=one-time-code></label>
  <label>Search <input id=search type=search></label>
  <label>Card <input id=card autocomplete=cc-number></label>
  <button>Sign in</button></form><p id=out></p><p id=echo></p>`;

let product: TestProduct;
let pages: ServedPages;
let folder: string;
let port: string;
const sockets: { send(text: string): void }[] = [];
const hasMoved = Promise.withResolvers<void>();
const answers: string[] = [];

/** The origin of the shop under a host name of loopback. */
const at = (host: string): string => `http://${host}:${port}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-vault-'));
  pages = await servePages(
    {
      '/form': FORM,
      '/boxes': `<title>Code</title><p>Code</p><div>${'<input maxlength=1 style="width:30px" aria-label=Digit>'.repeat(6)}</div>
      <script>for (const box of document.querySelectorAll('input')) box.oninput = () => box.nextElementSibling?.focus()</script>`,
      '/framed': (request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<title>Frame</title><iframe src="${new URL(request.url ?? '', 'http://x').searchParams.get('of')}/form"></iframe>`,
          ),
      // Between the list and the step, the page goes to another site, or becomes another field.
      '/redirects': `<title>Redirects</title><input type=password aria-label=Password>
      <script>new WebSocket('ws://' + location.host).onmessage = () => { location.href = '/moved' }</script>`,
      '/moved': (_, response) => {
        response.writeHead(302, { location: `${at('evil.localhost')}/form` }).end();
        hasMoved.resolve();
      },
      '/swaps': `<title>Swaps</title><label>Password <input type=password onfocus="this.type = 'text'"></label>`,
    },
    socket => sockets.push(socket),
  );
  port = new URL(pages.url).port;
  product = await startTestProduct({ path: join(folder, 'store.sqlite'), record: 'steps' });
  const values = { username: USER, password: PASSWORD, totp: SEED, card_number: CARD };
  await post('/vault/save', { name: 'shop', origins: [at('shop.localhost')], ...values });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: unknown, key = product.key): Promise<ApiResponse> {
  const answer = await callApi(product.url, 'POST', path, { key, body });
  // What a caller sends is not an answer; nothing else holds a secret.
  answers.push(answer.text);
  return answer;
}

let session_id: string | undefined;
async function open(url: string) {
  const { body } = await post('/env/observe', { url, session_id, keep_alive: true });
  session_id = body.session.session_id;
  return body.space.actions as readonly { id: string; name: string; value: string | null }[];
}

const fill = async (action_id: string, field: string) =>
  (await post('/env/step', { session_id, action_id, value: `{{vault.shop.${field}}}` })).body;

async function fillNamed(url: string, name: string, field: string) {
  const found = (await open(url)).find(action => action.name === name);
  expect(found, name).toBeDefined();
  return fill(found?.id ?? '', field);
}

describe('The vault', () => {
  test('lists names, fields, origins and ages, and never a value', async () => {
    const { body } = await callApi(product.url, 'GET', '/vault', { key: product.key });
    expect(body.entries).toEqual([
      {
        name: 'shop',
        fields: ['username', 'password', 'totp', 'card_number'],
        origins: [at('shop.localhost')],
        saved_at: expect.any(String),
        used_at: null,
      },
    ]);
    const { started } = product;
    const other = await addAccount(started.store, started.clock, 'other');
    expect((await callGraphql(product.url, other.key, '{ vault { name } }')).body.data.vault).toEqual([]);
    expect((await post('/vault/delete', { name: 'shop' }, other.key)).body.code).toBe(
      'VAULT_ENTRY_NOT_FOUND',
    );
  });

  test('refuses entries without a value, a seed that is none, and an origin with a path', async () => {
    const save = (values: object) =>
      post('/vault/save', { name: 'bad', origins: ['https://a.example'], ...values });
    expect((await save({})).body.code).toBe('VALIDATION_ERROR');
    expect((await save({ totp: '0189' })).body.code).toBe('VALIDATION_ERROR');
    expect((await save({ password: 'long enough', origins: ['https://a.example/login'] })).status).toBe(422);
    expect((await callApi(product.url, 'GET', '/vault', { key: product.key })).body.entries).toHaveLength(1);
  });

  test('fills a login on its origin, and hides it where the page echoes it', async () => {
    const actions = await open(`${at('shop.localhost')}/form`);
    const id = (name: string) => actions.find(action => action.name === name)?.id ?? '';
    for (const [name, field] of [
      ['User', 'username'],
      ['Password', 'password'],
      ['Code', 'totp'],
      ['Card', 'card_number'],
    ] as const)
      expect(await fill(id(name), field), name).toMatchObject({ metadata: { title: 'Sign in' } });
    const before = await post('/env/observe', { session_id, screenshot: true });
    expect(before.body.screenshot).toEqual(expect.any(String));
    const sent = await post('/env/step', { session_id, action_id: id('Sign in'), screenshot: true });
    // The page shows the values now: a picture would, too.
    expect(sent.body.screenshot).toBeNull();
    const scraped = await post('/env/scrape', { session_id, formats: ['text', 'raw_html', 'markdown'] });
    expect(scraped.body, scraped.text).toHaveProperty('data');
    expect(scraped.body.data.text).toMatch(/You sent •+ \/ •+ \/ •+ ending in •+/);
    const events = await callGraphql(
      product.url,
      product.key,
      `{ session(id: "${session_id}") { events(last: 50) { edges { node { ... on SessionSteppedEvent { performed { input { value } } } } } } } }`,
    );
    answers.push(events.text);
    expect(events.text).toContain('{{vault.shop.password}}');
    const log = await callGraphql(
      product.url,
      product.key,
      '{ auditLog(first: 10) { seq action subject details } }',
    );
    answers.push(log.text);
    expect(
      log.body.data.auditLog.map(
        ({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`,
      ),
    ).toEqual([
      'vault.fill shop.card_number',
      'vault.fill shop.totp',
      'vault.fill shop.password',
      'vault.fill shop.username',
      'vault.saved shop',
    ]);
  });

  test.each(['evil.shop.localhost', 'shop.localhost.localhost', 'sh0p.localhost', '127.0.0.1'])(
    'fills nothing on %s',
    async host => {
      const body = await fillNamed(`${at(host)}/form`, 'Password', 'password');
      expect(body).toMatchObject({ status: 403, code: 'VAULT_REFUSED' });
      expect(body.detail).toContain(at(host));
    },
  );

  test('fills frames of its origin only inside pages of its origin', async () => {
    const framed = (outer: string, inner: string) => `${at(outer)}/framed?of=${at(inner)}`;
    const filled = await fillNamed(framed('shop.localhost', 'shop.localhost'), 'Password', 'password');
    expect(filled.code).toBeUndefined();
    for (const [outer, inner] of [
      ['evil.localhost', 'shop.localhost'],
      ['shop.localhost', 'evil.localhost'],
    ] as const) {
      const refused = await fillNamed(framed(outer, inner), 'Password', 'password');
      expect(refused, outer).toMatchObject({ code: 'VAULT_REFUSED' });
    }
  });

  test('fills each kind of value into a field of that kind only', async () => {
    const url = `${at('shop.localhost')}/form`;
    for (const [name, field] of [
      ['User', 'password'],
      ['Search', 'password'],
      ['Password', 'username'],
      ['Code', 'card_number'],
      ['Sign in', 'password'],
    ] as const)
      expect(await fillNamed(url, name, field), name).toMatchObject({ code: 'VAULT_REFUSED' });
    const swapped = await fillNamed(`${at('shop.localhost')}/swaps`, 'Password', 'password');
    expect(swapped).toMatchObject({ code: 'VAULT_REFUSED' });
    expect(swapped.detail).toContain('type text');
  });

  test('fills nothing when the page has gone elsewhere since the list', async () => {
    const [field] = await open(`${at('shop.localhost')}/redirects`);
    for (const socket of sockets) socket.send('go');
    await hasMoved.promise;
    const body = await fill(field?.id ?? '', 'password');
    expect(['VAULT_REFUSED', 'ACTION_STALE']).toContain(body.code);
  });

  test('fills a code into boxes of one character', async () => {
    const body = await fillNamed(`${at('shop.localhost')}/boxes`, 'Digit', 'totp');
    expect(body.code).toBeUndefined();
  });

  test('takes a placeholder only as the whole value of a field, and only of an entry and field that exist', async () => {
    const actions = await open(`${at('shop.localhost')}/form`);
    const action_id = actions.find(({ name }) => name === 'Password')?.id;
    const code = async (body: object) =>
      (await post('/env/step', { session_id, action_id, ...body })).body.code;
    expect(await code({ value: 'x{{vault.shop.password}}' })).toBe('VAULT_REFUSED');
    expect(await code({ value: '{{vault.shop.pin}}' })).toBe('VAULT_REFUSED');
    expect(await code({ value: '{{vault.shop.note}}' })).toBe('VAULT_REFUSED');
    expect(await code({ value: '{{vault.bank.password}}' })).toBe('VAULT_ENTRY_NOT_FOUND');
    expect(await code({ action_id: 'S11', value: '{{vault.shop.password}}' })).toBe('VAULT_REFUSED');
  });

  test('leaves no value, and no part of one, in an answer, the log or the data folder', async () => {
    await post('/session/close', { session_id, screenshot: true });
    session_id = undefined;
    const digits = CARD.replaceAll(' ', '');
    const echoes = [
      'Umbrella',
      PASSWORD.toUpperCase(),
      'allerbmU',
      'U m b r e',
      'U\u200bm\u200bb',
      '<b>U</b><b>m</b>',
    ];
    const secrets = [PASSWORD, ...echoes, btoa(PASSWORD).slice(0, 24), USER, SEED, CARD, digits];
    // Four digits are in many an id, a time and a picture: those of the card stand in the sentence of the page only.
    const ends = [`${digits.slice(0, 4)} /`, `/ ${digits.slice(0, 4)}`, `in ${digits.slice(-4)}`];
    const holds = (text: string, secret: string): boolean => text.includes(secret);
    const log = JSON.stringify([product.logLines, product.started.warnings]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(0);
    for (const secret of [...secrets, ...ends]) {
      expect(
        answers.filter(answer => holds(answer, secret)),
        secret,
      ).toEqual([]);
      expect(holds(log, secret), `${secret} in the log`).toBe(false);
      for (const file of files)
        expect(holds(readFileSync(file, 'utf8'), secret), `${secret} in ${file}`).toBe(false);
    }
  });
});

test('A seed gives the codes of RFC 6238', () => {
  const seed = (algorithm: string, text: string) =>
    parseTotpSeed(`otpauth://totp/x?digits=8&algorithm=${algorithm}&secret=${text}`);
  const sha1 = seed('SHA1', SEED);
  const codes = [59, 1111111109, 20000000000].map(seconds =>
    sha1 === null ? '' : totpCode(sha1, seconds * 1_000),
  );
  expect(codes).toEqual(['94287082', '07081804', '65353130']);
  expect(parseTotpSeed('not base32!')).toBeNull();
  expect(seed('MD5', SEED)).toBeNull();
});
