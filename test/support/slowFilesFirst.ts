/** The order of the test files. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take more than eight seconds in a run of all tests on two quiet processors, and how many, the slowest first. */
export const SLOW_FILES: ReadonlyMap<string, number> = new Map([
  ['test/cluster/cluster.test.ts', 88],
  ['test/service/sessions/browserFailures.test.ts', 55],
  ['test/tasks/scriptedAgent.test.ts', 49],
  ['test/api/secrets/secretFields.test.ts', 46],
  ['test/browser/tab/dialogLoops.test.ts', 43],
  ['test/readmeExamples.test.ts', 43],
  ['test/browser/act/pointer/pointerActions.test.ts', 41],
  ['test/web/views.test.ts', 36],
  ['test/service/sessions/sharedMemoryLimit.test.ts', 34],
  ['test/web/takeOver.test.ts', 34],
  ['test/browser/act/pageActions.test.ts', 32],
  ['test/service/sessions/downloadLimits.test.ts', 32],
  ['test/cli/cli.test.ts', 29],
  ['test/web/session.test.ts', 29],
  ['test/service/sessions/scrapeOptions.test.ts', 26],
  ['test/browser/settle/lateEffects.test.ts', 25],
  ['test/api/sessionOptions.test.ts', 23],
  ['test/setup/pack.test.ts', 22],
  ['test/api/brokenPages.test.ts', 22],
  ['test/browser/act/pointer/wheels.test.ts', 22],
  ['test/api/rest/operations.test.ts', 20],
  ['test/browser/tab/endlessLoads.test.ts', 20],
  ['test/setup/install.test.ts', 20],
  ['test/api/vault.test.ts', 20],
  ['test/browser/act/gestures.test.ts', 19],
  ['test/browser/perceive/messages.test.ts', 18],
  ['test/browser/settle/taskRecorder.test.ts', 18],
  ['test/main/secrets.test.ts', 17],
  ['test/browser/scrape/hostilePages.test.ts', 16],
  ['test/api/pages/pages.test.ts', 16],
  ['test/browser/egress/attackVectors.test.ts', 16],
  ['test/browser/settle/pendingWork.test.ts', 16],
  ['test/service/sessions/sessionLimits.test.ts', 16],
  ['test/store/sqliteStore.test.ts', 15],
  ['test/browser/tab/reloadLoops.test.ts', 15],
  ['test/main/practiceShop.test.ts', 15],
  ['test/api/graphql/argumentsFuzz.test.ts', 15],
  ['test/api/graphql/subscriptions/sessionFrames.test.ts', 15],
  ['test/web/sessionRecord.test.ts', 15],
  ['test/service/sessions/crashRecovery.test.ts', 14],
  ['test/browser/act/effectNotes.test.ts', 14],
  ['test/api/graphql/definitions/operations.test.ts', 14],
  ['test/browser/act/values/dayTimes.test.ts', 14],
  ['test/main/main.test.ts', 14],
  ['test/browser/cdp/playwrightInternals.test.ts', 14],
  ['test/api/profiles.test.ts', 14],
  ['test/service/sessions/scrapeFrames.test.ts', 13],
  ['test/service/sessions/browserPool.test.ts', 12],
  ['test/browser/lease/waitForCondition.test.ts', 12],
  ['test/browser/act/values/keptValue.test.ts', 12],
  ['test/browser/egress/schemes.test.ts', 12],
  ['test/browser/act/elementActions.test.ts', 12],
  ['test/browser/act/pointer/scaledFrames.test.ts', 12],
  ['test/web/manySessions.test.ts', 12],
  ['test/browser/injected/regexBacktracking.test.ts', 11],
  ['test/browser/limits/processorShare.test.ts', 11],
  ['test/api/record/pageLog.test.ts', 11],
  ['test/browser/injected/perceive/hostileText.test.ts', 11],
  ['test/service/sessions/sessionIsolation.test.ts', 11],
  ['test/service/sessions/blockedRequests.test.ts', 11],
  ['test/api/rest/upstreamProxy.test.ts', 11],
  ['test/browser/limits/eventFloods.test.ts', 10],
  ['test/browser/act/drawnElements.test.ts', 10],
  ['test/browser/tab/dialogs.test.ts', 10],
  ['test/api/rest/scrapeOptions.test.ts', 10],
  ['test/browser/act/values/severalLines.test.ts', 10],
  ['test/api/record/pictures.test.ts', 10],
  ['test/browser/injected/settle/quiet.test.ts', 10],
  ['test/browser/lease/failureRecovery.test.ts', 10],
  ['test/main/backup.test.ts', 10],
  ['test/api/keyPolicy.test.ts', 10],
  ['test/browser/perceive/readableLists.test.ts', 10],
  ['test/browser/egress/addressSpellings.test.ts', 10],
  ['test/browser/limits/eventShare.test.ts', 9],
  ['test/browser/tab/startedDownloads.test.ts', 9],
  ['test/browser/act/pressHints.test.ts', 9],
  ['test/client/clientMethods.test.ts', 9],
  ['test/browser/tab/manyWindows.test.ts', 9],
  ['test/browser/injected/perceive/observeDocument.test.ts', 9],
  ['test/browser/act/ready/slowPage.test.ts', 8],
  ['test/browser/lease/slowServer.test.ts', 8],
]);

/**
 * Starts the slowest files first, so that no worker waits for one of them at the end, and as many of the others meanwhile as take a like
 * part of the run: the slowest wait for timeouts and processes for three quarters of their time, and would leave the processors idle.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const found = (await super.sort(files)).map(file => ({ file, seconds: secondsOf(file) }));
    const slow = found.filter(({ seconds }) => seconds > 0).toSorted((a, b) => b.seconds - a.seconds);
    const others = found.filter(({ seconds }) => seconds === 0);
    const total = slow.reduce((sum, { seconds }) => sum + seconds, 0);
    const order: TestSpecification[] = [];
    let started = 0;
    let at = 0;
    for (const { file, seconds } of slow) {
      const end = Math.floor((others.length * started) / total);
      order.push(...others.slice(at, end).map(other => other.file), file);
      at = end;
      started += seconds;
    }
    return [...order, ...others.slice(at).map(({ file }) => file)];
  }
}

/** Returns the seconds of a slow file; 0 for another one. */
const secondsOf = ({ moduleId }: TestSpecification): number =>
  SLOW_FILES.get(moduleId.slice(moduleId.lastIndexOf('/test/') + 1)) ?? 0;
