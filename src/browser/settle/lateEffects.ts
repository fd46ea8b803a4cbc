/** Waits for what a step does after it has returned: timers, messages, and the end of what the page calls loading. */
import { afterPageMs, onCall, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import type { SettleReport, Sign } from '../injected/settle/report.ts';
import type { Tab } from '../tab/tab.ts';
import { PageTasks, type SettleMark } from './pageTasks.ts';
import { GRACE_MS, PUSHED_EFFECT_MS } from './policy.ts';

/** Signs that are waited for until the caller's `wait_ms`: the others may mean nothing. */
const PROMISED: ReadonlySet<Sign['kind']> = new Set(['busy', 'held']);

/** Returns true for the sign of a new document that shows nothing, or offers nothing to do. */
export const isUnfilled = (sign: Sign | null): boolean => sign?.kind === 'blank' || sign?.kind === 'unfilled';

/** Waits for what one step does after the page has settled first: timers, requests, messages, busy indicators, images. */
export class LateEffects {
  readonly #tab: Tab;
  readonly #mark: SettleMark;
  readonly #waitMs: number | null;
  readonly #endedBefore: number;
  #hasWaited = false;
  /** The new document that shows nothing, or offers nothing to do. */
  #filling: { readonly document: string | undefined; readonly until: number } | null = null;
  /** True if nothing goes on in a new document that offers nothing to do: it shows all that it has. */
  isFinished = false;
  /** True if the step has clicked a link to a file by script. */
  startsDownload = false;

  /** @param waitMs the caller's `wait_ms`; null for the default */
  constructor(tab: Tab, mark: SettleMark, waitMs: number | null) {
    this.#tab = tab;
    this.#mark = mark;
    this.#waitMs = waitMs;
    // On a busy machine a request of the step has ended before the wait for its effects begins.
    this.#endedBefore = mark.endedCount ?? tab.network.requests.endedCount;
  }

  get recordsTasks(): boolean {
    return (this.#mark.tasks ?? []).length > 0;
  }

  /**
   * Waits for the next late effect, at most `leftMs`.
   * @param report what the document said when it was quiet last
   * @returns true if it waited, so that the document must settle again; false if nothing more is expected
   */
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
    const isNewsExpected = requests.endedCount > this.#endedBefore && requests.awaitsNews;
    const hasNewFrame = frameDocumentCount > (this.#mark.frameDocumentCount ?? Infinity);
    const isPushed = !report.showsEffect && (isNewsExpected || hasNewFrame);
    const unseen = { kind: 'unseen', maxMs: PUSHED_EFFECT_MS } as const;
    const sign = report.sign ?? (isPushed ? unseen : null);
    const isOnce = sign?.kind === 'held' || sign?.kind === 'unseen';
    if (sign === null || isUnfilled(sign) || (isOnce && this.#hasWaited)) return false;
    this.#hasWaited ||= isOnce;
    await this.#waitWhile(sign, leftMs, deadline);
    return true;
  }

  /**
   * Stops waiting for responses that the page does not use: those that nothing takes, such as of beacons, and the rest of those whose body it
   * does not read. Chromium does not report the end of a response that it does not store until the page has read it.
   * @param after only requests after this one
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
    const { showsEffect, sign, isStatic } = report;
    const filled = sign !== null && isUnfilled(sign) ? this.#filledUntil(sign.maxMs) : null;
    const { target, mainFrameId, network } = this.#tab;
    const recorders = filled === null ? (this.#mark.tasks ?? []) : [PageTasks.of(target, mainFrameId)];
    // The only recorder is that of the document that has settled.
    if (recorders.length === 0 || (isStatic && recorders.length === 1)) return false;
    const isPromised = this.#waitMs !== null || filled !== null;
    const maxMs = Math.min(leftMs, (filled ?? Infinity) - performance.now());
    const waits = recorders.map(async (tasks, nth) =>
      tasks?.next(
        { showsEffect, maxMs, isPromised, includesOthers: nth === 0 && recorders.length > 1 },
        deadline,
      ),
    );
    const results = ((await this.#answerOf(Promise.all(waits), leftMs)) ?? []).filter(
      one => one !== undefined,
    );
    this.startsDownload ||= results.some(result => result.startsDownload);
    const now = performance.now();
    const dueAt = results.flatMap(({ timersMs }) => timersMs.map(ms => now + ms));
    this.#tab.timers = { document: network.document?.id, dueAt };
    const openCount = network.requests.count({ after: this.#mark.requestNumber, maxAgeMs: Infinity });
    this.isFinished = sign?.kind === 'unfilled' && openCount === 0 && results.some(({ isIdle }) => isIdle);
    return results.some(({ waited }) => waited);
  }

  /** Returns until when the present document is waited for, all of whose work may fill it. As `performance.now()`. */
  #filledUntil(maxMs: number): number {
    const document = this.#tab.network.document?.id;
    const known = this.#filling?.document === document ? this.#filling : null;
    this.#filling = known ?? { document, until: performance.now() + maxMs };
    return this.#waitMs === null ? this.#filling.until : Infinity;
  }

  /** Waits in the page while it shows that work goes on. */
  #waitWhile({ kind, maxMs }: Sign, leftMs: number, deadline: Deadline): Promise<unknown> {
    const isPromised = this.#waitMs !== null;
    const ms = isPromised && PROMISED.has(kind) ? leftMs : Math.min(leftMs, maxMs);
    const asked = this.#tab.world(deadline).then(world => world.callAgent('waitWhile', kind, ms, isPromised));
    return this.#answerOf<unknown>(asked, ms);
  }

  /**
   * Returns the answer to a call that waits in the page; undefined if the page does not give it although it answers other calls, as one
   * that breaks the recorder, or cannot give it: its scripts are paused, its document is gone.
   */
  async #answerOf<T>(answer: Promise<T>, maxMs: number): Promise<T | undefined> {
    const { scripts, onInterrupt } = this.#tab;
    answer.catch(() => {});
    if (scripts.pausedMs !== null) return undefined;
    const givesNone = afterPageMs(
      () => this.#tab.ping(),
      maxMs + GRACE_MS,
      GRACE_MS,
      () => undefined,
    );
    try {
      return (await race(answer, givesNone, onCall(scripts.paused), onInterrupt)) ?? undefined;
    } catch {
      // The caller finds out when the page settles again.
      return undefined;
    }
  }
}
