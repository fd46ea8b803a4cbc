import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { type ManualClock, manualClock } from '../../support/manualClock.ts';
import { startCluster, type TestCluster, type TestNode } from '../../support/startCluster.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

/** Before each test of the file, starts a cluster of two nodes on a manual clock, beside one site for all; closes them afterwards. */
export function twoNodes() {
  const clock = deferred<ManualClock>();
  const cluster = deferred<TestCluster>();
  const site = deferred<TestSite>();
  const nodes = [deferred<TestNode>(), deferred<TestNode>()] as const;
  beforeAll(async () => {
    await site.set(startTestSite());
  });
  afterAll(() => site.value.close());
  beforeEach(async () => {
    const ownClock = await clock.set(Promise.resolve(manualClock()));
    const started = await cluster.set(startCluster({ clock: ownClock }));
    for (const [index, node] of nodes.entries())
      await node.set(Promise.resolve(started.nodes[index] as TestNode));
  });
  afterEach(() => cluster.value[Symbol.asyncDispose]());
  return {
    clock: clock.value,
    cluster: cluster.value,
    site: site.value,
    first: nodes[0].value,
    second: nodes[1].value,
  };
}
