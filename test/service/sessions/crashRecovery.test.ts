import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killRounds } from '../../soak/killRounds.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-killed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// One kill shows that recovery works. `npm run soak:kill` kills the service at 30 random moments.
it('A service killed at a random moment has stored every operation that it completed, and lists no ended session as active', async () => {
  const rounds = await killRounds(join(folder, 'data'), 1);
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  expect(rounds.reduce((sum, { completed }) => sum + completed, 0)).toBeGreaterThan(0);
});
