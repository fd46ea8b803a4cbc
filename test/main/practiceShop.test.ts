import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/freePort.ts';
import { type RunningProgram, runProgram } from './runProgram.ts';

const SHOP = /Shop\s+(http:\/\/127\.0\.0\.1:(\d+)\/)/;

const folder = mkdtempSync(join(tmpdir(), 'pagespace-shop-'));
const running: RunningProgram[] = [];

async function serve(name: string, env: Record<string, string> = {}) {
  const program = runProgram(['serve'], {
    PORT: '0',
    PAGESPACE_DATA_DIR: join(folder, name),
    PAGESPACE_WARM_CONTEXTS: '0',
    ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
    ...env,
  });
  running.push(program);
  const [out] = await program.waitForOutput(/listens on (\S+)[\s\S]*\ncurl /);
  const url = /listens on (\S+)/.exec(out)?.[1] ?? '';
  const key = /psk_\w+/.exec(program.out())?.[0] ?? '';
  const observe = async (page: string) => {
    const response = await fetch(`${url}/env/observe`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: page }),
    });
    return { status: response.status, body: await response.json() };
  };
  return { program, url, observe };
}

afterAll(async () => {
  for (const { child, result } of running) {
    child.kill('SIGKILL');
    await result;
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('The practice shop', () => {
  let service: Awaited<ReturnType<typeof serve>>;
  let shopUrl: string;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    service = await serve('first', { PORT: String(port) });
    shopUrl = SHOP.exec(service.program.out())?.[1] ?? '';
  });

  it('is served on the port after the one of the service, and sessions may open it', async () => {
    expect(shopUrl).toBe(`http://127.0.0.1:${port + 1}/`);
    const { status, body } = await service.observe(shopUrl);
    expect(status).toBe(200);
    expect(body.metadata.page_title).toBe('All papers · The Paper Shop');
  });

  it("leaves the service's own address blocked, other names of the machine, and its other ports", async () => {
    const shopPort = new URL(shopUrl).port;
    for (const blocked of [service.url, `http://localhost:${shopPort}/`, 'http://127.0.0.1:1/']) {
      const { status, body } = await service.observe(blocked);
      expect({ blocked, status, code: body.code }).toEqual({ blocked, status: 403, code: 'URL_BLOCKED' });
    }
  });

  it('has nothing but the shop behind its listener', async () => {
    for (const path of ['health', 'metrics', 'graphql', 'docs', 'sessions', '../etc/passwd'])
      expect((await fetch(new URL(path, shopUrl))).status).toBe(404);
  });

  it('is the page of the examples of the home page', async () => {
    expect(await (await fetch(service.url)).text()).toContain(`&#34;url&#34;: &#34;${shopUrl}&#34;`);
  });
});

describe('PAGESPACE_PRACTICE_SHOP', () => {
  it('turns the shop off: its address stays blocked', async () => {
    const port = await freePort();
    const { program, observe } = await serve('off', { PORT: String(port), PAGESPACE_PRACTICE_SHOP: 'off' });
    expect(program.out()).not.toMatch(SHOP);
    expect((await observe(`http://127.0.0.1:${port + 1}/`)).status).toBe(403);
  });

  it('is off where other machines can reach the service, which says once that keys travel without TLS', async () => {
    const { program } = await serve('public', { HOST: '0.0.0.0' });
    expect(program.out()).not.toMatch(SHOP);
    expect(program.err().match(/other machines can reach this service without TLS/g)).toHaveLength(1);
  });

  it('names a port that must be free', async () => {
    const other = createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    other.listen(0, '127.0.0.1', resolve);
    await promise;
    const { port } = other.address() as { port: number };
    const { result } = runProgram(['serve'], {
      PORT: '0',
      PAGESPACE_DATA_DIR: join(folder, 'taken'),
      ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
      PAGESPACE_PRACTICE_SHOP: String(port),
    });
    const { code, err } = await result;
    other.close();
    expect(code).toBe(1);
    expect(err).toContain(
      `The practice shop cannot listen on port ${port} of 127.0.0.1. Set PAGESPACE_PRACTICE_SHOP to another port.`,
    );
  });
});
