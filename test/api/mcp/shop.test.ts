import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PracticeShop, startPracticeShop } from '../../../src/demo/practiceShop.ts';
import { client2025, type McpClient, modernClient, plainClient } from '../../support/mcpClients.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
let shop: PracticeShop;
beforeAll(async () => {
  product = await startTestProduct();
  shop = await startPracticeShop();
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

const CLIENTS: [string, (url: string, key: string) => McpClient | Promise<McpClient>][] = [
  ['the official client of 2026-07-28', modernClient],
  ['the official client of 2025', client2025],
  ['plain JSON, as curl sends it', plainClient],
];

describe('/mcp', () => {
  it.each(CLIENTS)('lets %s use the shop to its end', async (_name, connect) => {
    await using client = await connect(product.url, product.key);
    const call = async (name: string, args: object) => {
      const { content, isError, structuredContent } = await client.call(name, args);
      expect(isError ?? false, content[0].text).toBe(false);
      return { text: content[0].text as string, id: structuredContent.session_id as string };
    };
    const started = await call('start', {});
    const session_id = started.id;
    const page = await call('observe', { session_id, url: shop.url });
    const whole = await call('observe', { session_id, text: true });
    expect(whole.text).toContain('\n> "Handmade papers from three mills');
    const add = /(B\d+) "Add to basket"/.exec(page.text)?.[1];
    await call('step', { session_id, action_id: 'I1', value: 'cotton' });
    const weight = await call('step', { session_id, action_id: 'I2', value: '300 g' });
    const [, changes = ''] = /\nChanges:\n([\s\S]*?)\n# /.exec(weight.text) ?? [];
    expect(changes).toMatch(/^~ I2 .*300 g/m);
    expect(Buffer.byteLength(changes)).toBeLessThan(200);
    const added = await call('step', { session_id, action_id: add });
    expect(added.text).toContain('1 paper in your basket.');
    expect(added.text).toContain('"1 in the basket · The Paper Shop"');
    const waited = await call('wait', { session_id, for: 'text "1 paper in your basket."', seconds: 5 });
    expect(waited.id).toBe(session_id);
    const content = await call('scrape', { session_id });
    expect(content.text).toContain('1 paper in your basket.');
    const extract = { type: 'object', properties: { title: { type: 'string', selector: 'h1' } } };
    const values = await call('scrape', { session_id, extract });
    expect(values.text).toContain('{"title":"All papers"}');
    const links = await call('scrape', { session_id, links: true, only_main_content: false });
    expect(links.text).toContain(`](${shop.url}about)`);
    expect((await call('close', { session_id })).text).toBe(`session ${session_id}, closed`);
  });

  it('a stale action has isError, the code, what to do, and the list as it is now', async () => {
    const client = plainClient(product.url, product.key);
    const page = await client.call('observe', { url: shop.url });
    const { session_id } = page.structuredContent;
    await client.call('step', { session_id, action_id: 'L2' });
    const stale = await client.call('step', { session_id, action_id: 'B2' });
    expect(stale.isError).toBe(true);
    expect(stale.content[0].text).toMatch(
      /^ACTION_STALE: [\s\S]*\nsession \S+\n# .*About us[\s\S]*L1\S* "All papers"/,
    );
  });
});

describe('An answer of /mcp', () => {
  it('is the list of another page, without the same lines as additions before it', async () => {
    const client = plainClient(product.url, product.key);
    const { structuredContent } = await client.call('observe', { url: shop.url });
    const { session_id } = structuredContent;
    const other = await client.call('step', { session_id, action_id: 'L3' });
    expect(other.content[0].text).toContain('I1 "Name", required');
    expect(other.content[0].text).not.toContain('Changes:');
    const same = await client.call('step', { session_id, action_id: 'I1', value: 'ada' });
    expect(same.content[0].text).toContain('Changes:\n~ I1');
  });

  it('tells nothing twice in a failure', async () => {
    const client = plainClient(product.url, product.key);
    const { structuredContent } = await client.call('observe', { url: shop.url });
    const { session_id } = structuredContent;
    const unknown = await client.call('step', { session_id, action_id: 'B99' });
    expect(unknown.content[0].text).toBe(
      `ACTION_NOT_FOUND: B99 was never listed in this session. Choose an id of the latest observation.\nsession ${session_id}`,
    );
    const blocked = await client.call('observe', { session_id, url: 'http://10.0.0.1/' });
    expect(blocked.content[0].text.match(/private/gi)).toHaveLength(1);
  });
});
