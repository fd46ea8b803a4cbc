import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RateLimitCounters, RateLimiter } from '../../src/domain/ports/rateLimiter.ts';
import { sqliteRateLimiter } from '../../src/limiter/sqliteRateLimiter.ts';
import { openRateLimitCounters } from '../../src/store/sqlite/rateLimitCounters.ts';
import { describeRateLimiterContract, granted } from '../contracts/rateLimiterContract.ts';

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

describeRateLimiterContract('SQLite', limiter);

describe('sqliteRateLimiter.consume()', () => {
  it('continues a window after a restart', async () => {
    await limiter().consume('a', 10, 10);
    for (const counters of opened) counters.close();
    expect(await limiter().consume('a', 1, 10)).toMatchObject({ granted: false });
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
