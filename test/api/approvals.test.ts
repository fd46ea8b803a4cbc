import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiResponse, callApi, callGraphql } from '../support/callApi.ts';
import { type ManualClock, manualClock } from '../support/manualClock.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
let pages: ServedPages;
let agent: string;
let clock: ManualClock;
let session_id: string;
let send: string;
const sent: string[] = [];
const sockets: { send(text: string): void }[] = [];
const swapped = Promise.withResolvers<void>();
let agentId: string;

beforeAll(async () => {
  pages = await servePages(
    {
      '/': '<title>Order</title><form action=/sent><label>Name <input name=n></label><button>Send</button></form>',
      '/sent': (request, response) => {
        sent.push(request.url ?? '');
        response.end('<title>Sent</title>');
      },
      '/swaps': `<title>Swaps</title><form action=/sent><button id=b>Send</button></form><script>
        new WebSocket('ws://' + location.host).onmessage = () => { b.textContent = 'Send everything'; fetch('/swapped') }</script>`,
      '/swapped': (_, response) => {
        swapped.resolve();
        response.end();
      },
    },
    socket => sockets.push(socket),
  );
  clock = manualClock();
  product = await startTestProduct({ clock });
  const policy = { requireApproval: ['SUBMIT'], approvalMinutes: 2 };
  const create = `mutation ($policy: KeyPolicyInput) { createApiKey(input: { name: "agent", policy: $policy }) { key apiKey { id } } }`;
  const { body } = await callGraphql(product.url, product.key, create, { policy });
  agent = body.data.createApiKey.key;
  agentId = body.data.createApiKey.apiKey.id;
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const post = (key: string, path: string, body: object) => callApi(product.url, 'POST', path, { key, body });
const step = (action_id: string) => post(agent, '/env/step', { session_id, action_id });

async function pending(): Promise<{ id: string; description: string; kinds: string[] }> {
  return vi.waitFor(async () => {
    const query = `{ session(id: "${session_id}") { runningOperation { approval { id description kinds actionId } } } }`;
    const { body } = await callGraphql(product.url, product.key, query);
    const { approval } = body.data.session.runningOperation ?? {};
    expect(approval).toMatchObject({ actionId: send });
    return approval;
  }, 20_000);
}

const decide = (
  key: string,
  name: 'approve' | 'deny',
  approval_id: string,
  more: object = {},
): Promise<ApiResponse> => post(key, `/session/${name}`, { session_id, approval_id, ...more });

describe('A step that needs an approval', () => {
  test('waits for a person, happens once, and is written in the audit log', async () => {
    const opened = await post(agent, '/env/observe', { url: pages.url, keep_alive: true });
    session_id = opened.body.session.session_id;
    const id = (name: string) =>
      opened.body.space.actions.find((action: { name: string }) => action.name === name).id;
    send = id('Send');
    // A step of another kind does not wait.
    const typed = await post(agent, '/env/step', { session_id, action_id: id('Name'), value: 'Ann' });
    expect(typed.status).toBe(200);

    const denied = step(send);
    const first = await pending();
    expect(first).toMatchObject({ kinds: ['SUBMIT'] });
    expect(first.description).toContain('Send');
    expect((await decide(agent, 'approve', first.id)).body.code).toBe('POLICY_REFUSED');
    expect((await decide(product.key, 'deny', first.id, { reason: 'Too expensive.' })).status).toBe(200);
    expect((await denied).body).toMatchObject({
      code: 'APPROVAL_REFUSED',
      detail: expect.stringContaining('Too expensive.'),
    });
    expect(sent).toEqual([]);

    const approved = step(send);
    const second = await pending();
    expect((await decide(product.key, 'approve', first.id)).body.code).toBe('APPROVAL_NOT_FOUND');
    expect((await decide(product.key, 'approve', second.id)).status).toBe(200);
    expect((await approved).body.metadata.title).toBe('Sent');
    expect(sent).toEqual(['/sent?n=Ann']);
    expect((await decide(product.key, 'approve', second.id)).body.code).toBe('APPROVAL_NOT_FOUND');

    const log = await callGraphql(product.url, product.key, '{ auditLog(first: 3) { action subject } }');
    expect(log.body.data.auditLog).toEqual([
      { action: 'approval.granted', subject: session_id },
      { action: 'approval.denied', subject: session_id },
      { action: 'key.created', subject: expect.any(String) },
    ]);
  });

  test('fails when nobody has decided in time', async () => {
    const opened = await post(agent, '/env/observe', { session_id, url: pages.url });
    send = opened.body.space.actions.find((action: { name: string }) => action.name === 'Send').id;
    const waiting = step(send);
    await pending();
    clock.advance(120_000);
    expect((await waiting).body).toMatchObject({ status: 403, code: 'APPROVAL_REFUSED' });
    expect(sent).toHaveLength(1);
  });

  test('is not performed on what the page has put in the place of the element', async () => {
    const opened = await post(agent, '/env/observe', { session_id, url: `${pages.url}/swaps` });
    send = opened.body.space.actions.find((action: { name: string }) => action.name === 'Send').id;
    const waiting = step(send);
    const { id } = await pending();
    for (const socket of sockets) socket.send('go');
    await swapped.promise;
    await decide(product.key, 'approve', id);
    expect((await waiting).body.code).toBe('ACTION_STALE');
    expect(sent).toHaveLength(1);
  });

  test('is not performed for a key that has been revoked meanwhile', async () => {
    const create = `mutation { createApiKey(input: { name: "other", policy: { requireApproval: [SUBMIT] } }) { key apiKey { id } } }`;
    const { key, apiKey } = (await callGraphql(product.url, product.key, create)).body.data.createApiKey;
    const own = session_id;
    const opened = await post(key, '/env/observe', { url: pages.url, keep_alive: true });
    session_id = opened.body.session.session_id;
    send = opened.body.space.actions.find((action: { name: string }) => action.name === 'Send').id;
    const waiting = post(key, '/env/step', { session_id, action_id: send });
    const { id } = await pending();
    await callGraphql(product.url, product.key, `mutation { revokeApiKey(id: "${apiKey.id}") { id } }`);
    await decide(product.key, 'approve', id);
    expect((await waiting).body.code).toBe('REVOKED_API_KEY');
    expect(sent).toHaveLength(1);
    session_id = own;
  });

  test('follows the policy that the key has when it is performed', async () => {
    const opened = await post(agent, '/env/observe', { session_id, url: pages.url });
    send = opened.body.space.actions.find((action: { name: string }) => action.name === 'Send').id;
    const waiting = step(send);
    const { id } = await pending();
    const change = `mutation ($id: ID!, $policy: KeyPolicyInput) { setKeyPolicy(id: $id, policy: $policy) { id } }`;
    await callGraphql(product.url, product.key, change, { id: agentId, policy: { denySteps: ['SUBMIT'] } });
    await decide(product.key, 'approve', id);
    expect((await waiting).body.code).toBe('POLICY_REFUSED');
    expect(sent).toHaveLength(1);
  });
});
