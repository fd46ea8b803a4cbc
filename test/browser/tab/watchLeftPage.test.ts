import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LeftPage, TabStuck, watchLeftPage } from '../../../src/browser/tab/navigate.ts';

const document = { id: 'left' };
/** @param share part of the processor that the page uses */
const leftPage = (
  network: Partial<LeftPage['network']>,
  { canHaveScripts = true, loops = false, share = 1 } = {},
) => ({
  canHaveScripts,
  loops,
  controls: { threadMs: async () => performance.now() * share, processMs: () => 0 },
  ping: (): Promise<unknown> => new Promise(() => {}),
  terminateScript: vi.fn(),
  blockedListeners: new Set<(atMs: number) => void>(),
  onBlockedDialog(listener: (atMs: number) => void) {
    this.blockedListeners.add(listener);
    return () => this.blockedListeners.delete(listener);
  },
  network: { awaitsDocument: false, awaitsCommit: false, document, ...network },
});

/** Watches a silent page for a time, and returns what the watch has found and done. */
async function watch(page: ReturnType<typeof leftPage>, ms: number) {
  const watched = watchLeftPage(page);
  let error: unknown = null;
  watched.whenStuck.catch((reason: unknown) => {
    error = reason;
  });
  await vi.advanceTimersByTimeAsync(ms);
  watched.stop();
  return { isStuck: error instanceof TabStuck, terminates: page.terminateScript.mock.calls.length > 0 };
}

describe('A page that is left and does not answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is stuck before the next document is requested', async () => {
    expect(await watch(leftPage({}), 3_500)).toEqual({ isStuck: true, terminates: true });
  });

  it('is not stuck while the server of the next document has not answered', async () => {
    const page = leftPage({ awaitsDocument: true });
    expect(await watch(page, 60_000)).toEqual({ isStuck: false, terminates: false });
  });

  it('has more time once the server has answered: the process of the next document may start slowly', async () => {
    expect(await watch(leftPage({ awaitsCommit: true }), 7_500)).toEqual({
      isStuck: false,
      terminates: true,
    });
    expect((await watch(leftPage({ awaitsCommit: true }), 10_000)).isStuck).toBe(true);
  });

  it('keeps its scripts once the server has answered, if it runs none: they may be those of the next document', async () => {
    const page = leftPage({ awaitsCommit: true }, { share: 0 });
    expect(await watch(page, 7_500)).toEqual({ isStuck: false, terminates: false });
  });

  it('keeps the scripts of the document that has taken its place', async () => {
    const page = leftPage({});
    const watching = watch(page, 60_000);
    page.network.document = { id: 'next' };
    expect((await watching).terminates).toBe(false);
  });

  it('has no more time than before if its scripts had to be paused', async () => {
    expect((await watch(leftPage({ awaitsCommit: true }, { loops: true }), 3_500)).isStuck).toBe(true);
  });

  it('keeps its scripts if it answers', async () => {
    const page = { ...leftPage({}), ping: async () => {} };
    expect(await watch(page, 60_000)).toEqual({ isStuck: false, terminates: false });
  });

  it('is terminated at once while its handlers ask for dialogs without end, which Chromium blocks and logs', async () => {
    const page = leftPage({});
    const watching = watch(page, 900);
    const block = (count: number, atMs: number): void => {
      for (let n = 0; n < count; n++) for (const listener of page.blockedListeners) listener(atMs);
    };
    block(8, Date.now());
    expect(page.terminateScript).toHaveBeenCalledTimes(0);
    block(1, Date.now());
    expect(page.terminateScript).toHaveBeenCalledTimes(1);
    // The log of the same loop comes later than its end.
    block(100, Date.now());
    expect(page.terminateScript).toHaveBeenCalledTimes(1);
    block(9, Date.now() + 1);
    expect(page.terminateScript).toHaveBeenCalledTimes(2);
    await watching;
    expect(page.blockedListeners.size).toBe(0);
  });

  it('keeps its scripts once the next document is requested, whatever the log says: they may be those of the next document', async () => {
    for (const network of [{ awaitsDocument: true }, { awaitsCommit: true }]) {
      const page = leftPage(network);
      const watching = watch(page, 900);
      for (let n = 0; n < 100; n++) for (const listener of page.blockedListeners) listener(Date.now());
      expect((await watching).terminates).toBe(false);
    }
  });

  it('is never stuck if it is the blank page of a new tab', async () => {
    expect(await watch(leftPage({}, { canHaveScripts: false }), 60_000)).toEqual({
      isStuck: false,
      terminates: false,
    });
  });
});
