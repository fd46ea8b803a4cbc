import { afterAll, describe } from 'vitest';
import { type OtlpCollector, startOtlpCollector } from '../support/otlpCollector.ts';
import { CLUSTER_HOOK_TIMEOUT_MS, enginesMissing, startNodes } from '../support/startNodes.ts';
import { CAPACITY, describeEveryNode } from './everyNode.ts';
import { describeSubscriptions } from './subscriptions.ts';
import { useCluster } from './useCluster.ts';

describe.skipIf(enginesMissing !== null)(`a cluster that serves ${enginesMissing ?? ''}`, () => {
  let collector: OtlpCollector;
  // Hooks end in reverse order: the nodes before what they report to.
  afterAll(() => collector?.[Symbol.asyncDispose](), CLUSTER_HOOK_TIMEOUT_MS);
  const tested = useCluster(async () => {
    collector = await startOtlpCollector();
    return startNodes({
      env: {
        PAGESPACE_CAPACITY: String(CAPACITY),
        PAGESPACE_OPERATION_TIMEOUT_SECONDS: '20',
        OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
      },
    });
  });
  describeEveryNode(tested, () => collector);
  describeSubscriptions(tested);
});
