import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScriptWatch } from '../../../src/browser/tab/scriptWatch.ts';

const endless = new Promise<never>(() => {});

/** A page whose main thread is busy with one script until the script is ended. */
class BusyPage {
  /** Part of a processor that the page gets. */
  speed = 1;
  isSilent = true;
  canAnswer = true;
  /** Does not settle while V8 itself or a layout keeps the page from telling its processor time. */
  native = Promise.resolve();
  ended = 0;
  pings = 0;
  /** Number of scripts that follow each other. */
  scripts = 1;
  document = 'first';
  isOffline = false;
  isGivenUp = false;
  isPaused = false;
  readonly #waiting: (() => void)[] = [];
  readonly watch = new ScriptWatch({
    ping: () => {
      this.pings++;
      return new Promise<void>(resolve => {
        if (this.isSilent) this.#waiting.push(resolve);
        else resolve();
      });
    },
    canAnswer: () => this.canAnswer,
    threadMs: () => this.native.then(() => performance.now() * this.speed),
    processMs: () => performance.now() * this.speed,
    terminateScript: () => {
      this.ended++;
      if (--this.scripts === 0) this.answer();
    },
    giveUp: () => {
      this.isGivenUp = true;
    },
    documentId: () => this.document,
    hasOpenRequest: () => true,
    stopSlowLoad: () => {},
    setOffline: isOffline => {
      this.isOffline = isOffline;
    },
    setScriptsPaused: isPaused => {
      this.isPaused = isPaused;
    },
  });

  answer(): void {
    this.isSilent = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('The watch over the scripts of a page', () => {
  it('ends a script that has used its processor time without an answer', async () => {
    const page = new BusyPage();
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(page.ended).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([page.ended, page.watch.takeEndedCount(), page.watch.takeEndedCount()]).toEqual([1, 1, 0]);
  });

  it('waits longer for a page that gets less of the processor, but not for ever', async () => {
    const page = new BusyPage();
    page.speed = 0.1;
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(page.ended).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.ended).toBe(1);
  });

  it('waits longer for a layout that gets less of the processor, and does not take it for a wait for a server', async () => {
    const page = new BusyPage();
    page.speed = 0.1;
    page.native = endless;
    let marked = 0;
    page.watch.markConnections = () => () => marked++;
    void page.watch.during(endless);
    void page.watch.whileReading(() => endless);
    await vi.advanceTimersByTimeAsync(24_000);
    expect([page.ended, marked]).toEqual([0, 0]);
  });

  it('tells for how long the page has not answered, until it answers', async () => {
    const page = new BusyPage();
    page.scripts = 1_000;
    void page.watch.whileReading(() => endless);
    await vi.advanceTimersByTimeAsync(7_000);
    const silentMs = page.watch.silentMs;
    page.answer();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([silentMs, page.watch.silentMs]).toEqual([7_000, 0]);
  });

  it('ends the process that draws when the page waits for it, but not when it runs', async () => {
    const restarts = async (speed: number): Promise<number> => {
      const page = new BusyPage();
      page.speed = speed;
      page.native = endless;
      page.scripts = 1_000;
      let count = 0;
      page.watch.restartGpu = async () => void count++;
      void page.watch.during(endless);
      await vi.advanceTimersByTimeAsync(30_000);
      return count;
    };
    expect([await restarts(0), await restarts(1), await restarts(0.1)]).toEqual([1, 0, 0]);
  });

  it('closes the silent connections of a page that waits for a server, not those of one that runs', async () => {
    const closed = async (speed: number): Promise<number> => {
      const page = new BusyPage();
      page.speed = speed;
      page.scripts = 100;
      let count = 0;
      page.watch.markConnections = () => () => count++;
      void page.watch.during(endless);
      await vi.advanceTimersByTimeAsync(10_800);
      page.answer();
      return count;
    };
    expect([(await closed(0)) > 0, await closed(1)]).toEqual([true, 0]);
  });

  it('lets the requests of a page fail that waits for its servers again and again, until the operation ends', async () => {
    const page = new BusyPage();
    page.speed = 0;
    page.scripts = 1_000;
    const closed: boolean[] = [];
    page.watch.markConnections =
      () =>
      (all = false) =>
        void closed.push(all);
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(10_200);
    expect([closed, page.isOffline]).toEqual([[false], false]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect([closed, page.isOffline]).toEqual([[false, false, true], true]);
    page.answer();
    page.watch.release();
    expect(page.isOffline).toBe(false);
  });

  it('ends the wait of a document that has waited before sooner, also while the service reads it', async () => {
    const page = new BusyPage();
    page.speed = 0;
    page.scripts = 1_000;
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(10_500);
    page.answer();
    page.watch.release();
    await vi.advanceTimersByTimeAsync(1_000);
    const { ended } = page;
    void page.watch.whileReading(() => endless);
    page.isSilent = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([page.ended, page.isOffline]).toEqual([ended, true]);
  });

  it('ends the scripts that follow each other, and counts them as one', async () => {
    const page = new BusyPage();
    page.scripts = 4;
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(7_000);
    expect([page.ended, page.watch.takeEndedCount()]).toEqual([4, 1]);
  });

  it('pauses the scripts of a page that runs on after the end of one, until the operation ends', async () => {
    const page = new BusyPage();
    page.scripts = 1_000;
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(6_000);
    expect([page.isPaused, page.watch.takePaused(), page.watch.takePaused()]).toEqual([true, true, false]);
    page.answer();
    page.watch.release();
    expect(page.isPaused).toBe(false);
  });

  it('pauses the scripts of a page as soon as a second one runs on in an operation, and in the operations that follow', async () => {
    const page = new BusyPage();
    const run = async (ms: number): Promise<void> => {
      page.isSilent = true;
      await vi.advanceTimersByTimeAsync(ms);
    };
    void page.watch.during(endless);
    await run(6_000);
    expect([page.isSilent, page.isPaused]).toEqual([false, false]);
    await run(1_500);
    expect(page.isPaused).toBe(true);
    page.answer();
    page.watch.release();
    void page.watch.whileReading(() => endless);
    await run(1_500);
    expect(page.isPaused).toBe(true);
  });

  it('gives a page its whole time again in the next operation if only one script was ended', async () => {
    const page = new BusyPage();
    const first = Promise.withResolvers<void>();
    const operation = page.watch.during(first.promise);
    await vi.advanceTimersByTimeAsync(6_000);
    first.resolve();
    await operation;
    page.watch.release();
    page.isSilent = true;
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([page.ended, page.isPaused]).toEqual([1, false]);
  });

  it('counts the silence of a page over the parts of an operation', async () => {
    const page = new BusyPage();
    const settling = Promise.withResolvers<void>();
    const settled = page.watch.during(settling.promise);
    await vi.advanceTimersByTimeAsync(4_000);
    settling.resolve();
    await settled;
    void page.watch.whileReading(() => endless);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([page.ended, page.pings]).toEqual([1, 1]);
  });

  it.each([
    ['runs on', 1, 10_000],
    ['does nothing', 0, 39_000],
  ])('gives a page up that %s after its scripts were ended again and again', async (_, speed, ms) => {
    const page = new BusyPage();
    page.speed = speed;
    page.scripts = 1_000;
    void page.watch.during(endless);
    await vi.advanceTimersByTimeAsync(8_700);
    expect([page.ended > 0, page.isGivenUp]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(ms - 8_700);
    const { ended } = page;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([page.isGivenUp, page.ended]).toEqual([true, ended]);
  });

  it('leaves a page alone that answers, has an open dialog, or has no operation', async () => {
    const answering = new BusyPage();
    answering.isSilent = false;
    const blocked = new BusyPage();
    blocked.canAnswer = false;
    const idle = new BusyPage();
    void answering.watch.during(endless);
    void blocked.watch.during(endless);
    await idle.watch.during(Promise.resolve());
    await vi.advanceTimersByTimeAsync(20_000);
    expect([answering.ended, blocked.ended, idle.ended, blocked.pings, idle.pings]).toEqual([0, 0, 0, 0, 0]);
  });

  it('ends a script that runs before the reading of the page, but never the reading itself', async () => {
    const before = new BusyPage();
    void before.watch.whileReading(() => endless);
    const during = new BusyPage();
    during.isSilent = false;
    void during.watch.whileReading(() => endless);
    during.isSilent = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect([before.ended, during.ended]).toEqual([1, 0]);
  });

  it('ends a page whose V8 runs without end while it is read, but not for a long layout or a long reading', async () => {
    const page = new BusyPage();
    page.isSilent = false;
    page.scripts = 1_000;
    void page.watch.whileReading(() => endless);
    await vi.advanceTimersByTimeAsync(1_000);
    page.isSilent = true;
    const layout = Promise.withResolvers<void>();
    page.native = layout.promise;
    await vi.advanceTimersByTimeAsync(14_000);
    layout.resolve();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(page.ended).toBe(0);
    page.native = endless;
    await vi.advanceTimersByTimeAsync(21_000);
    expect([page.ended > 0, page.isGivenUp]).toEqual([true, true]);
  });

  it('does not ask a page that has just answered another call', async () => {
    const page = new BusyPage();
    page.watch.answered();
    await page.watch.whileReading(() => Promise.resolve());
    expect(page.pings).toBe(0);
  });
});
