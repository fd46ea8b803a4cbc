/** Starts one Chromium, closed in: its only way out is the egress proxy, its sandbox is on wherever it can be. */
import { randomUUID } from 'node:crypto';
import { type Browser, chromium } from 'playwright';
import type { EgressProxy } from '../egress/startEgressProxy.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import { toLaunchError } from './launchError.ts';
import { launchFlags } from './launchFlags.ts';
import { launchWithPipeFilter } from './launchWithPipeFilter.ts';

export type SandboxSetting = 'auto' | 'on' | 'off';

export interface LaunchOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  readonly egress: EgressProxy;
  /** Switches of this one browser, beside those of every browser. */
  readonly flags: readonly string[];
  /** How much the pages of a session may say; SPEECH_LIMITS unless given. */
  readonly protocolRateLimits?: ProtocolRateLimits;
}

/**
 * Playwright turns off Chromium's brake on pages that change their address without end (200 changes in ten seconds): each
 * change is told to the browser's main process and to us, and stands in the way of every other session in the browser.
 */
const IGNORED_DEFAULT_ARGS = ['--disable-ipc-flooding-protection'];

/** What pages log is not written to the browser's standard error, of which Playwright keeps fifty lines, as long as they come. */
const NO_LOGGING_FLAG = '--enable-logging=none';

/** A browser that does not come up within this time will not. */
const LAUNCH_TIMEOUT_MS = 30_000;

/** Whether Chromium's sandbox is used: it cannot run for root, and `auto` leaves it out only there. */
export const usesSandbox = (setting: SandboxSetting): boolean =>
  setting === 'on' || (setting === 'auto' && process.getuid?.() !== 0);

/** @throws Error when Chromium does not start, with what it said */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  // A switch that Chromium ignores.
  const markerFlag = `--pagespace-pipe=${randomUUID()}`;
  const start = () =>
    chromium.launch({
      executablePath: options.executablePath,
      headless: true,
      chromiumSandbox: usesSandbox(options.sandbox),
      args: [...launchFlags(), NO_LOGGING_FLAG, markerFlag, ...options.flags],
      ignoreDefaultArgs: IGNORED_DEFAULT_ARGS,
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
