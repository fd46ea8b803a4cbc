import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SharedMemoryLimit } from '../../../src/browser/limits/browserResourceMonitor.ts';
import type { MonitoredBrowser, MonitoredSession } from '../../../src/browser/limits/monitoredBrowser.ts';
import type { SessionResourceUsage } from '../../../src/browser/limits/sessionResourceUsage.ts';

const MB = 1_000_000;
const LIMIT = 100 * MB;

/** Bytes that Chromium counts for the filler; 0 for memory of which it counts nothing: history; null while it does not respond. */
let countedBytes: number | null;
const session = (storedBytes: () => number | null): MonitoredSession => ({
  resourceUsage: {
    storedBytes: async () => storedBytes(),
  } as Partial<SessionResourceUsage> as SessionResourceUsage,
  limitExceeded() {},
});

const filler = session(() => countedBytes);
const neighbour = session(() => {
  vi.advanceTimersByTime(countTimeMs);
  return 0;
});
/** Time that Chromium takes to count the storage of the neighbour. */
let countTimeMs: number;
let leases: Set<MonitoredSession>;
let limit: SharedMemoryLimit;
let cpuSeconds: Map<MonitoredSession, number>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  leases = new Set([filler, neighbour]);
  cpuSeconds = new Map();
  countedBytes = 0;
  countTimeMs = 0;
  limit = new SharedMemoryLimit({ leases } as Partial<MonitoredBrowser> as MonitoredBrowser, LIMIT);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Measures the shared processes after each session has used so much more processor time. */
function check(bytes: number, work: ReadonlyMap<MonitoredSession, number> = new Map()) {
  for (const [owner, seconds] of work) cpuSeconds.set(owner, (cpuSeconds.get(owner) ?? 0) + seconds);
  const renderers = [...leases].map(
    owner => [owner === filler ? 1 : 2, { owner, cpuSeconds: cpuSeconds.get(owner) ?? 0 }] as const,
  );
  return limit.check(bytes, new Map(renderers));
}

/** The filler fills 300 MB while the neighbour works a little, and its session ends; the processes keep the memory. */
async function endFiller(): Promise<void> {
  await check(0);
  expect(
    await check(
      300 * MB,
      new Map([
        [filler, 9],
        [neighbour, 1],
      ]),
    ),
  ).toBe(filler);
  leases.delete(filler);
}

describe('SharedMemoryLimit.check', () => {
  it('returns the session that worked most while the memory grew', async () => {
    await endFiller();
  });

  it('ends no session that worked harder while Chromium has not counted the storage of another one', async () => {
    const neighbourWorked = new Map([
      [filler, 1],
      [neighbour, 9],
    ]);
    await check(0);
    countedBytes = null;
    expect(await check(300 * MB, neighbourWorked)).toBeNull();
    countedBytes = 290 * MB;
    expect(await check(310 * MB, neighbourWorked)).toBe(filler);
  });

  it('ends the session that worked most when Chromium has counted nothing twice', async () => {
    await check(0);
    countedBytes = null;
    expect(await check(300 * MB, new Map([[filler, 9]]))).toBeNull();
    expect(await check(300 * MB)).toBe(filler);
  });

  it('ends no second session while the memory may be that of the one that ended', async () => {
    await endFiller();
    for (let elapsedMs = 0; elapsedMs < 9_000; elapsedMs += 1_000) {
      vi.advanceTimersByTime(1_000);
      expect(await check(300 * MB)).toBeNull();
    }
  });

  it('ends the next session when the processes still hold the memory after 10 seconds', async () => {
    await endFiller();
    vi.advanceTimersByTime(10_000);
    expect(await check(300 * MB)).toBe(neighbour);
  });

  it('waits longer for the memory of a session that ended on a machine on which Chromium takes long to count', async () => {
    await endFiller();
    vi.advanceTimersByTime(10_000);
    countTimeMs = 4_000;
    expect(await check(300 * MB)).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(await check(300 * MB)).toBeNull();
    countTimeMs = 100;
    vi.advanceTimersByTime(60_000);
    expect(await check(300 * MB)).toBe(neighbour);
  });

  it('ends the next session after 2 seconds when half of the limit is attributed to it', async () => {
    await endFiller();
    vi.advanceTimersByTime(2_000);
    expect(await check(400 * MB, new Map([[neighbour, 1]]))).toBe(neighbour);
  });

  it('returns the session whose memory Chromium counts, however little it worked, and no other while it is freed', async () => {
    countedBytes = 290 * MB;
    await check(0);
    const work = new Map([
      [filler, 1],
      [neighbour, 99],
    ]);
    expect(await check(300 * MB, work)).toBe(filler);
    leases.delete(filler);
    for (let elapsedMs = 0; elapsedMs < 9_000; elapsedMs += 1_000) {
      vi.advanceTimersByTime(1_000);
      expect(await check(300 * MB)).toBeNull();
    }
  });
});
