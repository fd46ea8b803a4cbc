import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { callApi } from '../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';
import { MAIN, NODE_COMPILE_CACHE } from './runProgram.ts';

let product: TestProduct;
let shop: PracticeShop;
const home = mkdtempSync(join(tmpdir(), 'pagespace-stdio-'));

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  shop = await startPracticeShop();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

async function connect(env: Record<string, string>, options: ClientOptions) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp'],
    env: { NODE_COMPILE_CACHE, XDG_CONFIG_HOME: home, PATH: process.env.PATH ?? '', HOME: home, ...env },
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    return { text: first?.text ?? '', isError, handles: structuredContent as { session_id: string } };
  };
  return { client, call, [Symbol.asyncDispose]: () => client.close() };
}

describe('pagespace mcp', () => {
  it.each([
    ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
    ['2025-11-25', { versionNegotiation: { mode: 'legacy' } }],
  ] as const)('serves the revision %s over stdio against a running service', async (_revision, options) => {
    await using mcp = await connect({ PAGESPACE_URL: product.url, PAGESPACE_API_KEY: product.key }, options);
    const page = await mcp.call('observe', { url: shop.url });
    const { session_id } = page.handles;
    expect(page.text).toContain('# ');
    expect((await mcp.call('step', { session_id, action_id: 'L2' })).text).toContain('About us');
    const { events } = (
      await callApi(product.url, 'GET', `/session/${session_id}/events?after=1`, { key: product.key })
    ).body;
    expect(events).toMatchObject([
      { type: 'observed', performed: { caller: { kind: 'mcp' } } },
      { type: 'stepped', performed: { caller: { kind: 'mcp' } } },
    ]);
    const failed = await mcp.call('step', { session_id, action_id: 'B99' });
    expect(failed).toMatchObject({ isError: true });
    expect(failed.text).toMatch(/^ACTION_NOT_FOUND: /);
    const picture = await mcp.client.readResource({ uri: `pagespace://sessions/${session_id}/picture` });
    expect(picture.contents[0]).toMatchObject({ mimeType: 'image/jpeg' });
    expect((await mcp.call('close', { session_id })).text).toBe(`session ${session_id}, closed`);
  });

  it('starts a service of its own without a key, and ends it', async () => {
    await using mcp = await connect({ PAGESPACE_WARM_CONTEXTS: '0', PAGESPACE_CHROMIUM_SANDBOX: 'auto' }, {});
    expect((await mcp.call('list_sessions', {})).text).toBe('There are no active sessions.');
  });

  it('answers every line that is no message, or has params that are not valid, and goes on', async () => {
    const server = spawn(process.execPath, [MAIN, 'mcp'], {
      env: {
        ...process.env,
        XDG_CONFIG_HOME: home,
        PAGESPACE_URL: product.url,
        PAGESPACE_API_KEY: product.key,
      },
    });
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const cases: readonly (readonly [string, id: number | null, code: number])[] = [
      ['no JSON', null, -32_700],
      ['null', null, -32_600],
      ['[]', null, -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":"initialize"}', 1, -32_602],
      ['{"jsonrpc":"2.0","id":2,"method":"initialize","params":null}', 2, -32_600],
      [
        '{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"1","capabilities":{"roots":5},"clientInfo":{"name":"x","version":"1"}}}',
        3,
        -32_602,
      ],
      ['{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":5}}', 4, -32_600],
      ['{"id":5,"method":"ping"}', 5, -32_600],
      ['{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":5}}', 6, -32_602],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32_600],
      [`"${'x'.repeat(10_500_000)}"`, null, -32_600],
    ];
    for (const [line, id, code] of cases) {
      server.stdin.write(`${line}\n\n`);
      const { value } = await lines.next();
      expect(JSON.parse(value ?? ''), line.slice(0, 200)).toMatchObject({ id, error: { code } });
    }
    server.stdin.end('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
    expect((await lines.next()).value).toBe('{"result":{},"jsonrpc":"2.0","id":7}');
    await once(server, 'exit');
  });
});
