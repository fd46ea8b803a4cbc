import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LeftPage, TabStuck, watchLeftPage } from '../../../src/browser/tab/watchLeftPage.ts';

const leftPage = (network: Partial<LeftPage['network']>, canHaveScripts = true, loops = false) => ({
  canHaveScripts,
  loops,
  ping: () => new Promise<never>(() => {}),
  terminateScript: vi.fn(),
  network: { awaitsDocument: false, awaitsCommit: false, ...network },
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

  it('has no more time than before if its scripts had to be paused', async () => {
    expect((await watch(leftPage({ awaitsCommit: true }, true, true), 3_500)).isStuck).toBe(true);
  });

  it('is never stuck if it is the blank page of a new tab', async () => {
    expect(await watch(leftPage({}, false), 60_000)).toEqual({ isStuck: false, terminates: false });
  });
});
