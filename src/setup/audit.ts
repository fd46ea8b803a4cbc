/** `npm run audit`: exits with 1 if the registry has a high or critical advisory on a production package, or no advisories. */
import { type StdioOptions, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const reportShape = z.object({ auditReportVersion: z.number() });

const audit = (stdio: StdioOptions, ...args: string[]) =>
  spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', ...args], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    shell: process.platform === 'win32',
    stdio,
    encoding: 'utf8',
  });

if (audit('inherit').status !== 0) {
  // npm exits with 1 for a finding and for a registry without advisories; only the first prints a report.
  if (!isReport(audit(['ignore', 'pipe', 'ignore'], '--json').stdout)) {
    console.error(
      'Nothing was audited: this npm registry has no advisories (see the output of npm above). Use a registry that has them, ' +
        'such as https://registry.npmjs.org/.',
    );
  }
  process.exitCode = 1;
}

function isReport(text: string): boolean {
  try {
    return reportShape.safeParse(JSON.parse(text)).success;
  } catch {
    // Not JSON: no report.
    return false;
  }
}
