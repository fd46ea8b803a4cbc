/** Watches the page that a navigation leaves: one whose scripts run without end would hold the navigation up for ever. */
import { ScriptUsage, type ScriptUsageDeps } from './scriptUsage.ts';
import { TERMINATION_INTERVAL_MS } from './scriptWatch.ts';

/**
 * If the left page has not answered for this period of a navigation, its running script is terminated: a loop would block it. Until the
 * page answers, also every `TERMINATION_INTERVAL_MS`: each of its handlers can loop.
 */
const UNLOAD_TIMEOUT_MS = 1_000;
/**
 * Processor time in a silence that shows that the left page runs a script, once the server has answered: on a busy machine the new
 * document comes late, and V8 would end its first script instead if no other one ran.
 */
const RUNNING_MS = 300;
/**
 * A left page whose handlers of `beforeunload` ask for more dialogs than this, without an answer in between, is in a loop. Its script is
 * terminated at once: Chromium logs each of them, and is busy for seconds with those of one second.
 */
const MAX_BLOCKED_DIALOGS = 8;
/** After this many periods of UNLOAD_TIMEOUT_MS without an answer of the left page, the tab is stuck. */
const MAX_UNANSWERED = 3;
/**
 * After this many periods without an answer of the left page, the tab is stuck, if the server has answered. Chromium then holds calls to the left page back until the process of the new page has
 * started, which takes seconds on a busy machine, and terminations soon end what the left page does.
 */
const MAX_UNANSWERED_AFTER_RESPONSE = 9;

/** Error of a navigation whose old page cannot be left: the caller has to replace the tab. */
export class TabStuck extends Error {
  override readonly name = 'TabStuck';
}

/** The parts of a tab that the watch uses. */
export interface LeftPage {
  /** False for the blank page of a new tab: no script can hold it. */
  readonly canHaveScripts: boolean;
  /** True if the scripts of the page had to be paused before, because one after another ran without end. */
  readonly loops: boolean;
  /** Resolves when the page answers. May reject, or never settle. */
  ping(): Promise<unknown>;
  /** Calls `listener` when a handler of `beforeunload` has asked for a dialog, with the time in milliseconds. @returns a function that ends this */
  onBlockedDialog(listener: (atMs: number) => void): () => void;
  /** Ends the script that the page runs now, or the next one if it runs none. */
  terminateScript(): void;
  readonly controls: ScriptUsageDeps;
  readonly network: {
    /** True while the new document is requested and its server has not answered. */
    readonly awaitsDocument: boolean;
    /** True while the server has answered and the new document has not taken the place of the old one. */
    readonly awaitsCommit: boolean;
    readonly document: { readonly id: string } | null;
  };
}

/**
 * While a navigation takes long and the left page does not answer, terminates the scripts of that page again and again. `whenStuck`
 * rejects with TabStuck when the page has not answered for several periods, or when `isStuck` is called.
 */
export function watchLeftPage(tab: LeftPage): {
  readonly whenStuck: Promise<never>;
  readonly isStuck: () => void;
  stop(): void;
} {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const isStuck = () => reject(new TabStuck('The page of the tab does not let itself be left.'));
  let unanswered = 0;
  /** Processor time of the left page in its silence; null while it answers. */
  let usage: ScriptUsage | null = null;
  let isLate = false;
  const left = tab.network.document?.id;
  const maxAfterResponse = tab.loops ? MAX_UNANSWERED : MAX_UNANSWERED_AFTER_RESPONSE;
  let blockedDialogs = 0;
  const answered = (): void => {
    unanswered = 0;
    usage = null;
    blockedDialogs = 0;
  };
  const ask = (): void => {
    unanswered++;
    usage ??= new ScriptUsage(tab.controls);
    tab.ping().then(answered, answered);
  };
  const terminate = (): void => {
    const { awaitsDocument, awaitsCommit, document } = tab.network;
    // The scripts of the new document must not be ended.
    if (!isLate || usage === null || awaitsDocument || document?.id !== left) return;
    if (usage.isAbove(RUNNING_MS, awaitsCommit ? Number.POSITIVE_INFINITY : UNLOAD_TIMEOUT_MS))
      tab.terminateScript();
  };
  let terminatedAt = 0;
  const stopListening = tab.onBlockedDialog(atMs => {
    const { awaitsDocument, awaitsCommit, document } = tab.network;
    // Only before the new document is requested: its scripts must not be ended. The log may come late, from a loop that was ended.
    if (awaitsDocument || awaitsCommit || document?.id !== left || atMs <= terminatedAt) return;
    if (++blockedDialogs <= MAX_BLOCKED_DIALOGS) return;
    terminatedAt = Date.now();
    blockedDialogs = 0;
    tab.terminateScript();
  });
  const check = (): void => {
    const { awaitsDocument, awaitsCommit } = tab.network;
    isLate = true;
    // Chromium holds calls to the page back while a server has not answered: silence then says nothing about the page.
    if (awaitsDocument) {
      answered();
      return;
    }
    if (unanswered >= (awaitsCommit ? maxAfterResponse : MAX_UNANSWERED)) isStuck();
    terminate();
    ask();
  };
  if (tab.canHaveScripts) ask();
  const timers = tab.canHaveScripts
    ? [setInterval(check, UNLOAD_TIMEOUT_MS), setInterval(terminate, TERMINATION_INTERVAL_MS)]
    : [];
  const stop = (): void => {
    timers.forEach(clearInterval);
    stopListening();
  };
  return { whenStuck: promise, isStuck, stop };
}
