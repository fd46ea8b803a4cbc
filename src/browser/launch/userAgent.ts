/** The user agent of a browser, and the client hints that belong to one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const VERSION_TIMEOUT_MS = 10_000;
const versions = new Map<string, Promise<string | null>>();

/** Returns the user agent that Chromium has with a window, of this version: since version 110 it names the first number only. */
export const defaultUserAgent = (version: string): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.')[0]}.0.0.0 Safari/537.36`;

/**
 * Returns the switch that gives every process of a browser the default user agent: Playwright sets it for pages and dedicated workers, and
 * headless shell names itself in shared and service workers. None if the version is unknown. Asks an executable once.
 */
export async function userAgentFlags(executablePath: string): Promise<readonly string[]> {
  const asking = versions.get(executablePath) ?? askVersion(executablePath);
  versions.set(executablePath, asking);
  const version = await asking;
  return version === null ? [] : [`--user-agent=${defaultUserAgent(version)}`];
}

async function askVersion(executablePath: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(executablePath, ['--version'], {
      timeout: VERSION_TIMEOUT_MS,
    });
    return /\b(\d+\.\d+\.\d+\.\d+)\b/.exec(stdout)?.[1] ?? null;
  } catch {
    // The launch tells what is wrong with the executable.
    return null;
  }
}

const OVERRIDE_HEAD = /^\{"id":\d+,"method":"Emulation\.setUserAgentOverride"/;

/**
 * Returns a message to the browser; one that sets a user agent sets its client hints and its platform too. Playwright sends hints without
 * brands, for which Chromium puts its own: those of headless shell.
 */
export function withClientHints(message: unknown): unknown {
  if (typeof message !== 'string' || !OVERRIDE_HEAD.test(message)) return message;
  const call = JSON.parse(message) as { readonly params: { readonly userAgent?: string } };
  const { userAgent = '' } = call.params;
  if (userAgent === '') return message;
  const { userAgentMetadata: _without, ...params } = call.params as Record<string, unknown>;
  const metadata = clientHintsOf(userAgent);
  return JSON.stringify({
    ...call,
    params: {
      ...params,
      platform: platformOf(userAgent).navigator,
      ...(metadata !== null && { userAgentMetadata: metadata }),
    },
  });
}

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** The client hints of a user agent (UA Client Hints, W3C), as CDP writes them. */
export interface ClientHints {
  readonly brands: readonly Brand[];
  readonly fullVersionList: readonly Brand[];
  readonly platform: string;
  readonly platformVersion: string;
  readonly architecture: string;
  readonly bitness: string;
  readonly model: string;
  readonly mobile: boolean;
}

/** Returns the client hints of a user agent; null for one of a browser without them, such as Safari and Firefox. */
export function clientHintsOf(userAgent: string): ClientHints | null {
  const [, full = '', major = ''] = /\b(?:Headless)?Chrom(?:e|ium)\/((\d+)[\d.]*)/.exec(userAgent) ?? [];
  if (major === '') return null;
  const [, edge] = /\bEdg(?:A|iOS)?\/([\d.]+)/.exec(userAgent) ?? [];
  const brands = (own: string, edgeVersion: string): readonly Brand[] => [
    { brand: 'Not:A-Brand', version: own === major ? '8' : '8.0.0.0' },
    { brand: 'Chromium', version: own },
    edge === undefined
      ? { brand: 'Google Chrome', version: own }
      : { brand: 'Microsoft Edge', version: edgeVersion },
  ];
  const { hint, version } = platformOf(userAgent);
  const mobile = /\bMobile\b/.test(userAgent);
  const isArm = mobile || hint === 'Android' || /\b(?:aarch64|arm)/i.test(userAgent);
  return {
    brands: brands(major, edge?.split('.')[0] ?? ''),
    fullVersionList: brands(full, edge ?? ''),
    platform: hint,
    platformVersion: version,
    // Phones and tablets tell neither.
    architecture: hint === 'Android' ? '' : isArm ? 'arm' : 'x86',
    bitness: hint === 'Android' ? '' : '64',
    model: hint === 'Android' ? (/Android [\d.]+; ([^;)]+)/.exec(userAgent)?.[1] ?? '') : '',
    mobile,
  };
}

/** Returns what client hints and `navigator.platform` say of the platform that a user agent names. */
function platformOf(userAgent: string): {
  readonly hint: string;
  readonly version: string;
  readonly navigator: string;
} {
  const part = (pattern: RegExp): string => pattern.exec(userAgent)?.[1]?.replaceAll('_', '.') ?? '';
  if (/Android/.test(userAgent))
    return { hint: 'Android', version: part(/Android ([\d.]+)/), navigator: 'Linux armv81' };
  if (/iPhone/.test(userAgent))
    return { hint: 'iOS', version: part(/iPhone OS ([\d_]+)/), navigator: 'iPhone' };
  if (/iPad/.test(userAgent)) return { hint: 'iOS', version: part(/CPU OS ([\d_]+)/), navigator: 'iPad' };
  if (/Windows/.test(userAgent))
    return { hint: 'Windows', version: `${part(/Windows NT ([\d.]+)/)}.0`, navigator: 'Win32' };
  if (/Mac OS X/.test(userAgent))
    return { hint: 'macOS', version: part(/Mac OS X ([\d_]+)/), navigator: 'MacIntel' };
  if (/CrOS/.test(userAgent)) return { hint: 'Chrome OS', version: '', navigator: 'Linux x86_64' };
  const machine = /Linux (aarch64|arm\w*)/.exec(userAgent)?.[1] ?? 'x86_64';
  return { hint: 'Linux', version: '', navigator: `Linux ${machine}` };
}
