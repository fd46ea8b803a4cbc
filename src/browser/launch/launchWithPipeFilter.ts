/** Puts the pipe filter between a browser and Playwright. Playwright has no option for this when it starts the browser itself. */
import { pipeline, type Writable } from 'node:stream';
import type { Browser } from 'playwright';
import { MESSAGE_LIMITS } from '../cdp/messageLimits.ts';
import { markMirroring } from '../cdp/pageEvents.ts';
import { interceptBrowserPipe } from '../cdp/playwrightInternals.ts';
import { PROTOCOL_RATE_LIMITS, ProtocolRateLimiter } from '../limits/protocolRateLimiter.ts';
import { PipeFilter } from './pipeFilter.ts';
import { withClientHints } from './userAgent.ts';

/**
 * Makes a pipe write all chunks of one turn of the event loop with one system call. Playwright writes each CDP message in two chunks, and
 * an operation sends several messages at once; each call to the system would wake the browser.
 * @param rewrite returns what is written in place of a chunk
 */
export function joinWrites(pipe: Writable, rewrite: (chunk: unknown) => unknown = chunk => chunk): void {
  let isCorked = false;
  const write = pipe.write.bind(pipe) as (...chunk: unknown[]) => boolean;
  const uncork = (): void => {
    isCorked = false;
    pipe.uncork();
  };
  const joined = (chunk: unknown, ...more: unknown[]): boolean => {
    if (!isCorked) {
      isCorked = true;
      pipe.cork();
      process.nextTick(uncork);
    }
    return write(rewrite(chunk), ...more);
  };
  pipe.write = joined as Writable['write'];
}

const RATE_LIMITERS = new WeakMap<Browser, ProtocolRateLimiter>();

/** Returns the limiter that counts the browser's protocol events; null for a browser that was started without the filter. */
export const protocolRateLimiterOf = (browser: Browser): ProtocolRateLimiter | null =>
  RATE_LIMITERS.get(browser) ?? null;

/**
 * Starts a browser whose messages pass a `PipeFilter` before Playwright reads them.
 * @param markerFlag an argument that only this browser process has, because others may start at the same time
 * @param limits limits of the protocol events that the pages of one session cause
 * @throws the error of `launch`; Error if Playwright reads the pipe without the filter (the browser is closed first)
 */
export async function launchWithPipeFilter(
  markerFlag: string,
  launch: () => Promise<Browser>,
  limits = PROTOCOL_RATE_LIMITS,
): Promise<Browser> {
  let filter: PipeFilter | null = null;
  using _interception = interceptBrowserPipe(markerFlag, (output, input) => {
    joinWrites(input, withClientHints);
    // Ignore the error of the pipe: Playwright reports the end of the process, which is its cause.
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
  markMirroring(browser);
  return browser;
}
