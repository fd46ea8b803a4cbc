/** Starts one Chromium. Its only connection to the network is the egress proxy. Its sandbox is on wherever it can run. */
import { randomUUID } from 'node:crypto';
import { type Browser, chromium } from 'playwright';
import { IPC_FLOODING_ARGUMENT } from '../cdp/playwrightInternals.ts';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import { toLaunchError } from './launchError.ts';
import { launchFlags } from './launchFlags.ts';
import { launchWithPipeFilter } from './launchWithPipeFilter.ts';

/** `auto`: see `usesSandbox`. */
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

/** Without this switch pages log to the browser's standard error, of which Playwright keeps the last fifty lines, however long. */
const NO_LOGGING_FLAG = '--enable-logging=none';

const LAUNCH_TIMEOUT_MS = 30_000;

/** True when Chromium runs in its sandbox. `auto` means on, except for root: the sandbox cannot run as root. */
export const usesSandbox = (setting: SandboxSetting): boolean =>
  setting === 'on' || (setting === 'auto' && process.getuid?.() !== 0);

/** @throws Error when Chromium does not start; the message contains its output */
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
