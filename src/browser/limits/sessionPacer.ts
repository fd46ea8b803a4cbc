import { afterMs, onCall, waitUntil } from '../../async/race.ts';
import { processRow } from './processTable.ts';
import type { EventShareCounter } from './protocolRateLimiter.ts';
import { busiestRenderer, pauseRenderers } from './stopProcesses.ts';

/** Maximum length of one pause, in milliseconds: after it the session's own operations get a turn. */
const MAX_PAUSE_MS = 2_000;
/** Time in which the busiest process is found. The system counts processor time in steps of 10 ms. */
const SAMPLE_MS = 40;

export interface SessionPacerDeps {
  /** Process id of the browser's main process; null while unknown. */
  readonly browserPid: () => number | null;
  /** The processes that are known to run the session's pages; some may have ended. */
  readonly rendererPids: () => readonly number[];
  /** The processes that are known to run pages of other sessions of the browser. */
  readonly otherRendererPids: () => readonly number[];
  /** Finds the processes that run the session's pages; never throws. */
  readonly refreshRendererPids: () => Promise<void>;
}

/** Pauses the page processes of a session that has used up its share of protocol events, until it has a share again. */
export class SessionPacer {
  readonly #deps: SessionPacerDeps;
  readonly #endListeners = new Set<() => void>();
  #isPausing = false;
  #hasEnded = false;
  /** Number of pauses so far. */
  pauseCount = 0;

  constructor(deps: SessionPacerDeps) {
    this.#deps = deps;
  }

  /** Pauses the session, unless it is paused already. Never throws. */
  pause(share: EventShareCounter): void {
    if (this.#isPausing || this.#hasEnded) return;
    this.#isPausing = true;
    void this.#pause(share).finally(() => {
      this.#isPausing = false;
    });
  }

  /** Lets the processes continue, and pauses them no more. */
  end(): void {
    this.#hasEnded = true;
    for (const listener of [...this.#endListeners]) listener();
  }

  async #pause(share: EventShareCounter): Promise<void> {
    const browserPid = this.#deps.browserPid();
    const group = browserPid === null ? undefined : processRow(browserPid)?.group;
    if (group === undefined) return;
    let paused = pauseRenderers(this.#deps.rendererPids(), group);
    if (paused.count === 0) {
      // The browser is busy with the events, so it takes long to tell which process it is: until then, the busiest one.
      void this.#deps.refreshRendererPids();
      const pid = await busiestRenderer(group, this.#deps.otherRendererPids(), SAMPLE_MS);
      paused = pauseRenderers(pid === null ? [] : [pid], group);
    }
    if (paused.count === 0) return;
    this.pauseCount++;
    const end = performance.now() + MAX_PAUSE_MS;
    // Messages that are on their way arrive during the pause and count too.
    for (let ms = share.pauseMs(); ms > 0 && !this.#hasEnded; ms = share.pauseMs()) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) break;
      await waitUntil(afterMs(Math.min(ms, leftMs)), onCall(this.#endListeners));
    }
    paused.resume();
  }
}
