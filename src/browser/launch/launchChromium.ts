/** Starts one Chromium. Its only connection to the network is the egress proxy. Its sandbox is on wherever it can run. */
import { randomUUID } from 'node:crypto';
import { type Browser, chromium } from 'playwright';
import { IPC_FLOODING_ARGUMENT } from '../cdp/playwrightInternals.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import { toLaunchError } from './launchError.ts';
import { launchFlags } from './launchFlags.ts';
import { launchWithPipeFilter } from './launchWithPipeFilter.ts';

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
}

/**
 * Turns off Chromium's log: otherwise pages write to the browser's standard error, and Playwright keeps its last fifty
 * lines, however long.
 */
const NO_LOGGING_FLAG = '--enable-logging=none';

const LAUNCH_TIMEOUT_MS = 30_000;

/** Returns true if Chromium is started with its sandbox. `auto` means on, except for root: the sandbox cannot run as root. */
export const usesSandbox = (setting: SandboxSetting): boolean =>
  setting === 'on' || (setting === 'auto' && process.getuid?.() !== 0);

/**
 * Starts a Chromium that reaches the network only through the egress proxy.
 * @throws Error when Chromium does not start; the message contains its output
 */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  // Chromium ignores this switch; it identifies the process.
  const markerFlag = `--pagespace-pipe=${randomUUID()}`;
  const start = () =>
    chromium.launch({
      executablePath: options.executablePath,
      headless: true,
      chromiumSandbox: usesSandbox(options.sandbox),
      args: [...launchFlags(), NO_LOGGING_FLAG, markerFlag, ...options.flags],
      // Chromium's limit of URL changes stays on: each change delays every other session in the browser.
      ignoreDefaultArgs: [IPC_FLOODING_ARGUMENT],
      proxy: options.egress.proxy,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
    });
  return launchWithPipeFilter(markerFlag, start, options.protocolRateLimits).catch((error: unknown) => {
    throw toLaunchError(error, options.executablePath);
  });
}
