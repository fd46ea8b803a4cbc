import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeEpoch } from '../../../src/domain/ports/nodes.ts';
import { fromErrorMessage, NodeClient } from '../../../src/service/cluster/nodeClient.ts';
import { startCluster, type TestCluster } from '../../support/startCluster.ts';
import { observeCommand } from './clusterCommands.ts';

let cluster: TestCluster;
let to: NodeEpoch;
const options = { signal: new AbortController().signal, timeoutMs: 5_000, hasEffect: true };

beforeAll(async () => {
  cluster = await startCluster();
  to = cluster.nodes[1]?.authority.assert() as NodeEpoch;
});
afterAll(() => cluster[Symbol.asyncDispose]());

const client = (version = '1.1.0') =>
  new NodeClient({ messenger: cluster.nodes[0]?.messenger as never, version });

describe('a call from a node of another version', () => {
  it('of an unknown method fails, and names both versions', async () => {
    await expect(client().call(to, 'foresee', [], options)).rejects.toMatchObject({
      code: 'INTERNAL',
      retryable: false,
      message: 'Node node-2 has version 1.0.0, which does not know "foresee" of version 1.1.0.',
    });
    await expect(client().call(to, 'constructor', [], options)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('with an unknown field works without it', async () => {
    const viewer = { ...cluster.viewer, mood: 'good' };
    const { signal: _signal, ...command } = observeCommand(null, 'http://127.0.0.2:39999/');
    await expect(
      client().call(to, 'observe', [viewer, { ...command, magic: 1 }], options),
    ).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
    });
  });

  it('that cannot be read fails, and the node goes on', async () => {
    const messenger = cluster.nodes[0]?.messenger;
    const request = { signal: options.signal, timeoutMs: 5_000, trace: {} };
    const response = await messenger?.request(to, new TextEncoder().encode('not JSON'), request);
    expect(new TextDecoder().decode(response)).toContain('cannot read the call');
  });

  it('keeps the words of a failure whose code is unknown here', () => {
    const error = fromErrorMessage({ code: 'MOON_DOWN', detail: 'The moon is down.', context: {} });
    expect(error).toMatchObject({ code: 'INTERNAL', message: 'MOON_DOWN: The moon is down.' });
  });
});

describe('a call to a node', () => {
  it('that has ended fails with OUTCOME_UNKNOWN, and without an effect with DEPENDENCY_UNAVAILABLE', async () => {
    const self = { nodeId: 'silent', epoch: 77 };
    const messenger = cluster.nodes[1]?.messenger;
    const stop = await messenger?.serve(self, () => new Promise(() => {}));
    const caller = client();
    const changing = caller.call(self, 'step', [], options).catch(error => error);
    const reading = caller.call(self, 'tabs', [], { ...options, hasEffect: false }).catch(error => error);
    await expect.poll(() => caller.waitingFor).toEqual([self]);
    caller.endCallsTo(self);
    expect(await changing).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await reading).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    expect(caller.waitingFor).toEqual([]);
    await stop?.();
  });
});
