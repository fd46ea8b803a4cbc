import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RateLimiter } from '../../src/domain/account/rateLimit.ts';
import { type OpenRateLimiter, openSqliteRateLimiter } from '../../src/store/rateLimiter.ts';
import { describeRateLimiterContract, granted } from '../contracts/rateLimiterContract.ts';

let folder: string;
let path: string;
let opened: OpenRateLimiter[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-limits-'));
  path = join(folder, 'limits.sqlite');
  opened = [];
});
afterEach(() => {
  for (const one of opened) one.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A limiter with its own connection to the file, like that of another process. */
function limiter(): RateLimiter {
  const another = openSqliteRateLimiter(path);
  opened.push(another);
  return another;
}

describeRateLimiterContract('SQLite', limiter);

describe('openSqliteRateLimiter()', () => {
  it('continues a window after a restart', async () => {
    await limiter().consume('a', 10, 10);
    for (const one of opened) one.close();
    expect(await limiter().consume('a', 1, 10)).toMatchObject({ granted: false });
  });

  it('counts in memory if the file cannot be written', async () => {
    const one = limiter();
    for (const each of opened) each.close();
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

  it('removes expired windows', async () => {
    const one = limiter();
    const outside = new DatabaseSync(path);
    outside.exec(`with recursive callers(n) as (select 1 union all select n + 1 from callers where n < 500)
      insert into windows (key, points, expire) select 'address ' || n, 1, ${Date.now() - 1} from callers`);
    for (let requests = 0; requests < 1_000; requests++) await one.consume('a', 1, 10_000);
    expect(outside.prepare('select count(*) as n from windows').get()?.n).toBe(1);
    outside.close();
  });
});
