/** Warns when browsers run without Chromium's sandbox; refuses to start if other machines can reach the service. */
import { usesSandbox } from '../browser/launch/launchChromium.ts';
import type { SandboxLayer } from '../browser/sandbox/sandboxLayers.ts';
import { type Config, isLoopbackHost } from '../config/config.ts';

/**
 * Checks whether browsers run without Chromium's sandbox although the configuration does not turn it off.
 * @param outerLayers the layers of the outer sandbox; with `user`, browsers do not run as root
 * @returns the warning to log; null when the sandbox is on, or is off by configuration
 * @throws Error when other machines could reach a service without a sandbox, and the configuration does not allow that
 */
export function sandboxWarning(
  config: Pick<Config, 'chromiumSandbox' | 'host'>,
  outerLayers: ReadonlySet<SandboxLayer> = new Set(),
): string | null {
  if (config.chromiumSandbox === 'off' || outerLayers.has('user') || usesSandbox(config.chromiumSandbox))
    return null;
  const why =
    "Chromium's sandbox is off, because it does not work for root. A page that escapes from the browser has the rights of this process.";
  if (isLoopbackHost(config.host)) return `${why} Run pagespace as another user to turn it on.`;
  throw new Error(
    `${why} With HOST=${config.host} other machines can reach this service. Run it as another user, or set PAGESPACE_CHROMIUM_SANDBOX=off to accept that.`,
  );
}
