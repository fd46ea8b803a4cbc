/** Share links over the API: what a viewer without an account may do, and how their view ends. */
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { callApi, callGraphql } from '../../support/callApi.ts';
import type { FakeBrowserHost } from '../../support/fakeBrowserHost.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';

let product: TestProduct;
let pages: ServedPages;
beforeAll(async () => {
  pages = await servePages({ '/': '<title>A page</title><a href="/">Again</a>' });
  product = await startTestProduct({ browser: 'fake' });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const graphql = async (query: string, variables: object = {}, key = product.key) =>
  (await callGraphql(product.url, key, query, variables)).body;
const start = async (): Promise<string> => {
  const { body } = await callApi(product.url, 'POST', '/env/observe', {
    key: product.key,
    body: { url: `${pages.url}/`, keep_alive: true },
  });
  return body.session.session_id;
};
const CREATE = `mutation ($input: CreateShareLinkInput!) { createShareLink(input: $input) { path link { id mode expiresAt } } }`;
const REVOKE = `mutation ($input: RevokeShareLinkInput!) { revokeShareLink(input: $input) { id revokedAt } }`;
const share = async (sessionId: string, mode: 'READ' | 'CONTROL', minutes = 60) => {
  const { data } = await graphql(CREATE, { input: { sessionId, mode, minutes } });
  const { path, link } = data.createShareLink;
  return { linkId: link.id as string, path: path as string, secret: String(path).split('#')[1] ?? '' };
};
const open = async (secret: string) =>
  (await callApi(product.url, 'POST', '/dashboard/share', { body: { secret } })).body;
const revoke = (sessionId: string, linkId: string) => graphql(REVOKE, { input: { sessionId, linkId } });
/** Runs a persisted operation with the token of a visit, over HTTP. */
const run = async (token: string, documentId: string, variables: object) =>
  (await callApi(product.url, 'POST', '/graphql', { key: token, body: { documentId, variables } })).body;

interface View {
  /** Resolves with the code and the reason when the service closes the socket. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Runs an operation; resolves with its first result or its error. */
  send(payload: object): Promise<{ readonly data?: unknown; readonly code?: string }>;
}

/** Opens a socket with the token of a visit, as the dashboard does. */
function openView(token: string): View {
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  const client = createClient({
    url: `${product.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    connectionParams: { authorization: `Bearer ${token}` },
    onNonLazyError: () => {},
    on: {
      closed: event => {
        const { code, reason } = event as { code: number; reason: string };
        closed.resolve({ code, reason: String(reason) });
      },
    },
  });
  return {
    closed: closed.promise,
    send: async payload => {
      const results = client.iterate(payload as never);
      try {
        const { value } = await results.next();
        const { data, errors } = value as { data?: unknown; errors?: { extensions: { code: string } }[] };
        const code = errors?.[0]?.extensions.code;
        return { data, ...(code !== undefined && { code }) };
      } catch (errors) {
        return { code: (errors as { extensions: { code: string } }[])[0]?.extensions.code ?? 'none' };
      }
    },
  };
}

describe('a share link', () => {
  it('shows its session without an account, with the secret in no address, log or later answer', async () => {
    const id = await start();
    const { path, secret, linkId } = await share(id, 'READ');
    expect(path).toMatch(/^\/dashboard\/shared#psl_[\w-]{43}$/);
    const opened = await open(secret);
    expect(opened).toMatchObject({ sessionId: id, mode: 'read' });
    const { data } = await run(opened.token, 'DashSharedSession', { id });
    expect(data.session).toMatchObject({ id, status: 'ACTIVE', pageTitle: 'A page' });
    const LIST =
      'query ($id: ID!) { session(id: $id) { shareLinks { id mode views viewers revokedAt visits { isOpen } } } }';
    const list = await graphql(LIST, { id });
    expect(list.data.session.shareLinks).toMatchObject([{ id: linkId, mode: 'READ', views: 1, viewers: 0 }]);
    const view = openView(opened.token);
    await view.send({ query: '', documentId: 'DashSharedChange', variables: { sessionId: id } });
    const watched = await graphql(LIST, { id });
    expect(watched.data.session.shareLinks[0]).toMatchObject({ viewers: 1, visits: [{ isOpen: true }] });
    const { body: events } = await callApi(product.url, 'GET', `/session/${id}/events`, { key: product.key });
    expect(JSON.stringify([list, watched, events, product.logLines])).not.toMatch(/psl_|psv_/);
  });

  it.each([
    ['a text of the caller', { query: 'query ($id: ID!) { session(id: $id) { account { name } } }' }],
    ['another persisted operation', { documentId: 'DashViewer', variables: {} }],
    ['a step', { documentId: 'DashStep', variables: { input: { sessionId: '{id}', actionId: 'L1' } } }],
    ['a take-over', { documentId: 'DashTakeOver', variables: { input: { sessionId: '{id}', name: 'Eve' } } }],
    [
      'input',
      {
        documentId: 'DashSendInput',
        variables: { input: { sessionId: '{id}', holdId: '{id}', events: [] } },
      },
    ],
    [
      'another session',
      { documentId: 'DashSharedSession', variables: { id: '00000000-0000-4000-8000-000000000000' } },
    ],
  ])('for reading refuses %s, over HTTP and over the socket', async (_, sent) => {
    const id = await start();
    const { token } = await open((await share(id, 'READ')).secret);
    const payload = JSON.parse(JSON.stringify(sent).replaceAll('{id}', id));
    const { body } = await callApi(product.url, 'POST', '/graphql', { key: token, body: payload });
    expect(body.errors[0].extensions.code).toBe('SCOPE_DENIED');
    expect((await openView(token).send({ query: '', ...payload })).code).toBe('SCOPE_DENIED');
  });

  it('for reading sends nothing to the page, not even in the take-over of another person', async () => {
    const id = await start();
    const { token } = await open((await share(id, 'READ')).secret);
    const begun = await graphql(
      'mutation ($id: ID!) { takeOver(input: { sessionId: $id, name: "Ana" }) { holdId } }',
      { id },
    );
    const { holdId } = begun.data.takeOver;
    const variables = { input: { sessionId: id, holdId, events: [{ type: 'TEXT', text: 'from outside' }] } };
    const view = openView(token);
    const sent = await view.send({ query: '', documentId: 'DashSendInput', variables });
    expect(sent.code).toBe('SCOPE_DENIED');
    const renewed = await view.send({
      query: '',
      documentId: 'DashHold',
      variables: { sessionId: id, holdId },
    });
    expect(renewed.code).toBe('SCOPE_DENIED');
    const { leases } = product.started.browsers as FakeBrowserHost;
    expect(JSON.stringify([...leases].map(({ received }) => received))).not.toContain('from outside');
  });

  it('counts refused input as requests of the account', async () => {
    const { store, clock } = product.started;
    const { key } = await addAccount(store, clock, 'Limited', 'free');
    const view = openView(key);
    const id = crypto.randomUUID();
    const variables = { input: { sessionId: id, holdId: id, events: [] } };
    const codes = new Set<string | undefined>();
    for (let sent = 0; sent < 70; sent++)
      codes.add((await view.send({ query: '', documentId: 'DashSendInput', variables })).code);
    expect([...codes]).toEqual(['SESSION_NOT_FOUND', 'RATE_LIMITED']);
  });

  it('shows the pictures of no other session', async () => {
    const { token } = await open((await share(await start(), 'READ')).secret);
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}/session/${await start()}/frames`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const closed = Promise.withResolvers<number>();
    socket.on('message', () => closed.reject(new Error('A picture of another session was sent.')));
    socket.on('close', closed.resolve);
    expect(await closed.promise).toBe(4_403);
  });

  it('opens no other interface', async () => {
    const id = await start();
    const { token } = await open((await share(id, 'CONTROL')).secret);
    for (const [method, path, body] of [
      ['GET', `/session/${id}`],
      ['POST', '/env/observe', { session_id: id }],
      ['POST', '/session/take-over', { session_id: id, name: 'Eve' }],
      ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ] as const) {
      const { status } = await callApi(product.url, method, path, { key: token, ...(body && { body }) });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it('for control takes the session over, until it is revoked: then the view, the take-over and the link end', async () => {
    const id = await start();
    const { secret, linkId } = await share(id, 'CONTROL');
    const { token } = await open(secret);
    const view = openView(token);
    const begun = await view.send({
      query: '',
      documentId: 'DashTakeOver',
      variables: { input: { sessionId: id, name: 'Guest' } },
    });
    const { holdId } = (begun.data as { takeOver: { holdId: string } }).takeOver;
    const sent = { input: { sessionId: id, holdId, events: [{ type: 'TEXT', text: 'a' }] } };
    expect((await view.send({ query: '', documentId: 'DashSendInput', variables: sent })).code).toBe(
      undefined,
    );
    const { data } = await revoke(id, linkId);
    expect(data.revokeShareLink.revokedAt).not.toBe(null);
    expect(await view.closed).toEqual({ code: 4403, reason: 'SHARE_LINK_ENDED' });
    expect((await run(token, 'DashSharedSession', { id })).errors[0].extensions.code).toBe(
      'SHARE_LINK_ENDED',
    );
    expect((await open(secret)).code).toBe('SHARE_LINK_ENDED');
    const { body } = await callApi(product.url, 'GET', `/session/${id}/events`, { key: product.key });
    expect(body.events.at(-1)).toMatchObject({
      type: 'handed_back',
      holder: 'Guest',
      reason: 'The share link of the person was revoked.',
    });
  });

  it('of an unknown secret, and of another account, is refused', async () => {
    const id = await start();
    expect((await open('psl_unknown')).code).toBe('SHARE_LINK_ENDED');
    const { errors } = await revoke(id, id);
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
  });
});
