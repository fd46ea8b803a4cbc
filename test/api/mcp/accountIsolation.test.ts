import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MCP_TOOLS } from '../../../src/api/mcp/mcpTools.ts';
import { SESSION_PARTS, sessionUri } from '../../../src/api/mcp/sessionResources.ts';
import { callApi } from '../../support/callApi.ts';
import { postMcp } from '../../support/mcpClients.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let stranger: string;
let session: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  const { store, clock } = product.started;
  stranger = (await addAccount(store, clock, 'stranger')).key;
  const { body } = await callApi(product.url, 'POST', '/session/start', { key: product.key, body: {} });
  session = body.session_id;
});
afterAll(() => product[Symbol.asyncDispose]());

describe('MCP responds to a session of another account as to one that does not exist', () => {
  const unknown = '0b4a7c5e-0000-4000-8000-000000000000';
  const ask = async (method: string, paramsFor: (id: string) => object) => {
    const texts = [session, unknown].map(async id => {
      const { body } = await postMcp(product.url, stranger, { id: 1, method, params: paramsFor(id) });
      return JSON.stringify(body).replaceAll(id, 'ID');
    });
    const [theirs, missing] = await Promise.all(texts);
    expect(theirs).toBe(missing);
    expect(theirs).toMatch(/_NOT_FOUND|Resource not found/);
  };

  const takingSession = MCP_TOOLS.filter(
    ({ listing }) => 'session_id' in (listing.inputSchema.properties ?? {}),
  );
  test.each(takingSession.map(({ listing }) => listing.name))('tool %s', async name => {
    const more: Readonly<Record<string, object>> = {
      step: { action_id: 'L1' },
      wait: { for: 'network quiet' },
      request_take_over: { instructions: 'Sign in' },
    };
    await ask('tools/call', id => ({ name, arguments: { session_id: id, ...more[name] } }));
  });

  test.each(SESSION_PARTS)('resource %s', async part => {
    await ask('resources/read', id => ({ uri: sessionUri(id, part) }));
  });
});
