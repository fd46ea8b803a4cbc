/** Waits for what a step does after it has returned: timers, messages, and the end of what the page calls loading. */
import { afterPageMs, onCall, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { DEFAULT_WAIT_MS } from '../../domain/specialActions/specialActionDefinition.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import type { SettleReport } from '../injected/settle/report.ts';
import type { Tab } from '../tab/tab.ts';
import type { SettleMark } from './pageTasks.ts';
import {
  BUSY_ROUND_MS,
  CONTENT_MS,
  GRACE_MS,
  HELD_AFTER_RESPONSE_MS,
  HELD_MS,
  MAX_UNFILLED_ADDRESSES,
  PUSHED_EFFECT_MS,
} from './policy.ts';

/** The addresses of pages that looked as if their scripts would fill them, and that were not filled in time, by their tabs. */
const UNFILLED = new WeakMap<Tab, Set<string>>();

/** Waits for what one step does after the page has settled first: timers, requests, messages, busy indicators, images. */
export class LateEffects {
  readonly #tab: Tab;
  readonly #mark: SettleMark;
  readonly #waitMs: number | null;
  readonly #endedBefore: number;
  /** True if a late effect was waited for. */
  #hasWaited = false;
  /** The new document whose content was waited for. */
  #unfilledDocument: string | undefined;
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

  /** True if the work of the step is recorded. */
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
    const isPromised = this.#waitMs !== null;
    if (report.busy.length > 0) {
      const roundMs = Math.min(leftMs, BUSY_ROUND_MS);
      // A caller who waits for a short time learns nothing about indicators that stay.
      const endsWait = (this.#waitMs ?? DEFAULT_WAIT_MS) >= DEFAULT_WAIT_MS && leftMs <= BUSY_ROUND_MS;
      await this.#inPage(roundMs, deadline, 'waitWhileBusy', endsWait, isPromised);
      return true;
    }
    if (report.isUnfilled) return this.#waitForContent(leftMs, deadline);
    if (this.#hasWaited) return false;
    const { requests } = this.#tab.network;
    const isAnswered = requests.endedCount > this.#endedBefore;
    if (report.holdsControl) {
      this.#hasWaited = true;
      const maxMs = isPromised ? leftMs : isAnswered ? HELD_AFTER_RESPONSE_MS : HELD_MS;
      await this.#inPage(Math.min(leftMs, maxMs), deadline, 'waitWhileHeld');
      return true;
    }
    if (report.expectedEffectMs === 0 || report.hasScrolled) return false;
    this.#hasWaited = true;
    const maxMs = isAnswered && requests.awaitsNews ? PUSHED_EFFECT_MS : report.expectedEffectMs;
    await this.#inPage(Math.min(leftMs, maxMs), deadline, 'waitForFirstEffect');
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
    if (recorder === undefined || this.#tab.scripts.pausedMs !== null) return;
    using limit = shortenDeadline(deadline, GRACE_MS);
    if (requests.hasFetched(after)) {
      const unused = this.#tab.interruptible(recorder.unusedRequests(limit));
      requests.ignoreUnused(after, await unused.catch(() => new Set<string>()));
    }
    if (!requests.hasSilentBody(after)) return;
    const reading = this.#tab.interruptible(recorder.readsBody(limit)).catch(() => true);
    if (!(await reading)) requests.ignoreSilentBodies(after);
  }

  /** Waits for the recorded work of the step, and keeps when its timers are due. @returns true if it waited */
  async #nextTask(report: SettleReport, leftMs: number, deadline: Deadline): Promise<boolean> {
    const { hasChanged, holdsControl, busy, isStatic, expectedEffectMs, hasScrolled } = report;
    const recorders = this.#mark.tasks ?? [];
    // The only recorder is that of the document that has settled.
    if (recorders.length === 0 || (isStatic && recorders.length === 1)) return false;
    const wait = {
      showsEffect: (hasChanged || report.hasNewLook) && !holdsControl && busy.length === 0,
      maxMs: leftMs,
      isPromised: this.#waitMs !== null,
    };
    const includesOthers = expectedEffectMs > 0 || hasScrolled;
    // The frame of a step may tell the document above it: what that one starts is no work of the step by itself.
    const waits = recorders.map((tasks, nth) =>
      tasks.next(
        { ...wait, includesOthers: includesOthers || (nth === 0 && recorders.length > 1) },
        deadline,
      ),
    );
    const results = (await this.#answerOf(Promise.all(waits), leftMs)) ?? [];
    this.startsDownload ||= results.some(result => result.startsDownload);
    const now = performance.now();
    const dueAt = results.flatMap(({ timersMs }) => timersMs.map(ms => now + ms));
    this.#tab.timers = { document: this.#tab.network.document?.id, dueAt };
    return results.some(({ waited }) => waited);
  }

  /** Waits until the scripts of a new document have filled it; once for each document, and for each address while it is not in vain. */
  async #waitForContent(leftMs: number, deadline: Deadline): Promise<boolean> {
    const { network } = this.#tab;
    const unfilled = UNFILLED.get(this.#tab) ?? new Set();
    UNFILLED.set(this.#tab, unfilled);
    const document = network.document?.id;
    const address = this.#tab.page.url().split(/[?#]/, 1)[0] ?? '';
    if (document === this.#unfilledDocument || unfilled.has(address)) return false;
    this.#unfilledDocument = document;
    const maxMs = this.#waitMs === null ? Math.min(leftMs, CONTENT_MS) : leftMs;
    const isFilled = await this.#inPage(maxMs, deadline, 'waitForContent');
    // A caller who waits for a short time learns nothing.
    if (isFilled === false && maxMs >= CONTENT_MS && unfilled.size < MAX_UNFILLED_ADDRESSES)
      unfilled.add(address);
    return true;
  }

  /** @returns what the function of the page returns; undefined if the document is gone, or the page cannot respond */
  #inPage(
    maxMs: number,
    deadline: Deadline,
    method: 'waitWhileBusy' | 'waitWhileHeld' | 'waitForFirstEffect' | 'waitForContent',
    endsWait = false,
    isPromised = false,
  ): Promise<unknown> {
    const asked = this.#tab
      .world(deadline)
      .then(world => world.callAgent(method, maxMs, endsWait, isPromised));
    return this.#answerOf<unknown>(asked, maxMs);
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
