/** Says plainly when browsers run without Chromium's sandbox, and insists on a decision where strangers can call. */
import { usesSandbox } from '../browser/launch/launchChromium.ts';
import type { Config } from '../config/config.ts';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/;

/**
 * @returns what to warn of; null when the sandbox is on, or is off because somebody has said so
 * @throws Error when the service would listen to others without the sandbox and nobody has said that this is meant
 */
export function sandboxWarning(config: Pick<Config, 'chromiumSandbox' | 'host'>): string | null {
  if (config.chromiumSandbox === 'off' || usesSandbox(config.chromiumSandbox)) return null;
  const why =
    "Chromium's sandbox is off: it cannot run for root. A page that breaks out of the browser has this process's rights.";
  if (LOOPBACK.test(config.host)) return `${why} Run pagespace as another user to have it on.`;
  throw new Error(
    `${why} With HOST=${config.host} others can call this service. Run it as another user, or set PAGESPACE_CHROMIUM_SANDBOX=off to accept that.`,
  );
}
