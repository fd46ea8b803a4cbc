import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let proxy: { url: string; close(): void };

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  proxy = await authorizingProxy(product.url, product.key);
});
afterAll(async () => {
  proxy.close();
  await product[Symbol.asyncDispose]();
});

/** The conformance suites send no key. This proxy adds it, and passes on everything else. */
async function authorizingProxy(target: string, key: string) {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { url: path, method } = incoming;
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const onward = httpRequest({ hostname, port, path, method, headers }, response => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}

const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Runs a suite. It exits with 0 if exactly the scenarios of the list fail. */
async function runSuite(suite: string, list: string, ...args: string[]) {
  const given = ['--url', proxy.url, '--expected-failures', file(`test/fixtures/mcp/${list}`), ...args];
  const child = spawn(process.execPath, [file(`node_modules/${suite}/dist/index.js`), 'server', ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

describe('/mcp passes the official conformance suite', () => {
  it.each([
    ['for 2026-07-28', 'mcp-conformance-2026', 'conformance-2026.yml', '--requirements', '2026-07-28'],
    ['for the revisions of 2025', 'mcp-conformance-2025', 'conformance-2025.yml'],
  ])('%s, except what needs fixture tools, prompts or tasks', async (_era, suite, list, ...args) => {
    const { code, output } = await runSuite(suite, list, ...args);
    expect(code, output).toBe(0);
    expect(output).toMatch(/✓ tools-list: [1-9]\d* passed, 0 failed/);
    expect(output).toMatch(/✓ dns-rebinding-protection: 2 passed, 0 failed/);
  });
});
