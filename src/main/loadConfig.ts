import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type EgressRule, parseEgressAllow } from '../browser/egress/egressRules.ts';
import { type Config, readConfig } from '../config/config.ts';

/** How a person runs a command: as `program` in the image, with npm in a clone, by the name of the command in the npm package. */
export function commandHint(command: string, args = '', program = process.env.PAGESPACE_PROGRAM): string {
  const after = args === '' ? '' : ` ${args}`;
  if (program !== undefined) return `${program} ${command}${after}`;
  if (import.meta.url.endsWith('.ts')) return `npm run ${command}${args === '' ? '' : ` -- ${args}`}`;
  return `pagespace ${command}${after}`;
}

/** The configuration, and the settings that a module other than `config.ts` parses. */
export interface LoadedConfig {
  readonly config: Config;
  /** The parsed PAGESPACE_EGRESS_ALLOW: private addresses that pages may reach. */
  readonly egressRules: readonly EgressRule[];
}

/** Reads and checks the configuration. @throws ConfigError with the errors of all variables */
export function loadConfig(env: NodeJS.ProcessEnv): LoadedConfig {
  const egress = parseEgressAllow(env.PAGESPACE_EGRESS_ALLOW ?? '');
  const config = readConfig(env, [
    ...egress.errors.map(fault => `PAGESPACE_EGRESS_ALLOW ${fault}`),
    ...temporaryFolderFaults(env.TMPDIR || tmpdir()),
  ]);
  return { config, egressRules: egress.rules };
}

/** Returns what is wrong with the folder for temporary files: browsers keep their profiles there. */
function temporaryFolderFaults(folder: string): readonly string[] {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (statSync(folder).isDirectory()) return [];
  } catch {
    // Said below.
  }
  return [`TMPDIR must be a folder that the service can write to, not ${JSON.stringify(folder)}`];
}
