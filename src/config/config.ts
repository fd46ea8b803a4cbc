import { availableParallelism } from 'node:os';
import { closest } from 'fastest-levenshtein';
import type { z } from 'zod';
import { quoteValue, type Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

type SettingName = keyof typeof SETTINGS;
type ParsedSettings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** The configuration of the service: one field for each setting of `SETTINGS`. Durations keep the unit of their variable; null means not set. */
export interface Config extends Omit<ParsedSettings, 'publicUrl' | 'capacity' | 'nodeId' | 'practiceShop'> {
  /** The URL under which clients reach the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Maximum number of active sessions of the service. */
  readonly capacity: number;
  /** Name of this node in its cluster; null on one machine, and if the data folder has it. */
  readonly nodeId: string | null;
  /** True if only programs of this machine can reach the service. */
  readonly isLocal: boolean;
  /** The port of the practice shop, and whether the service must not start without it; null for no shop. */
  readonly practiceShop: { readonly port: number; readonly isRequired: boolean } | null;
}

/** The processor cores and the free memory of the machine that the service runs on. */
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

/** Bytes of memory that one session with an average page needs in headless shell, peaks included. */
const BYTES_PER_SESSION = 300_000_000;
const SESSIONS_PER_CORE = 10;

/** Returns the default of PAGESPACE_CAPACITY: how many sessions the cores and the free memory of a machine allow; at least two. */
export function defaultCapacity(machine: MachineResources): number {
  const byMemory = Math.floor(machine.freeBytes / BYTES_PER_SESSION);
  return Math.max(2, Math.min(machine.cores * SESSIONS_PER_CORE, byMemory));
}

/** Returns the URL under which a program on the same machine reaches a server that listens on `host` and `port`. */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Reads the settings from environment variables and returns a frozen configuration.
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
      faults.push(`${variable} ${problem}${more.secret === true ? '' : `, not ${quoteValue(given)}`}`);
    }
  }
  faults.push(...clusterFaults(read));
  if (faults.length > 0) throw new ConfigError(faults);
  // The cast is safe: every key of SETTINGS was set above to the output of its schema.
  const config = read as ParsedSettings;
  const isLocal = isLocalService(config);
  return Object.freeze({
    ...config,
    publicUrl: config.publicUrl ?? localUrl(config.host, config.port),
    capacity: config.capacity ?? defaultCapacity(machine),
    nodeId: config.databaseUrl === null ? null : config.nodeId,
    isLocal,
    practiceShop: practiceShopOf(config, isLocal),
  });
}

/** True for a host that only programs of the same machine can reach. */
export const isLoopbackHost = (host: string): boolean =>
  /^(127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/.test(host);

/** True unless other machines can reach the service: on its own interface, behind a proxy, or as a node of a cluster. */
const isLocalService = ({ host, publicUrl, trustedProxies, databaseUrl }: ParsedSettings): boolean =>
  isLoopbackHost(host) &&
  (publicUrl === null || isLoopbackHost(new URL(publicUrl).hostname)) &&
  trustedProxies === 0 &&
  databaseUrl === null;

function practiceShopOf({ practiceShop, port }: ParsedSettings, isLocal: boolean): Config['practiceShop'] {
  if (practiceShop === null || (practiceShop === 'auto' && !isLocal)) return null;
  if (practiceShop !== 'auto') return { port: practiceShop, isRequired: true };
  // The next port, so that the examples of the manuals name the shop of a default start. Any free one where there is no next port.
  return { port: port === 0 || port === 65_535 ? 0 : port + 1, isRequired: false };
}

/** A setting that was not valid has no value in `read`, and its own error already. */
function clusterFaults({ databaseUrl, natsUrl, natsCredentials, natsCa }: Record<string, unknown>): string[] {
  const reason = 'A cluster needs both, and a service on one machine neither';
  if (typeof databaseUrl === 'string' && natsUrl === null)
    return [`DATABASE_URL is set without NATS_URL. ${reason}.`];
  if (typeof natsUrl === 'string' && databaseUrl === null)
    return [`NATS_URL is set without DATABASE_URL. ${reason}.`];
  if (natsUrl !== null) return [];
  return Object.entries({ NATS_CREDENTIALS: natsCredentials, NATS_CA: natsCa })
    .filter(([, value]) => typeof value === 'string')
    .map(([variable]) => `${variable} is set without NATS_URL.`);
}

const settingEntries = () => Object.entries<Setting<z.ZodType>>(SETTINGS);

/** Variables that are not settings of the service: those of the commands that call one, and the name that the image gives its program. */
const OTHER_VARIABLES: readonly string[] = [
  'PAGESPACE_URL',
  'PAGESPACE_API_KEY',
  'PAGESPACE_SESSION',
  'PAGESPACE_PROGRAM',
];

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = settingEntries().map(([, { variable }]) => variable);
  return Object.keys(env)
    .filter(name => name.startsWith('PAGESPACE_') && !known.includes(name) && !OTHER_VARIABLES.includes(name))
    .map(name => `${name} is unknown. Did you mean ${suggestionFor(name, known)}?`);
}

/** Returns the known variable that was most likely meant: some (`LOG_LEVEL`) have no prefix. */
function suggestionFor(name: string, known: readonly string[]): string {
  const bare = name.slice('PAGESPACE_'.length);
  return known.includes(bare) ? bare : closest(name, known);
}

/** Returns all settings as a Markdown table (variable, default, meaning), for docs/configuration.md. */
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
