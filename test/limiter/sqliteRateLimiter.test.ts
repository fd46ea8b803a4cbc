import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RateLimitCounters, RateLimiter } from '../../src/domain/ports/rateLimiter.ts';
import { sqliteRateLimiter } from '../../src/limiter/sqliteRateLimiter.ts';
import { openRateLimitCounters } from '../../src/store/rateLimitCounters.ts';

let folder: string;
let path: string;
let opened: RateLimitCounters[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-limits-'));
  path = join(folder, 'limits.sqlite');
  opened = [];
});
afterEach(() => {
  for (const counters of opened) counters.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A limiter with its own connection to the file, like that of another process. */
function limiter(): RateLimiter {
  const counters = openRateLimitCounters(path);
  opened.push(counters);
  return sqliteRateLimiter(counters);
}

const granted = async (asked: readonly Promise<{ readonly granted: boolean }>[]): Promise<number> =>
  (await Promise.all(asked)).filter(one => one.granted).length;

describe('sqliteRateLimiter.consume()', () => {
  it('grants exactly the limit of two hundred concurrent requests', async () => {
    const one = limiter();
    expect(await granted(Array.from({ length: 200 }, () => one.consume('a', 1, 60)))).toBe(60);
  });

  it('returns the remaining requests and the seconds until the next window', async () => {
    const one = limiter();
    expect(await one.consume('a', 3, 10)).toEqual({
      limit: 10,
      remaining: 7,
      resetSeconds: 60,
      granted: true,
    });
    expect(await one.consume('a', 7, 10)).toMatchObject({ remaining: 0, granted: true });
    expect(await one.consume('a', 1, 10)).toMatchObject({ remaining: 0, granted: false });
  });

  it('counts refused requests too', async () => {
    const one = limiter();
    await one.consume('a', 8, 10);
    expect(await one.consume('a', 5, 10)).toMatchObject({ granted: false });
    expect(await one.consume('a', 1, 10)).toMatchObject({ granted: false });
  });

  it('counts each name separately', async () => {
    const one = limiter();
    await one.consume('a', 10, 10);
    expect(await one.consume('b', 1, 10)).toMatchObject({ remaining: 9, granted: true });
  });

  it('continues a window after a change of the limit', async () => {
    const one = limiter();
    await one.consume('a', 10, 10);
    expect(await one.consume('a', 1, 600)).toMatchObject({ remaining: 589, granted: true });
  });

  it('continues a window after a restart', async () => {
    await limiter().consume('a', 10, 10);
    for (const counters of opened) counters.close();
    expect(await limiter().consume('a', 1, 10)).toMatchObject({ granted: false });
  });

  it('shares its counts with other processes on the same file', async () => {
    const [one, other] = [limiter(), limiter()];
    const asked = Array.from({ length: 100 }, () => [one.consume('a', 1, 60), other.consume('a', 1, 60)]);
    expect(await granted(asked.flat())).toBe(60);
  });

  it('counts in memory if the file cannot be written', async () => {
    const one = limiter();
    for (const counters of opened) counters.close();
    expect(await granted(Array.from({ length: 20 }, () => one.consume('a', 1, 10)))).toBe(10);
  });

  it.each(['a running', 'a restarted'])(
    'does not extend a window of %s service when the clock is set back',
    async which => {
      const hour = 3_600_000;
      const one = limiter();
      await one.consume('a', 11, 10);
      vi.useFakeTimers({ now: Date.now() - hour, toFake: ['Date'] });
      try {
        one.adjustForClockJump(which === 'a running' ? -hour : 0);
        const after = which === 'a running' ? one : limiter();
        const { granted: isGranted, resetSeconds } = await after.consume('a', 1, 10);
        expect([isGranted, resetSeconds <= 60]).toEqual([which === 'a restarted', true]);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('starts again with a new file if the file is damaged', async () => {
    writeFileSync(path, 'x'.repeat(10_000));
    expect(await limiter().consume('a', 1, 10)).toMatchObject({ remaining: 9 });
  });
});
