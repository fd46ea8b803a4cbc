import { afterAll, describe } from 'vitest';
import { type OtlpCollector, startOtlpCollector } from '../support/otlpCollector.ts';
import { CLUSTER_HOOK_TIMEOUT_MS, enginesMissing, startNodes } from '../support/startNodes.ts';
import { CAPACITY, describeEveryNode } from './everyNode.ts';
import { describeFailedNodes } from './failedNodes.ts';
import { describeStartAndDrain } from './startAndDrain.ts';
import { describeSubscriptions } from './subscriptions.ts';
import { useCluster } from './useCluster.ts';

/** Longer than the tests of a drain take on a busy machine. */
const DRAIN_SECONDS = 60;

describe.skipIf(enginesMissing !== null)(`a cluster ${enginesMissing ?? ''}`, () => {
  let collector: OtlpCollector;
  // Hooks end in reverse order: the nodes before what they report to.
  afterAll(() => collector?.[Symbol.asyncDispose](), CLUSTER_HOOK_TIMEOUT_MS);
  const tested = useCluster(async () => {
    collector = await startOtlpCollector();
    return startNodes({
      env: {
        PAGESPACE_CAPACITY: String(CAPACITY),
        PAGESPACE_ISOLATE_ACCOUNTS: 'off',
        PAGESPACE_SECRETS_KEY: 'ab'.repeat(32),
        PAGESPACE_DRAIN_SECONDS: String(DRAIN_SECONDS),
        PAGESPACE_OPERATION_TIMEOUT_SECONDS: '20',
        OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
      },
    });
  });
  describeEveryNode(tested, () => collector);
  describeSubscriptions(tested);
  describeFailedNodes(tested);
  describeStartAndDrain(tested);
});
