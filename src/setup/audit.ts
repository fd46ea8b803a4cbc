/**
 * `npm run audit`: asks the registry for advisories against what production uses. Ends with code 1 where one is high or critical,
 * and where the registry tells none.
 */
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
  // npm ends with 1 for a finding and for a registry without advisories alike; only the first has a report.
  if (!isReport(audit(['ignore', 'pipe', 'ignore'], '--json').stdout)) {
    console.error(
      'Nothing was audited: this registry does not tell advisories (see what npm says above). Run it where one can be asked that does, ' +
        'such as https://registry.npmjs.org/ itself.',
    );
  }
  process.exitCode = 1;
}

function isReport(text: string): boolean {
  try {
    return reportShape.safeParse(JSON.parse(text)).success;
  } catch {
    // Not even JSON: no report.
    return false;
  }
}
