/** Waits for what a step does after it has returned: timers, messages, and the end of what the page calls loading. */
import { onCall, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { DEFAULT_WAIT_MS } from '../../domain/specialActions/waitCondition.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import type { SettleReport } from '../injected/tab/settleReport.ts';
import { afterPageMs } from './pageTimer.ts';
import type { SettleMark } from './settleMark.ts';
import type { Tab } from './tab.ts';
import { unfilledPagesOf } from './unfilledPages.ts';

/** Longest timer that is waited for after a step that has shown no effect yet. Milliseconds. */
const MAX_FIRST_EFFECT_MS = 3_200;
/** Longest timer that is waited for after a step that has shown an effect. A longer one takes the effect back, as toasts do. Milliseconds. */
const MAX_LATER_EFFECT_MS = 900;
/**
 * The same for a timer whose code goes on with the work of the step, when the step has changed more than the control that it used.
 * Most toasts stay longer. Milliseconds.
 */
const MAX_ONGOING_EFFECT_MS = 2_200;
/** The same where the effect may come from elsewhere: the step has sent a request, and the page has a stream on which news come. Milliseconds. */
const MAX_PUSHED_EFFECT_MS = 2_500;
/** Longest wait for a control that the step has disabled, where nothing else shows its work: no open request and no timer. Milliseconds. */
const MAX_HELD_MS = 2_000;
/** The same where the step has had responses: the page has most likely read them. Milliseconds. */
const MAX_HELD_AFTER_RESPONSE_MS = 800;
/** Longest wait for the scripts of a new document to fill it, or to leave it. Milliseconds. */
const MAX_CONTENT_MS = 2_200;
/** Maximum time between two checks of the page while it says that it is busy. Milliseconds. */
const BUSY_ROUND_MS = 500;
/** Time beyond a wait in the page, in which the page answers other calls, after which no answer is expected any more. Milliseconds. */
const GRACE_MS = 1_000;

/** The late effects of one step. */
export class LateEffects {
  readonly #tab: Tab;
  readonly #mark: SettleMark;
  readonly #waitMs: number | null;
  #causedCount: number;
  readonly #endedBefore: number;
  /** True if a late effect was waited for. */
  #hasWaited = false;
  /** The new document whose content was waited for. */
  #unfilledDocument: string | undefined;
  /** True if the step has clicked a link to a file by script. */
  startsDownload = false;

  constructor(tab: Tab, mark: SettleMark, waitMs: number | null) {
    this.#tab = tab;
    this.#mark = mark;
    this.#waitMs = waitMs;
    this.#causedCount = mark.causedCount ?? tab.network.requests.causedCount;
    // On a busy machine a request of the step has ended before the wait for its effects begins.
    this.#endedBefore = mark.endedCount ?? tab.network.requests.endedCount;
  }

  /** True if the timers and messages of the step are recorded. */
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
    if (leftMs <= 0) {
      await this.#nextTask(report, 0, deadline);
      return false;
    }
    const isAnimated = report.animationMs > 0 && report.animationMs <= leftMs;
    // Signs of business that only a script takes away stay. A frame in which the step was performed can have scripts.
    const isInFrame = (this.#mark.tasks ?? []).length > 1;
    if (this.#tab.network.document?.forbidsScripts === true && !isInFrame) return isAnimated;
    if (await this.#nextTask(report, leftMs, deadline)) {
      this.#hasWaited = true;
      return true;
    }
    if (isAnimated) return true;
    if (report.busy.length > 0) {
      const roundMs = Math.min(leftMs, BUSY_ROUND_MS);
      // A caller who waits for a short time learns nothing about signs that stay.
      const waitMs = this.#waitMs ?? DEFAULT_WAIT_MS;
      const endsWait = waitMs >= DEFAULT_WAIT_MS && leftMs <= BUSY_ROUND_MS;
      // A caller who waits for longer may wait for just the bar that takes so long.
      const barMs = waitMs > DEFAULT_WAIT_MS ? null : leftMs;
      await this.#waitInPage(roundMs, deadline, 'waitWhileBusy', endsWait, barMs);
      return true;
    }
    if (report.isUnfilled) return this.#waitForContent(leftMs, deadline);
    if (report.holdsControl && !this.#hasWaited) return this.#waitForControl(leftMs, deadline);
    if (report.expectedEffectMs === 0 || report.hasScrolled || this.#hasWaited) return false;
    this.#hasWaited = true;
    const { network } = this.#tab;
    const isAnswered = network.requests.endedCount > this.#endedBefore;
    const maxMs = isAnswered && network.requests.awaitsNews ? MAX_PUSHED_EFFECT_MS : report.expectedEffectMs;
    await this.#waitInPage(Math.min(leftMs, maxMs), deadline, 'waitForFirstEffect');
    return true;
  }

  /**
   * Stops waiting for the rest of responses that the page does not read: Chromium does not report the end of a response that it does not
   * store until the page has read it.
   * @param after only requests after this one
   */
  async ignoreUnreadBodies(after: number, deadline: Deadline): Promise<void> {
    const { requests } = this.#tab.network;
    const [recorder] = this.#mark.tasks ?? [];
    if (recorder === undefined || !requests.hasSilentBody(after)) return;
    using limit = shortenDeadline(deadline, GRACE_MS);
    const reading = this.#tab.interruptible(recorder.readsBody(limit)).catch(() => true);
    if (!(await reading)) requests.ignoreSilentBodies(after);
  }

  async #nextTask(report: SettleReport, leftMs: number, deadline: Deadline): Promise<boolean> {
    const { hasChanged, holdsControl, busy, isStatic, showsElsewhere, expectedEffectMs, hasScrolled } =
      report;
    const recorders = this.#mark.tasks ?? [];
    // The only recorder is that of the document that has settled.
    if (isStatic && recorders.length <= 1) return false;
    const { requests } = this.#tab.network;
    const hadRequests = requests.causedCount > this.#causedCount;
    this.#causedCount = requests.causedCount;
    const showsEffect = (hasChanged || report.hasNewLook) && !holdsControl && busy.length === 0;
    const firstMs = this.#waitMs ?? MAX_FIRST_EFFECT_MS;
    // A class of the pressed control may only accompany the work, so timers that do not take it back are waited for as before.
    const isFirst = !hasChanged || holdsControl;
    const ongoingMs = showsElsewhere ? MAX_ONGOING_EFFECT_MS : isFirst ? MAX_FIRST_EFFECT_MS : 0;
    const wait = {
      longestDelayMs: showsEffect
        ? Math.min(MAX_LATER_EFFECT_MS, this.#waitMs ?? Number.POSITIVE_INFINITY)
        : firstMs,
      showsEffect,
      longestOngoingMs: Math.min(ongoingMs, this.#waitMs ?? Number.POSITIVE_INFINITY),
      maxMs: leftMs,
      // What observes which rows are in view sets its timers in no event of the step.
      includesOthers: expectedEffectMs > 0 || hasScrolled || requests.endedCount > this.#endedBefore,
      hadRequests,
    };
    // The frame of a step may tell the document above it: what that one starts is no work of the step by itself.
    const waits = recorders.map((tasks, nth) =>
      tasks.next(
        { ...wait, includesOthers: wait.includesOthers || (nth === 0 && recorders.length > 1) },
        deadline,
      ),
    );
    if (waits.length === 0) return false;
    const results = (await this.#answerOf(Promise.all(waits), leftMs)) ?? [];
    this.startsDownload ||= results.some(result => result.startsDownload);
    const now = performance.now();
    const dueAt = results.flatMap(({ timersMs }) => timersMs.map(ms => now + ms));
    this.#tab.timers = { document: this.#tab.network.document?.id, dueAt };
    return results.some(({ waited }) => waited);
  }

  /** Waits until the control that the step has disabled is enabled again, or the page shows something else. Returns true. */
  async #waitForControl(leftMs: number, deadline: Deadline): Promise<true> {
    this.#hasWaited = true;
    const isAnswered = this.#tab.network.requests.endedCount > this.#endedBefore;
    const maxMs = isAnswered ? MAX_HELD_AFTER_RESPONSE_MS : MAX_HELD_MS;
    // A caller who waits for a short time learns nothing.
    await this.#waitInPage(Math.min(leftMs, maxMs), deadline, 'waitWhileHeld', leftMs >= maxMs);
    return true;
  }

  /** Waits until the scripts of a new document have filled it; once for each document, and for each address while it is not in vain. */
  async #waitForContent(leftMs: number, deadline: Deadline): Promise<boolean> {
    const { network } = this.#tab;
    const unfilledPages = unfilledPagesOf(this.#tab);
    const document = network.document?.id;
    const address = this.#tab.page.url().split(/[?#]/, 1)[0] ?? '';
    if (document === this.#unfilledDocument || unfilledPages.has(address)) return false;
    this.#unfilledDocument = document;
    const maxMs = Math.min(leftMs, MAX_CONTENT_MS);
    const isFilled = await this.#waitInPage(maxMs, deadline, 'waitForContent');
    // A caller who waits for a short time learns nothing.
    if (isFilled === false && maxMs === MAX_CONTENT_MS) unfilledPages.add(address);
    return true;
  }

  /** @returns what the function of the page returns; undefined if the document is gone, or the page cannot respond */
  async #waitInPage(
    maxMs: number,
    deadline: Deadline,
    method: 'waitWhileBusy' | 'waitWhileHeld' | 'waitForFirstEffect' | 'waitForContent',
    endsWait = false,
    barMs: number | null = null,
  ): Promise<unknown> {
    const asked = this.#tab.world(deadline).then(world => world.callAgent(method, maxMs, endsWait, barMs));
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
