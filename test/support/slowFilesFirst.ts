/** The order of the test files: those that take longest start first, so that no worker waits for one of them at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take more than about eight seconds on a quiet machine, by their durations there. */
export const SLOW_FILES: readonly string[] = [
  'test/cluster/cluster.test.ts',
  'test/service/sessions/browserFailures.test.ts',
  'test/browser/tab/dialogLoops.test.ts',
  'test/service/sessions/downloadLimits.test.ts',
  'test/browser/settle/lateEffects.test.ts',
  'test/browser/act/pointer/pointerActions.test.ts',
  'test/service/sessions/sharedMemoryLimit.test.ts',
  'test/main/main.test.ts',
  'test/browser/act/pointer/pressedMeaning.test.ts',
  'test/browser/tab/endlessLoads.test.ts',
  'test/service/sessions/blockedRequests.test.ts',
  'test/browser/limits/eventFloods.test.ts',
  'test/store/sqliteStore.test.ts',
  'test/browser/act/pageActions.test.ts',
  'test/browser/act/effectNotes.test.ts',
  'test/browser/tab/dialogs.test.ts',
  'test/browser/tab/reloadLoops.test.ts',
  'test/service/sessions/sessionLimits.test.ts',
  'test/api/rest/operations.test.ts',
  'test/browser/scrape/hostilePages.test.ts',
  'test/browser/egress/schemes.test.ts',
  'test/api/brokenPages.test.ts',
  'test/setup/pack.test.ts',
  'test/browser/act/elementActions.test.ts',
  'test/api/graphql/subscriptions/sessionFrames.test.ts',
  'test/browser/lease/urlCredentials.test.ts',
  'test/tasks/scriptedAgent.test.ts',
  'test/browser/cdp/playwrightInternals.test.ts',
  'test/api/pages/pages.test.ts',
  'test/browser/egress/attackVectors.test.ts',
  'test/browser/lease/failureRecovery.test.ts',
  'test/browser/act/pointer/wheels.test.ts',
  'test/browser/act/values/keptValue.test.ts',
  'test/api/rest/wellFormedText.test.ts',
  'test/api/graphql/argumentsFuzz.test.ts',
  'test/browser/egress/addressSpellings.test.ts',
  'test/browser/act/gestures.test.ts',
  'test/service/sessions/browserPool.test.ts',
  'test/api/graphql/transport/inFlightLimiter.test.ts',
  'test/browser/limits/processorShare.test.ts',
  'test/main/mcpCommand.test.ts',
  'test/browser/tab/manyWindows.test.ts',
  'test/api/mcp/conformance.test.ts',
  'test/browser/injected/settle/quiet.test.ts',
  'test/service/sessions/outerSandbox.test.ts',
  'test/browser/perceive/focusChanges.test.ts',
  'test/browser/injected/perceive/observeDocument.test.ts',
  'test/api/mcp/shop.test.ts',
  'test/api/rest/scrapeOptions.test.ts',
  'test/browser/settle/taskRecorder.test.ts',
  'test/browser/lease/slowServer.test.ts',
];

/** Vitest's own order, by the size of the files on a clean checkout, behind the slow files. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = SLOW_FILES.findIndex(path => moduleId.endsWith(`/${path}`));
      return index === -1 ? SLOW_FILES.length : index;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
