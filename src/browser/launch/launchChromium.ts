/** Starts one Chromium. Its only connection to the network is the egress proxy. Its sandbox is on wherever it can run. */

import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { chromiumOutputOf, IPC_FLOODING_ARGUMENT, isSandboxUnavailable } from '../cdp/playwrightInternals.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import type { OuterSandbox } from '../sandbox/outerSandbox.ts';
import type { SandboxedLaunch } from '../sandbox/sandboxedLaunch.ts';
import { launchFlags } from './launchFlags.ts';
import { launchWithPipeFilter } from './pipeFilter.ts';
import { userAgentFlags } from './userAgent.ts';

const MAX_OUTPUT_LINES = 10;

const SANDBOX_HELP = `Chromium's sandbox cannot run here: it needs a user other than root who is allowed to create user namespaces.
Run the service as such a user (Ubuntu 23.10 and later forbid user namespaces by AppArmor; for containers see docs/container.md), or set
PAGESPACE_CHROMIUM_SANDBOX=off to run without the sandbox: a page that breaks out of the browser then has the rights of this process.`;

/** Converts the error of a failed `chromium.launch` to one with a message for the operator; its `cause` is the original error. */
function toLaunchError(error: unknown, executablePath: string): Error {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  if (isSandboxUnavailable(text)) return new Error(SANDBOX_HELP, { cause: error });
  const output = chromiumOutputOf(text)
    .map(line => `  ${line}`)
    .slice(-MAX_OUTPUT_LINES);
  const [first = ''] = text.replace(/^browserType\.launch: /, '').split('\n');
  const lines = [`Chromium (${executablePath}) did not start: ${first}`, ...output];
  return new Error(lines.join('\n'), { cause: error });
}

/** Setting of Chromium's sandbox. `auto` means on, unless the service runs as root. */
export type SandboxSetting = 'auto' | 'on' | 'off';

/** Options of `launchChromium`. */
export interface LaunchOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  readonly egress: EgressProxy;
  /** Command-line switches of this browser, in addition to those that every browser gets. */
  readonly flags: readonly string[];
  /** Limits of the protocol events that the pages of one session cause. Default: PROTOCOL_RATE_LIMITS. */
  readonly protocolRateLimits?: ProtocolRateLimits;
  /** Walls around the whole browser; null for none. Default: null. */
  readonly outerSandbox?: OuterSandbox | null;
}

const SANDBOXES = new WeakMap<Browser, SandboxedLaunch>();

/** Returns the outer sandbox of a browser; null when it has none. */
export const sandboxOf = (browser: Browser): SandboxedLaunch | null => SANDBOXES.get(browser) ?? null;

/**
 * Turns off Chromium's log: otherwise pages write to the browser's standard error, and Playwright keeps its last fifty
 * lines, however long.
 */
const NO_LOGGING_FLAG = '--enable-logging=none';

const LAUNCH_TIMEOUT_MS = 30_000;

/**
 * The addresses of session proxies in a network namespace. The pattern also matches host names such as `127.example.org`,
 * but a namespace has no resolver that Chromium could ask for them.
 */
const NAMESPACE_PROXIES = '127.*';

/**
 * Returns true if Chromium is started with its own sandbox. `auto` means on, except for root, as whom it cannot run.
 * @param userId the user of the browser; null for that of the service
 */
export const usesSandbox = (setting: SandboxSetting, userId: number | null = null): boolean =>
  setting === 'on' || (setting === 'auto' && (userId ?? process.getuid?.()) !== 0);

/**
 * Starts a Chromium that reaches the network only through the egress proxy.
 * @throws Error when Chromium does not start; the message contains its output
 */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  const sandbox = (await options.outerSandbox?.prepare()) ?? null;
  const agentFlags = await userAgentFlags(options.executablePath);
  // Chromium ignores this switch; it identifies the process.
  const markerFlag = `--pagespace-pipe=${randomUUID()}`;
  const start = () =>
    chromium.launch({
      executablePath: sandbox?.executablePath ?? options.executablePath,
      ...(sandbox !== null && { downloadsPath: sandbox.folder }),
      headless: true,
      chromiumSandbox: usesSandbox(options.sandbox, sandbox?.userId),
      args: [
        ...launchFlags(sandbox?.listener ? NAMESPACE_PROXIES : '127.0.0.1'),
        NO_LOGGING_FLAG,
        ...agentFlags,
        markerFlag,
        ...options.flags,
      ],
      // Chromium's limit of URL changes stays on: each change delays every other session in the browser.
      ignoreDefaultArgs: [IPC_FLOODING_ARGUMENT],
      proxy: options.egress.proxy,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
    });
  try {
    const browser = await launchWithPipeFilter(markerFlag, start, options.protocolRateLimits);
    if (sandbox !== null) {
      SANDBOXES.set(browser, sandbox);
      browser.on('disconnected', () => void sandbox.close());
    }
    return browser;
  } catch (error) {
    await sandbox?.close();
    throw toLaunchError(error, options.executablePath);
  }
}
