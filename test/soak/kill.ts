/**
 * Kills a real service with SIGKILL at random moments while four callers use it, and checks after each kill that every
 * completed operation is in the store, the store is intact, no ended session is listed as active, and no browser is left.
 *
 *   npm run soak:kill            30 times
 *   npm run soak:kill -- 100     100 times
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killRounds } from './killRounds.ts';

const rounds = Math.max(1, Number(process.argv[2] ?? 30));
const folder = mkdtempSync(join(tmpdir(), 'pagespace-kill-'));
let n = 0;
try {
  const found = await killRounds(join(folder, 'data'), rounds, round => {
    const when = `${Math.round(round.killedAfterMs)} ms`.padStart(8);
    console.log(
      `${String(++n).padStart(3)}  killed after ${when}  completed ${String(round.completed).padStart(4)}  ${round.faults.length === 0 ? 'intact' : round.faults.join('; ')}`,
    );
  });
  const faults = found.flatMap(round => round.faults);
  const completed = found.reduce((sum, round) => sum + round.completed, 0);
  console.log(`\n${rounds} kills, ${completed} completed operations, ${faults.length} faults`);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
