/** Waits for what a step does after it has returned: timers, messages, and the end of what the page calls loading. */
import { afterPageMs, onCall, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import type { SettleReport } from '../injected/settle/quiet.ts';
import type { Tab } from '../tab/tab.ts';
import { PageTasks, type SettleMark } from './pageTasks.ts';
import { BUSY_MS, DOUBTFUL_MS, GRACE_MS, MAX_NEW_FRAMES } from './policy.ts';

export class LateEffects {
  readonly #tab: Tab;
  readonly #mark: SettleMark;
  readonly #waitMs: number | null;
  #hasWaited = false;
  /** True if nothing goes on in a new document that offers nothing to do. */
  isFinished = false;
  /** True if the step has clicked a link to a file by script. */
  startsDownload = false;

  /** @param waitMs the caller's `wait_ms`; null for the default */
  constructor(tab: Tab, mark: SettleMark, waitMs: number | null) {
    this.#tab = tab;
    this.#mark = mark;
    this.#waitMs = waitMs;
  }

  /** Waits for the next late effect, at most `leftMs`. @returns true if it waited, so that the document must settle again */
  async next(report: SettleReport, leftMs: number, deadline: Deadline): Promise<boolean> {
    if (this.#tab.isUnresponsive) return false;
    const isAnimated = report.animationMs > 0 && report.animationMs <= leftMs;
    // Busy indicators that only a script takes away stay. A frame in which the step was performed can have scripts.
    const isInFrame = (this.#mark.tasks ?? []).length > 1;
    if (this.#tab.network.document?.forbidsScripts === true && !isInFrame) return isAnimated;
    const hasWaited = await this.#nextTask(report, leftMs, deadline);
    this.#hasWaited ||= hasWaited;
    if (hasWaited || isAnimated || leftMs <= 0) return (hasWaited || isAnimated) && leftMs > 0;
    const { requests, frameDocumentCount } = this.#tab.network;
    const isNewsExpected = requests.endedCount > (this.#mark.endedCount ?? Infinity) && requests.awaitsNews;
    const hasFrame = frameDocumentCount > (this.#mark.frameDocumentCount ?? Infinity);
    // What goes on in a frame of another process is not recorded.
    const hasNewFrame = hasFrame && this.#ofNewFrames().length === 0;
    const isPushed = !report.showsEffect && (isNewsExpected || hasNewFrame);
    const isBusy = report.sign?.kind === 'busy';
    if (!isBusy && (report.sign !== null || !isPushed || this.#hasWaited)) return false;
    this.#hasWaited ||= !isBusy;
    const ms = Math.min(leftMs, isBusy ? (this.#waitMs ?? BUSY_MS) : DOUBTFUL_MS);
    const world = this.#tab.world(deadline);
    const asked = world.then(one => one.callAgent('waitWhile', isBusy, ms, this.#waitMs !== null));
    await this.#answerOf<unknown>(asked, ms);
    return true;
  }

  /**
   * Stops waiting for responses that the page does not use: those that nothing takes, such as of beacons, and the rest of those whose body it
   * does not read. Chromium does not report the end of a response that it does not store until the page has read it.
   */
  async ignoreUnused(after: number, deadline: Deadline): Promise<void> {
    const { requests } = this.#tab.network;
    const [recorder] = this.#mark.tasks ?? [];
    if (recorder === undefined || this.#tab.scripts.pausedMs !== null || !requests.hasFetched(after)) return;
    using limit = shortenDeadline(deadline, GRACE_MS);
    const unused = this.#tab.interruptible(recorder.unusedRequests(limit));
    requests.ignoreUnused(after, await unused.catch(() => new Set<string>()));
  }

  /** Waits for the recorded work of the step, and keeps when its timers are due. @returns true if it waited */
  async #nextTask(report: SettleReport, leftMs: number, deadline: Deadline): Promise<boolean> {
    this.isFinished = false;
    const { showsEffect, offersAction, sign, isStatic } = report;
    const isFilling = sign?.kind === 'unfilled';
    const { target, mainFrameId, network } = this.#tab;
    const ofStep = this.#mark.tasks ?? [];
    const recorders = isFilling ? [PageTasks.of(target, mainFrameId)] : [...ofStep, ...this.#ofNewFrames()];
    // The only recorder is that of the document that has settled.
    if (recorders.length === 0 || (isStatic && recorders.length === 1)) return false;
    const isPromised = this.#waitMs !== null || isFilling;
    const maxMs = isFilling && this.#waitMs === null ? Math.min(leftMs, sign.maxMs) : leftMs;
    const waits = recorders.map(async (tasks, nth) => {
      const includesOthers = nth === 0 && ofStep.length > 1;
      return tasks?.next({ showsEffect, offersAction, maxMs, isPromised, includesOthers }, deadline);
    });
    const results = ((await this.#answerOf(Promise.all(waits), leftMs)) ?? []).filter(one => one != null);
    this.startsDownload ||= results.some(result => result.startsDownload);
    const now = performance.now();
    const dueAt = results.flatMap(({ timersMs }) => timersMs.map(ms => now + ms));
    this.#tab.timers = { document: network.document?.id, dueAt };
    const openCount = network.requests.count({ after: this.#mark.requestNumber, maxAgeMs: Infinity });
    this.isFinished = isFilling && openCount === 0 && results.some(({ isIdle }) => isIdle);
    return results.some(({ waited }) => waited);
  }

  /** Returns the recorders of the documents that the step has opened in frames of the same process. */
  #ofNewFrames(): readonly (PageTasks | null)[] {
    const { documents, document } = this.#mark;
    const { target, mainFrameId, network } = this.#tab;
    if (documents === undefined || document !== network.document?.id) return [];
    const isNew = (id: string) => id !== mainFrameId && !documents.has(target.worlds.mainWorldContext(id));
    const opened = target.worlds.frameIds().filter(isNew);
    return opened.slice(-MAX_NEW_FRAMES).map(id => PageTasks.of(target, id));
  }

  /**
   * Returns the answer to a call that waits in the page; undefined if the page does not give it although it answers other calls, as one
   * that breaks the recorder, or cannot give it: its scripts are paused, its document is gone.
   */
  async #answerOf<T>(answer: Promise<T>, maxMs: number): Promise<T | undefined> {
    const { scripts, onInterrupt } = this.#tab;
    answer.catch(() => {});
    if (scripts.pausedMs !== null) return undefined;
    const ping = () => this.#tab.ping();
    const givesNone = afterPageMs(ping, maxMs + GRACE_MS, GRACE_MS, () => undefined);
    try {
      return (await race(answer, givesNone, onCall(scripts.paused), onInterrupt)) ?? undefined;
    } catch {
      // The caller finds out when the page settles again.
      return undefined;
    }
  }
}
