/**
 * Kills a real service with SIGKILL at random moments while four callers work, and checks after each time that every
 * answered operation is in the store, nothing is torn, nothing is shown active that is not, and no browser is left.
 *
 *   npm run soak:kill            thirty times
 *   npm run soak:kill -- 100     a hundred times
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
      `${String(++n).padStart(3)}  killed after ${when}  answered ${String(round.completed).padStart(4)}  ${round.faults.length === 0 ? 'whole' : round.faults.join('; ')}`,
    );
  });
  const faults = found.flatMap(round => round.faults);
  const answered = found.reduce((sum, round) => sum + round.completed, 0);
  console.log(`\n${rounds} kills, ${answered} answered operations, ${faults.length} faults`);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
