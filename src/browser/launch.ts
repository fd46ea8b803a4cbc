/** Starts one Chromium, closed in: its only way out is the egress proxy, its sandbox is on wherever it can be. */
import { type Browser, chromium } from 'playwright';
import type { EgressProxy } from './egress/startEgressProxy.ts';
import { launchFlags } from './launchFlags.ts';

export type SandboxSetting = 'auto' | 'on' | 'off';

export interface LaunchOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  readonly egress: EgressProxy;
  /** Switches of this one browser, beside those of every browser. */
  readonly flags: readonly string[];
}

/** A browser that does not come up within this time will not. */
const LAUNCH_TIMEOUT_MS = 30_000;

/** Whether Chromium's sandbox is used: it cannot run for root, and `auto` leaves it out only there. */
export const sandboxed = (setting: SandboxSetting): boolean =>
  setting === 'on' || (setting === 'auto' && process.getuid?.() !== 0);

/** @throws Error when Chromium does not start, with what it said */
export function launch(options: LaunchOptions): Promise<Browser> {
  return chromium.launch({
    executablePath: options.executablePath,
    headless: true,
    chromiumSandbox: sandboxed(options.sandbox),
    args: [...launchFlags(), ...options.flags],
    proxy: options.egress.proxy,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: LAUNCH_TIMEOUT_MS,
  });
}
