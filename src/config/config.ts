/** Reads the environment once and returns a frozen Config. Reports all errors at once. */
import { availableParallelism } from 'node:os';
import { closest } from 'fastest-levenshtein';
import type { z } from 'zod';
import { SETTINGS, type Setting } from './settings.ts';

type SettingName = keyof typeof SETTINGS;
type ParsedSettings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** The configuration. Durations keep the unit of their variable; null means not set. */
export interface Config extends Omit<ParsedSettings, 'publicUrl' | 'capacity'> {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly capacity: number;
}

/** The input of `defaultCapacity`. */
export interface MachineResources {
  readonly cores: number;
  /** Memory available to this process, in bytes; respects cgroup limits. */
  readonly freeBytes: number;
}

/** The configuration is not valid. The message lists every error, one per line. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map(fault => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Memory of one session with an average page in headless shell, peaks included. */
const BYTES_PER_SESSION = 300_000_000;
const SESSIONS_PER_CORE = 10;

/** Returns the number of sessions for a machine, by its cores and free memory; at least two. */
export function defaultCapacity(machine: MachineResources): number {
  const byMemory = Math.floor(machine.freeBytes / BYTES_PER_SESSION);
  return Math.max(2, Math.min(machine.cores * SESSIONS_PER_CORE, byMemory));
}

/** Returns the URL under which a program on the same machine reaches a listening socket. */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * @param env the environment; an empty value counts as unset
 * @param otherFaults errors that other modules found in their variables, reported with the rest
 * @param machine default: this machine
 * @throws ConfigError with all errors
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  otherFaults: readonly string[] = [],
  machine: MachineResources = { cores: availableParallelism(), freeBytes: process.availableMemory() },
): Config {
  const faults = [...unknownVariables(env), ...otherFaults];
  const read: Record<string, unknown> = {};
  for (const [name, { variable, schema, default: defaultText, ...more }] of settingEntries()) {
    const given = env[variable];
    const parsed = schema.safeParse(given === undefined || given === '' ? defaultText : given);
    if (parsed.success) read[name] = parsed.data;
    else {
      const problem = parsed.error.issues.map(issue => issue.message).join('; ');
      faults.push(`${variable} ${problem}${more.secret === true ? '' : `, not ${JSON.stringify(given)}`}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  // Sound: every key of SETTINGS was set above to its own schema's output.
  const config = read as ParsedSettings;
  return Object.freeze({
    ...config,
    publicUrl: config.publicUrl ?? localUrl(config.host, config.port),
    capacity: config.capacity ?? defaultCapacity(machine),
  });
}

const settingEntries = () => Object.entries<Setting<z.ZodType>>(SETTINGS);

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = settingEntries().map(([, { variable }]) => variable);
  return Object.keys(env)
    .filter(name => name.startsWith('PAGESPACE_') && !known.includes(name))
    .map(name => `${name} is unknown. Did you mean ${closest(name, known)}?`);
}

/** Returns the README's table of variables, in Markdown. */
export function configTable(): string {
  const rows = settingEntries().map(
    ([, { variable, default: defaultText, defaultDescription, description }]) => {
      const shown = defaultDescription ?? (defaultText === null ? 'none' : `\`${defaultText}\``);
      return `| \`${variable}\` | ${shown} | ${description} |`;
    },
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) process.stdout.write(`${configTable()}\n`);
