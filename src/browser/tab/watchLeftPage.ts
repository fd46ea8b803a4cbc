/** Watches the page that a navigation leaves: one whose scripts run without end would hold the navigation up for ever. */
import { TERMINATION_INTERVAL_MS } from './scriptWatch.ts';

/**
 * The running script of the left page is terminated each time that this period of a navigation has passed: a loop would
 * block it. While the page does not answer, also every `TERMINATION_INTERVAL_MS`: each of its handlers can loop.
 */
const UNLOAD_TIMEOUT_MS = 1_000;
/** After this many periods of UNLOAD_TIMEOUT_MS without an answer of the left page, the tab is stuck. */
const MAX_UNANSWERED = 2;
/**
 * The same once the server has answered. Chromium then holds calls to the left page back until the process of the new page has
 * started, which takes seconds on a busy machine, and terminations soon end what the left page does.
 */
const MAX_UNANSWERED_AFTER_RESPONSE = 8;

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
  /** Ends the script that the page runs now. */
  terminateScript(): void;
  readonly network: {
    /** True while the new document is requested and its server has not answered. */
    readonly awaitsDocument: boolean;
    /** True while the server has answered and the new document has not taken the place of the old one. */
    readonly awaitsCommit: boolean;
  };
}

/**
 * While a navigation takes long, terminates the scripts of the left page again and again. `whenStuck` rejects with TabStuck when the
 * page has not answered for several periods, or when `isStuck` is called.
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
  const maxAfterResponse = tab.loops ? MAX_UNANSWERED : MAX_UNANSWERED_AFTER_RESPONSE;
  const answered = (): void => {
    unanswered = 0;
  };
  const check = (): void => {
    const { awaitsDocument, awaitsCommit } = tab.network;
    // Chromium holds calls to the page back while a server has not answered: silence then says nothing about the page.
    if (awaitsDocument) {
      unanswered = 0;
      return;
    }
    if (unanswered >= (awaitsCommit ? maxAfterResponse : MAX_UNANSWERED)) isStuck();
    unanswered++;
    tab.terminateScript();
    tab.ping().then(answered, answered);
  };
  const repeat = (): void => {
    if (unanswered > 0) tab.terminateScript();
  };
  const timers = tab.canHaveScripts
    ? [setInterval(check, UNLOAD_TIMEOUT_MS), setInterval(repeat, TERMINATION_INTERVAL_MS)]
    : [];
  const stop = (): void => timers.forEach(clearInterval);
  return { whenStuck: promise, isStuck, stop };
}
