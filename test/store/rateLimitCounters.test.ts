import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRateLimitCounters } from '../../src/store/sqlite/rateLimitCounters.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-windows-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('RateLimitCounters removes expired windows', () => {
  const path = join(folder, 'limits.sqlite');
  const counters = openRateLimitCounters(path);
  const over = Date.now() - 1;
  // prepare() is called once per counted request.
  for (let caller = 0; caller < 2_500; caller++)
    counters
      .prepare('insert into windows (key, points, expire) values (?, 1, ?)')
      .run(`address ${caller}`, over);
  const outside = new DatabaseSync(path, { readOnly: true });
  expect(outside.prepare('select count(*) as n from windows').get()?.n).toBeLessThanOrEqual(1_000);
  outside.close();
  counters.close();
});
