import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const VERSION_TIMEOUT_MS = 10_000;
const versions = new Map<string, Promise<string | null>>();

/** Returns the user agent that Chromium has with a window, of this version: since version 110 it names the first number only. */
export const defaultUserAgent = (version: string): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.')[0]}.0.0.0 Safari/537.36`;

/** A feature of Chromium: with a user agent of the command line, client hints that nothing sets are blank. Else headless shell names itself. */
export const BLANK_HINTS_FEATURE = 'UACHOverrideBlank';

/**
 * Returns the switch that gives every process of a browser the default user agent: without it, headless shell names itself wherever
 * Playwright sets none. None if the version is unknown. Asks an executable once.
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

/** The id of a message that Playwright has not sent, and the beginning of its response, which Playwright must not get. */
const WORKER_AGENT_ID = 2_000_000_000;
export const WORKER_AGENT_RESPONSE = `{"id":${WORKER_AGENT_ID},`;

/**
 * Returns a message to the browser; one that sets a user agent sets its client hints and its platform too. Playwright sends hints without
 * brands, for which Chromium puts its own. In workers Chromium sets the headers and the hints only: a second message, before their script runs, makes
 * `navigator` say the same.
 * @param isWorker returns true for a session of a worker, or of a frame
 */
export function withAgent(message: unknown, isWorker: (session: string) => boolean): unknown {
  if (typeof message !== 'string' || !OVERRIDE_HEAD.test(message)) return message;
  const call = JSON.parse(message) as {
    readonly params: { readonly userAgent?: string };
    readonly sessionId?: string;
  };
  const { userAgent = '' } = call.params;
  if (userAgent === '') return message;
  const { userAgentMetadata: _without, ...params } = call.params as Record<string, unknown>;
  const metadata = clientHintsOf(userAgent);
  const platform = platformOf(userAgent).navigator;
  const override = JSON.stringify({
    ...call,
    params: { ...params, platform, ...(metadata !== null && { userAgentMetadata: metadata }) },
  });
  const { sessionId = '' } = call;
  if (!isWorker(sessionId)) return override;
  const values = { userAgent, platform, appVersion: userAgent.replace(/^Mozilla\//, '') };
  const expression = `(${setWorkerNavigator})(${JSON.stringify(values)})`;
  const method = 'Runtime.evaluate';
  return `${override}\0${JSON.stringify({ id: WORKER_AGENT_ID, method, params: { expression }, sessionId })}`;
}

/** Runs in a worker, as text. Does nothing in a frame. A proxy of a getter is written as a native function. */
const setWorkerNavigator = `values => {
  if (typeof WorkerNavigator === 'undefined') return;
  for (const [name, value] of Object.entries(values)) {
    const property = Object.getOwnPropertyDescriptor(WorkerNavigator.prototype, name);
    if (property === undefined) continue;
    const get = new Proxy(property.get, { apply: (getter, self) => (Reflect.apply(getter, self, []), value) });
    Object.defineProperty(WorkerNavigator.prototype, name, { ...property, get });
  }
}`;

/** The headers of the user agent where the browser has not put those of the context: for first requests of windows and service workers. Null: not sent. */
export function agentHeaders(
  headers: Readonly<Record<string, string>>,
  { userAgent, acceptLanguage }: { readonly userAgent: string; readonly acceptLanguage?: string },
): Readonly<Record<string, string | null>> {
  const hints = clientHintsOf(userAgent);
  return {
    ...(headers['User-Agent'] === undefined && {
      'User-Agent': userAgent,
      ...(acceptLanguage !== undefined && { 'Accept-Language': acceptLanguage }),
    }),
    // Blank, by BLANK_HINTS_FEATURE.
    ...(headers['sec-ch-ua'] === '' && {
      'sec-ch-ua': hints?.brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ') ?? null,
      'sec-ch-ua-mobile': hints === null ? null : hints.mobile ? '?1' : '?0',
      'sec-ch-ua-platform': hints === null ? null : `"${hints.platform}"`,
    }),
  };
}

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** The client hints of a user agent (UA Client Hints, W3C), as CDP writes them. */
export interface ClientHints {
  readonly brands: readonly Brand[];
  readonly fullVersionList: readonly Brand[];
  readonly fullVersion: string;
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
    fullVersion: edge ?? full,
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
