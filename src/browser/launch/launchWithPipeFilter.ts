/** Puts the filter between a browser's pipe and Playwright, which has no option for it when it starts the browser itself. */
import { pipeline } from 'node:stream';
import type { Browser } from 'playwright';
import { MESSAGE_LIMITS } from '../cdp/messageLimits.ts';
import { interceptBrowserPipe } from '../cdp/playwrightInternals.ts';
import { PROTOCOL_RATE_LIMITS, ProtocolRateLimiter } from '../limits/protocolRateLimiter.ts';
import { PipeFilter } from './pipeFilter.ts';

const RATE_LIMITERS = new WeakMap<Browser, ProtocolRateLimiter>();

/** Counts the protocol events of a browser that was started with the filter; null for any other. */
export const protocolRateLimiterOf = (browser: Browser): ProtocolRateLimiter | null =>
  RATE_LIMITERS.get(browser) ?? null;

/**
 * @param markerFlag an argument of this process alone: others may start at the same time
 * @param limits of the protocol events that the pages of one session cause
 * @throws the error of `launch`; Error when Playwright reads the pipe without the filter, after closing the browser
 */
export async function launchWithPipeFilter(
  markerFlag: string,
  launch: () => Promise<Browser>,
  limits = PROTOCOL_RATE_LIMITS,
): Promise<Browser> {
  let filter: PipeFilter | null = null;
  using _interception = interceptBrowserPipe(markerFlag, output => {
    // Playwright reports the end of the process, which explains the end of the pipe.
    filter = pipeline(output, new PipeFilter(MESSAGE_LIMITS, new ProtocolRateLimiter(limits)), () => {});
    return filter;
  });
  const browser = await launch();
  const installed = filter as PipeFilter | null;
  if (installed === null) {
    await browser.close();
    throw new Error(
      'The pipe of the browser could not be filtered: this version of Playwright starts browsers in another way.',
    );
  }
  RATE_LIMITERS.set(browser, installed.rateLimiter);
  return browser;
}
