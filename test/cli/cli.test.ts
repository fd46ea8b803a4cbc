import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/cli/exitCode.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { FAILURES } from '../../src/domain/failure/failures.ts';
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
  runProgram(args, { XDG_CONFIG_HOME: home, ...env }).result;

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
    const nothing = await run(['close'], { ...empty, PAGESPACE_API_KEY: product.key });
    expect(nothing.err).toContain('pagespace open <url>');
    expect((await run(['do'])).code).toBe(2);
    expect((await run(['list', '--status', 'open'])).err).toContain('The states are valid, excluded');
    expect((await run(['--help'])).code).toBe(0);
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
