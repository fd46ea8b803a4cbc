import { afterAll, beforeAll, expect, it } from 'vitest';
import { instrumentOperations } from '../../../../src/telemetry/serviceMetrics.ts';
import { callGraphql } from '../../../support/callApi.ts';
import { startTestServer, type TestServer } from '../../../support/startServer.ts';
import { addAccount, type StartedService, startService } from '../../../support/startService.ts';

let started: StartedService;
let server: TestServer;
beforeAll(async () => {
  started = await startService({ browser: 'fake', capacity: 3 });
  server = await startTestServer(instrumentOperations(started.service, started.metrics));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const ask = async (document: string, key = started.key, variables = {}) =>
  (await callGraphql(server.url, key, document, variables)).body;

const SERVICE =
  '{ service { version startedAt places sessions waitingStarts browsers processBytes browserBytes refusedAddresses operations { operation count p50Ms p95Ms } failures { operation code count } sandbox { layers summary warning } } }';

it('the operator reads places, sessions, memory, latency by operation, and failures by code', async () => {
  const { data } = await ask('mutation { startSession(input: {}) { id } }');
  await ask(
    'mutation ($id: ID!) { observe(input: { sessionId: $id, url: "http://10.0.0.1/" }) { id } }',
    started.key,
    {
      id: data.startSession.id,
    },
  );
  const { service } = (await ask(SERVICE)).data;
  expect(service).toMatchObject({ version: '0.0.0-test', places: 3, sessions: 1, waitingStarts: 0 });
  expect(service.processBytes).toBeGreaterThan(1_000_000);
  expect(service.operations).toContainEqual({
    operation: 'start',
    count: 1,
    p50Ms: expect.any(Number),
    p95Ms: expect.any(Number),
  });
  expect(service.failures).toEqual([{ operation: 'observe', code: 'URL_BLOCKED', count: 1 }]);
});

it('one machine is the node "local", and the operator can ask it to drain', async () => {
  const { nodes } = (await ask('{ nodes { nodeId sessions capacity draining version } }')).data;
  expect(nodes).toMatchObject([{ nodeId: 'local', capacity: 3, draining: false }]);
  expect(
    (await ask('mutation { drainNode(nodeId: "elsewhere") { nodeId } }')).errors[0].extensions.code,
  ).toBe('NODE_NOT_FOUND');
  expect((await ask('mutation { drainNode(nodeId: "local") { nodeId } }')).data.drainNode.nodeId).toBe(
    'local',
  );
  expect(started.warnings).toEqual(['drain requested']);
});

it('accounts are listed page by page with tier, balance and active sessions', async () => {
  const { account } = await addAccount(started.store, started.clock, 'payer', 'free');
  const credit = `mutation ($id: ID!) { creditAccount(input: { accountId: $id, amountMicros: 5000000, reference: "1" }) { seq } }`;
  await ask(credit, started.key, { id: `Account:${account.id}` });
  const list = `query ($after: String, $last: Int, $first: Int) { accounts(first: $first, after: $after, last: $last) {
    edges { node { accountId name tier balanceMicros activeSessions } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;
  const first = (await ask(list, started.key, { first: 1 })).data.accounts;
  expect(first.edges).toMatchObject([{ node: { name: 'test', tier: 'LOCAL', activeSessions: 1 } }]);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const payer = {
    node: { accountId: `Account:${account.id}`, tier: 'PAY_AS_YOU_GO', balanceMicros: 5_000_000 },
  };
  const next = (await ask(list, started.key, { first: 5, after: first.pageInfo.endCursor })).data.accounts;
  expect(next.edges).toMatchObject([payer]);
  expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  expect((await ask(list, started.key, { last: 1 })).data.accounts.edges).toMatchObject([payer]);
});

it('nobody but the operator sees the service, its nodes or other accounts', async () => {
  const { key } = await addAccount(started.store, started.clock, 'customer', 'free');
  for (const document of [
    SERVICE,
    '{ nodes { nodeId } }',
    '{ accounts { edges { node { name } } } }',
    'mutation { drainNode(nodeId: "local") { nodeId } }',
  ])
    expect((await ask(document, key)).errors[0].extensions.code, document).toBe('SCOPE_DENIED');
});
