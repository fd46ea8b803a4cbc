import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/cli/terminal.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { FAILURES } from '../../src/domain/failure/failures.ts';
import { dataFolder } from '../../src/store/files/dataFolder.ts';
import { runProgram } from '../main/runProgram.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
let shop: PracticeShop;
const home = mkdtempSync(join(tmpdir(), 'pagespace-cli-'));

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  shop = await startPracticeShop();
  mkdirSync(join(home, 'pagespace'));
  const config = JSON.stringify({ url: product.url, key: product.key });
  writeFileSync(join(home, 'pagespace', 'config.json'), config);
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram(args, { XDG_CONFIG_HOME: home, PAGESPACE_DATA_DIR: join(home, 'data'), ...env }).result;

describe('pagespace on the command line', () => {
  it('opens a page, lists its actions, performs one, reads the page and closes the session', async () => {
    const opened = await run(['open', shop.url]);
    expect(opened).toMatchObject({ code: 0, err: '' });
    expect(statSync(join(home, 'pagespace', 'session.json')).mode & 0o777).toBe(0o600);
    expect(opened.out).toMatch(
      /^session [0-9a-f-]{36}, observation O1\n"http:\S+" "All papers · The Paper Shop"\n# /,
    );
    expect(opened.out).toContain('"About us"');
    const picture = join(home, 'shot.png');
    const listed = await run(['list', '--search', 'about', '--status', 'covered,valid', '--text', '--json']);
    const { space, session } = JSON.parse(listed.out);
    expect(space.actions.map(({ id }: { id: string }) => id)).toEqual(['L2']);
    const unmet = await run(['list', '--wait-for', 'text "Nobody says this"']);
    expect(unmet).toMatchObject({ code: 8, err: expect.stringContaining('WAIT_TIMEOUT') });
    const done = await run(['do', 'l2', '--screenshot', picture, '--wait-for', 'text "since 1921"']);
    expect(done.out).toContain('"About us · The Paper Shop"');
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
    const read = await run(['read']);
    expect(read.out).toContain('since 1921');
    const closed = await run(['close']);
    expect(closed.out).toBe(`session ${session.id}, closed\n`);
    expect(existsSync(join(home, 'pagespace', 'session.json'))).toBe(false);
  });

  it('starts a session with options, and refuses those that are none before it does', async () => {
    const options = {
      locale: 'de-DE',
      color_scheme: 'dark',
      block: ['ads', 'media'],
      viewport: { width: 900, height: 700 },
    };
    const opened = await run(['open', shop.url, '--json', '--options', JSON.stringify(options)]);
    const { session } = JSON.parse(opened.out);
    const read = await fetch(`${product.url}/session/${session.id}`, {
      headers: { authorization: `Bearer ${product.key}` },
    });
    expect((await read.json()).options).toEqual(options);
    const count = product.started.browsers.sessionCount;
    const refused = await run(['open', shop.url, '--options', '{"colour":"red"}']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('colour') });
    expect(product.started.browsers.sessionCount).toBe(count);
    await run(['close', '--session', session.id]);
  });

  it('exits with the code of the failure, and prints the failure as JSON with --json', async () => {
    const { session } = JSON.parse((await run(['open', shop.url, '--json'])).out);
    const unknown = await run(['do', 'B99', '--json', '--session', session.id]);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(/^pagespace: ACTION_NOT_FOUND: B99/);
    expect(JSON.parse(unknown.out)).toMatchObject({ code: 'ACTION_NOT_FOUND', retryable: false });
    const blocked = await run(['open', 'http://10.0.0.1/']);
    expect(blocked).toMatchObject({ code: 3, out: '' });
    // The session of the page that did not open is closed, and the one before is still remembered.
    expect(product.started.browsers.sessionCount).toBe(1);
    const strangers = await run(['list', '--session', session.id, '--key', 'psk_wrong']);
    expect(strangers.code).toBe(3);
    const missing = await run(['list'], { PAGESPACE_SESSION: crypto.randomUUID() });
    expect(missing.code).toBe(4);
  });

  it('exits with 2 and a hint without a key, a session or valid arguments', async () => {
    const empty = { XDG_CONFIG_HOME: join(home, 'none') };
    const keyless = await run(['list'], empty);
    expect(keyless).toMatchObject({ code: 2, out: '' });
    expect(keyless.err).toMatch(/PAGESPACE_API_KEY/);
    expect(keyless.err).toMatch(/`npm start` in \S+ starts a service, whose key is then found/);
    const nothing = await run(['read'], { ...empty, PAGESPACE_API_KEY: product.key });
    expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('pagespace open <url>') });
    expect((await run(['do'])).code).toBe(2);
    expect((await run(['list', '--status', 'open'])).err).toContain('The states are valid, excluded');
    expect((await run(['--help'])).code).toBe(0);
  });
});

describe('pagespace do', () => {
  it('prints the difference, and the list only with --list or when the page is another one', async () => {
    const product = await startTestProduct();
    const env = { PAGESPACE_URL: product.url, PAGESPACE_API_KEY: product.key };
    try {
      await run(['open', shop.url], env);
      const added = await run(['do', 'B2'], env);
      expect(added.out).toMatch(/^"http:\S+" "1 in the basket · The Paper Shop"\n! status "1 paper/);
      expect(added.out).not.toContain('All papers"');
      expect((await run(['do', 'B2', '--list'], env)).out).toContain('"Samples"');
      expect((await run(['do', 'L2'], env)).out).toMatch(/^session \S+, observation \S+\n[\s\S]*# "About us/);
      await run(['close'], env);
    } finally {
      await product[Symbol.asyncDispose]();
    }
  });
});

describe('The other commands of a session', () => {
  it('list sessions and events, write a picture, and pass files', async () => {
    const { session } = JSON.parse((await run(['open', shop.url, '--json'])).out);
    expect((await run(['sessions'])).out).toMatch(
      new RegExp(`^${session.id}  active  .*The Paper Shop$`, 'm'),
    );
    const events = (await run(['events'])).out.split('\n');
    expect(events[0]).toMatch(/^ {2}1 {2}\S+ {2}created$/);
    expect(events[1]).toMatch(/^ {2}2 {2}\S+ {2}observed {3}http:\S+ {2}\d+$/);
    expect((await run(['events', '--json'])).out).toContain('"caller":{"kind":"CLI"');
    expect(await run(['console'])).toMatchObject({ code: 0, out: '' });
    expect(await run(['network'])).toMatchObject({ code: 0, out: '' });
    expect((await run(['export'])).out).toMatch(/^# Session\n[\s\S]*opened `http:/);
    const file = join(home, 'page.png');
    expect((await run(['screenshot', file])).out).toMatch(/page\.png, \d+ bytes\n$/);
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
    expect((await run(['upload', file])).out).toMatch(/^U1 {2}\d+ bytes {2}page\.png\n$/);
    expect(await run(['download'])).toMatchObject({
      code: 0,
      err: 'pagespace: The session has no downloads.\n',
    });
    expect((await run(['upload', join(home, 'nowhere')])).code).toBe(2);
    expect((await run(['close'])).code).toBe(0);
    expect(await run(['close'])).toMatchObject({ code: 0, err: 'pagespace: No session is open.\n' });
    expect((await run(['sessions', '--all', '--json'])).out).toContain(session.id);
  });

  it('print one page without a session', async () => {
    expect((await run(['scrape', shop.url, '--text'])).out).toContain('Handmade papers');
  });

  it('write a downloaded file under its own name, once', async () => {
    const product = await startTestProduct();
    const env = { PAGESPACE_URL: product.url, PAGESPACE_API_KEY: product.key };
    try {
      const list = await run(['open', `${shop.url}samples`], env);
      const [, link = ''] = /(L\d+) "price list"/.exec(list.out) ?? [];
      await run(['do', link], env);
      expect((await run(['download'], env)).out).toMatch(/^D1 {2}64 bytes {2}prices\.csv\n$/);
      const output = join(home, 'prices.csv');
      await run(['download', 'd1', '--output', output], env);
      expect(readFileSync(output, 'utf8')).toContain('Flax,90,1.10');
    } finally {
      await product[Symbol.asyncDispose]();
    }
  });
});

describe('The service of this machine', () => {
  it('is found by its data folder, whose files only their owner may read', async () => {
    const data = join(home, 'own-data');
    const env = { XDG_CONFIG_HOME: join(home, 'none'), PAGESPACE_DATA_DIR: data };
    dataFolder(data).saveAccess(product.url, product.key);
    expect(['key', 'url'].map(name => statSync(join(data, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(await run(['sessions'], env)).toMatchObject({ code: 0 });
    expect((await run(['sessions', '--url', 'http://127.0.0.1:1'], env)).code).toBe(2);
    chmodSync(join(data, 'key'), 0o644);
    expect(await run(['sessions'], env)).toMatchObject({ code: 2, err: expect.stringMatching(/no API key/) });
    dataFolder(data).saveAccess('http://elsewhere.example:4000', product.key);
    expect((await run(['sessions'], env)).code).toBe(2);
  });
});

describe('On a terminal', () => {
  it('ids, headings and changes have colours', () => {
    const { stdout } = spawnSync(
      process.execPath,
      [
        '-e',
        `import('${new URL('../../src/cli/terminal.ts', import.meta.url)}').then(({ printList }) => printList('# "Shop"\\nB2 "Add"\\n+ B3 "Other"', true))`,
      ],
      { encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '1' } },
    );
    expect(stdout).toBe(
      '\x1b[1m# "Shop"\x1b[22m\n\x1b[1m\x1b[32mB2\x1b[39m\x1b[22m "Add"\n\x1b[32m+ \x1b[39m\x1b[1m\x1b[32mB3\x1b[39m\x1b[22m "Other"\n',
    );
  });

  it('completion knows the commands and their options', async () => {
    expect((await run(['complete', 'bash'])).out).toContain('bash completion for pagespace');
    expect((await run(['complete', '--', 'sc'])).out).toContain('screenshot');
    expect((await run(['complete', '--', 'do', '--en'])).out).toContain('--enter');
    expect((await run(['--help'])).out).toContain('pagespace do B2');
  });
});

describe('exitCodeOf', () => {
  it('gives each failure code a code from 1 to 9, and unknown ones 1', () => {
    const codes = Object.keys(FAILURES).map(exitCodeOf);
    expect(codes.every(code => code >= 1 && code <= 9)).toBe(true);
    expect(new Set(codes).size).toBe(9);
    expect(['CONNECTION_FAILED', 'CLIENT_TIMEOUT', 'NO_SUCH_CODE', 'ACTION_STALE'].map(exitCodeOf)).toEqual([
      9, 9, 1, 5,
    ]);
  });
});
