import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type InstallMethod,
  installBrowser,
  NoBrowserError,
  playwrightInstall,
} from '../../src/setup/installBrowser.ts';

let folder: string;
let browser: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-browser-'));
  browser = join(folder, 'chromium');
  lines = [];
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function putBrowser(exitCode = 0): void {
  writeFileSync(browser, `#!/bin/sh\nexit ${exitCode}\n`);
  chmodSync(browser, 0o755);
}

const report = (line: string) => void lines.push(line);
const way = (name: string, more: Partial<InstallMethod> = {}): InstallMethod => ({
  name,
  unavailableReason: async () => null,
  install: async () => {},
  ...more,
});
const works = way('works', { install: async () => putBrowser() });
const never = way('never', {
  unavailableReason: async () => {
    throw new Error('This way must not be tried.');
  },
});

const find = () => browser;

describe('installing a browser', () => {
  it('answers the browser of the first way that works, and tries no other', async () => {
    expect(await installBrowser([works, never], find, report)).toBe(browser);
    expect(lines).toEqual(['installing a browser: works']);
  });

  it('goes on to the next where a way is unavailable, saying why', async () => {
    const unavailable = way('unavailable', { unavailableReason: async () => 'no network' });
    expect(await installBrowser([unavailable, works], find, report)).toBe(browser);
    expect(lines).toEqual(['unavailable: no network', 'installing a browser: works']);
  });

  it('goes on to the next where a way fails', async () => {
    const fails = way('fails', {
      install: async () => {
        throw new Error('it exited with code 100');
      },
    });
    expect(await installBrowser([fails, works], find, report)).toBe(browser);
    expect(lines).toContain('fails: it exited with code 100');
  });

  it('goes on to the next where the browser that came does not start', async () => {
    const broken = way('broken', { install: async () => putBrowser(127) });
    expect(await installBrowser([broken, works], find, report)).toBe(browser);
    expect(lines).toContain('broken: it ended with exit code 127');
  });

  it('says why each way failed and what to run when none works', async () => {
    const unavailable = way('first way', { unavailableReason: async () => 'no network' });
    const empty = way('second way');
    const refused = await installBrowser([unavailable, empty], () => null, report).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(NoBrowserError);
    expect(String(refused)).toContain(
      'first way: no network\n  second way: the installation succeeded, but no browser was found',
    );
    expect(String(refused)).toContain('npx playwright install --with-deps chromium-headless-shell');
    expect(String(refused)).toContain('CHROMIUM_PATH');
  });
});

describe("Playwright's way", () => {
  it('is unavailable where the download host does not answer', async () => {
    vi.stubEnv('PLAYWRIGHT_DOWNLOAD_HOST', 'http://127.0.0.1:1');
    expect(await playwrightInstall.unavailableReason()).toBe('http://127.0.0.1:1 does not answer');
  });

  it('is open where the download host answers, whatever it answers', async () => {
    const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Sound: a listening TCP server has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('PLAYWRIGHT_DOWNLOAD_HOST', `http://127.0.0.1:${port}`);
    expect(await playwrightInstall.unavailableReason()).toBeNull();
    server.closeAllConnections();
    server.close();
  });
});
