import { describe } from 'vitest';
import { enginesMissing, startNodes } from '../support/startNodes.ts';
import { describeFailedNodes } from './failedNodes.ts';
import { describeStartAndDrain } from './startAndDrain.ts';
import { useCluster } from './useCluster.ts';

/** Longer than the tests of a drain take on a busy machine. */
const DRAIN_SECONDS = 60;

describe.skipIf(enginesMissing !== null)(`a cluster whose nodes stop ${enginesMissing ?? ''}`, () => {
  const tested = useCluster(() => startNodes({ env: { PAGESPACE_DRAIN_SECONDS: String(DRAIN_SECONDS) } }));
  describeFailedNodes(tested);
  describeStartAndDrain(tested);
});
