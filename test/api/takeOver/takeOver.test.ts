/** The take-over of a session by a person, over REST, GraphQL and the WebSocket. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import type { FakeBrowserHost } from '../../support/fakeBrowserHost.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { startService } from '../../support/startService.ts';
import { overSocket } from '../../support/subscribe.ts';

let clock: ManualClock;
let product: TestProduct;
let pages: ServedPages;
beforeAll(async () => {
  clock = manualClock();
  pages = await servePages({
    '/': '<title>A page</title><a href="/two">Two</a>',
    '/two': '<title>Two</title><a href="/">Back</a>',
  });
  product = await startTestProduct({ browser: 'fake', clock });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

const rest = (path: string, body: object, headers: Record<string, string> = {}) =>
  callApi(product.url, 'POST', path, { key: product.key, body, headers });
const graphql = async (query: string, variables: object = {}) =>
  (await callGraphql(product.url, product.key, query, variables)).body;
const start = async (): Promise<string> => {
  const { body } = await rest('/session/start', {});
  await rest('/env/observe', { session_id: body.session_id, url: `${pages.url}/` });
  return body.session_id;
};
const request = (session_id: string, more: object = {}) =>
  rest('/session/request-take-over', { session_id, instructions: 'Please sign in.', ...more });
const takeOver = async (session_id: string, name = 'Ana'): Promise<string> =>
  (await rest('/session/take-over', { session_id, name })).body.hold_id;
const handBack = (session_id: string, hold_id?: string) =>
  rest('/session/hand-back', { session_id, ...(hold_id && { hold_id }) });
const observe = (session_id: string, more: object = {}) => rest('/env/observe', { session_id, ...more });
const INPUT = 'mutation ($input: SendInputInput!) { sendInput(input: $input) { copied } }';
const press = (sessionId: string, holdId: string, key: string) =>
  graphql(INPUT, {
    input: {
      sessionId,
      holdId,
      events: [
        { type: 'KEY_DOWN', key },
        { type: 'KEY_UP', key },
      ],
    },
  });
const eventsOf = async (id: string) => {
  const { body } = await callApi(product.url, 'GET', `/session/${id}/events`, { key: product.key });
  return body.events as Record<string, unknown>[];
};
const stateOf = async (id: string) =>
  (await callApi(product.url, 'GET', `/session/${id}`, { key: product.key })).body;

/** The rows of the audit log about a session, the oldest first: action, actor and details. */
const auditedOf = async (id: string) => {
  const { data } = await graphql('{ auditLog(first: 50) { action actor subject details } }');
  return data.auditLog
    .filter(({ subject }: { subject: string }) => subject === id)
    .map(({ action, actor, details }: Record<string, unknown>) => [action, actor, details])
    .reverse();
};

describe('a session that an agent has asked a person for', () => {
  it('says what it waits for, and refuses the agent with the time after which to try again', async () => {
    const id = await start();
    const asked = await request(id, { timeout_seconds: 120 });
    expect(asked.body.take_over).toMatchObject({
      status: 'waiting',
      instructions: 'Please sign in.',
      holder: null,
    });
    const { take_over } = await stateOf(id);
    expect(Date.parse(take_over.until) - Date.parse(take_over.since)).toBe(120_000);
    const refused = await observe(id);
    expect(refused.status).toBe(409);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body).toMatchObject({ code: 'TAKEN_OVER', session: { take_over: { status: 'waiting' } } });
    expect(refused.body.detail).toContain('Please sign in.');
  });

  it('works again when nobody has come in time, or when the agent withdraws', async () => {
    const id = await start();
    await request(id, { timeout_seconds: 60 });
    clock.advance(60_000);
    expect((await observe(id)).status).toBe(200);
    await request(id);
    expect((await handBack(id)).body.take_over).toBe(null);
    expect((await observe(id)).status).toBe(200);
    const ends = (await eventsOf(id)).filter(({ type }) => type === 'handed_back');
    expect(ends).toMatchObject([
      { holder: null, inputs: 0, reason: 'Nobody came within 60 seconds.' },
      { holder: null, inputs: 0, reason: 'The request was withdrawn.' },
    ]);
  });

  it('does not time out while it waits and while a person has it', async () => {
    const id = await start();
    await request(id, { timeout_seconds: 3_600 });
    clock.advance(40 * 60_000);
    const hold = await takeOver(id);
    expect(await stateOf(id)).toMatchObject({ status: 'active', expires_at: null });
    await handBack(id, hold);
    expect((await stateOf(id)).expires_at).not.toBe(null);
  });
});

describe('a session that a person has', () => {
  it('is held by one person, whom a second one and the agent are told', async () => {
    const id = await start();
    const hold = await takeOver(id);
    const second = await rest('/session/take-over', { session_id: id, name: 'Ben' });
    expect(second.body).toMatchObject({
      code: 'TAKEN_OVER',
      detail: 'This session is held by Ana. Nothing was done.',
    });
    expect((await observe(id)).body.detail).toContain('held by Ana');
    expect((await handBack(id)).body.code).toBe('TAKEN_OVER');
    const renewed = await rest('/session/take-over', { session_id: id, name: 'Ana', hold_id: hold });
    expect(renewed.body.hold_id).toBe(hold);
    await handBack(id, hold);
    const after = await press(id, hold, 'a');
    expect(after.errors[0].extensions.code).toBe('TAKE_OVER_ENDED');
  });

  it("performs that person's own operations, named by the header X-Pagespace-Hold", async () => {
    const id = await start();
    const hold = await takeOver(id);
    const own = await rest('/env/step', { session_id: id, action_id: 'L1' }, { 'x-pagespace-hold': hold });
    expect(own.body.metadata.url).toBe(`${pages.url}/two`);
    const other = await rest('/env/step', { session_id: id, action_id: 'L1' }, { 'x-pagespace-hold': id });
    expect(other.body.code).toBe('TAKEN_OVER');
    await handBack(id, hold);
  });

  it('tells the agent afterwards the difference since its own last observation, and what the person did', async () => {
    const id = await start();
    const hold = await takeOver(id);
    for (const key of 'secret') await press(id, hold, key);
    await rest('/env/step', { session_id: id, action_id: 'L1' }, { 'x-pagespace-hold': hold });
    await handBack(id, hold);
    const first = await observe(id);
    expect(first.body.space.messages[0]).toMatchObject({
      kind: 'note',
      text: 'Meanwhile a person: 6 inputs, 0 navigations.',
    });
    expect(first.body.space.markdown).toContain('a person: 6 inputs');
    const { added, removed } = first.body.space.diff;
    expect([added[0].name, removed[0].name]).toEqual(['Back', 'Two']);
    // Told once.
    expect((await observe(id)).body.space.diff).toBe(undefined);
    const events = await eventsOf(id);
    expect(events.find(({ type }) => type === 'taken_over')).toMatchObject({
      holder: 'Ana',
      by: { kind: 'person' },
    });
    expect(events.find(({ type }) => type === 'handed_back')).toMatchObject({
      holder: 'Ana',
      inputs: 6,
      reason: null,
    });
    expect(JSON.stringify([events, product.logLines])).not.toMatch(/KEY_DOWN|key_down|"c"/);
  });

  it('lets the agent wait for the hand-back if it asks for that', async () => {
    const id = await start();
    const hold = await takeOver(id);
    const waiting = observe(id, { wait_for_hand_back: true });
    await press(id, hold, 'a');
    await handBack(id, hold);
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body.space.messages[0].text).toContain('1 input,');
  });

  it('is lost by a person whose key gets a policy or is revoked, also in the moment in which they come', async () => {
    const id = await start();
    const people = `mutation { createApiKey(input: { name: "people" }) { key apiKey { id } } }`;
    const { key, apiKey } = (await graphql(people)).data.createApiKey;
    const post = async (path: string, body: object) =>
      (await callApi(product.url, 'POST', path, { key, body: { session_id: id, ...body } })).body;
    const { hold_id } = await post('/session/take-over', { name: 'Ben' });
    const { service, store } = product.started;
    // The one of an open socket, which renews the take-over every few seconds.
    const before = await service.authenticate(`Bearer ${key}`);
    const renew = () => service.renewTakeOver(before, { sessionId: id, holdId: hold_id, isConnected: true });
    expect(await renew()).toMatchObject({ takeOver: { holder: 'Ben' } });
    const setPolicy = (policy: string) =>
      graphql(`mutation { setKeyPolicy(id: "${apiKey.id}", policy: ${policy}) { id } }`);
    await setPolicy('{ denySteps: [UPLOAD] }');
    const input = await callGraphql(product.url, key, INPUT, {
      input: { sessionId: id, holdId: hold_id, events: [] },
    });
    expect(input.body.errors[0].extensions.code).toBe('POLICY_REFUSED');
    await expect(renew()).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
    expect((await stateOf(id)).take_over).toBe(null);

    await setPolicy('null');
    const { auditLog } = store;
    const { append } = auditLog;
    // The key is revoked when the row of the take-over is written, and the take-over has not begun.
    vi.spyOn(auditLog, 'append').mockImplementationOnce(async (...given) => {
      const result = await append(...given);
      await graphql(`mutation { revokeApiKey(id: "${apiKey.id}") { id } }`);
      return result;
    });
    expect((await post('/session/take-over', { name: 'Ben' })).code).toBe('REVOKED_API_KEY');
    vi.restoreAllMocks();
    expect((await stateOf(id)).take_over).toBe(null);
    expect(await auditedOf(id)).toEqual([
      ['take_over.begun', apiKey.id, { name: 'Ben' }],
      ['take_over.ended', 'service', { name: 'Ben', reason: expect.stringContaining('key with a policy') }],
      ['take_over.begun', apiKey.id, { name: 'Ben' }],
      ['take_over.ended', 'service', { name: 'Ben', reason: 'It did not begin.' }],
    ]);
  });

  it('stays with the person for 30 seconds after their socket was cut, with all keys released', async () => {
    const id = await start();
    const hold = await takeOver(id);
    const query = `subscription ($id: ID!, $hold: ID!) { holdSession(sessionId: $id, holdId: $hold) { takeOver { holder } } }`;
    const held = overSocket(product, query, { id, hold });
    expect((await held.next()).value).toMatchObject({
      data: { holdSession: { takeOver: { holder: 'Ana' } } },
    });
    clock.advance(25_000);
    const { leases } = product.started.browsers as FakeBrowserHost;
    const releases = () =>
      [...leases].flatMap(({ received }) => received.filter(({ type }) => type === 'release')).length;
    const before = releases();
    await held.return();
    await expect.poll(releases).toBe(before + 1);
    clock.advance(29_000);
    const again = overSocket(product, query, { id, hold });
    expect((await again.next()).value).toMatchObject({
      data: { holdSession: { takeOver: { holder: 'Ana' } } },
    });
    await again.return();
    await expect.poll(releases).toBe(before + 2);
    clock.advance(31_000);
    await expect.poll(async () => (await stateOf(id)).take_over).toBe(null);
    const [lost] = (await eventsOf(id)).filter(({ type }) => type === 'handed_back');
    const reason = 'The connection of the person was lost.';
    expect(lost).toMatchObject({ holder: 'Ana', reason });
    expect((await auditedOf(id))[1]).toEqual(['take_over.ended', 'service', { name: 'Ana', reason }]);
    const { value } = await overSocket(product, query, { id, hold }).next();
    expect(value).toMatchObject({ errors: [{ extensions: { code: 'TAKE_OVER_ENDED' } }] });
  });

  it('ends the take-over with itself, and its events say so', async () => {
    const id = await start();
    await takeOver(id);
    expect((await rest('/session/close', { session_id: id })).body.status).toBe('closed');
    const types = (await eventsOf(id)).slice(-2);
    expect(types).toMatchObject([
      { type: 'handed_back', holder: 'Ana', reason: 'The session ended.' },
      { type: 'ended' },
    ]);
    expect((await auditedOf(id))[1]).toEqual([
      'take_over.ended',
      'service',
      { name: 'Ana', reason: 'The session ended.' },
    ]);
  });

  it('is lost with its session when the service is restarted, and the reason says so', async () => {
    const first = await startService({ browser: 'fake', auditsLedger: false });
    const signal = new AbortController().signal;
    const options = { keepAlive: null, timeoutMinutes: null, screenshot: false, signal };
    const { session } = await first.service.start(first.viewer, options);
    const held = await first.service.takeOver(first.viewer, { sessionId: session.id, name: 'Ana' });
    const blocked = { type: 'blocked', at: 0, url: 'http://a.test/', reason: 'It is blocked.' } as const;
    await first.store.sessions.commit({ session: held.session, events: Array(250).fill(blocked) });
    // Another process on the same database: the first one has been killed.
    await using second = await startService({ browser: 'fake', store: first.store, auditsLedger: false });
    const [lost] = await second.service.sessions(first.viewer, [session.id]);
    expect(lost).toMatchObject({
      status: 'error',
      error:
        'The service was restarted, and the browser of this session was lost. Ana had taken the session over.',
    });
    const [row] = await first.store.auditLog.entries(first.viewer.account.id, null, 1);
    expect(row).toMatchObject({ action: 'take_over.ended', actor: 'service', subject: session.id });
  });

  it('refuses more messages of input than a person can make', async () => {
    const id = await start();
    const hold = await takeOver(id);
    const results = await Promise.all(
      Array.from({ length: 300 }, () =>
        graphql(INPUT, { input: { sessionId: id, holdId: hold, events: [] } }),
      ),
    );
    const codes = new Set(
      results.flatMap(({ errors = [] }) =>
        errors.map((error: { extensions: { code: string } }) => error.extensions.code),
      ),
    );
    expect(codes).toContain('RATE_LIMITED');
  });
});
