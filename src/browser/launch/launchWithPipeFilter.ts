/** Puts the filter between a browser's pipe and Playwright, which has no option for it when it starts the browser itself. */
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pipeline, Readable } from 'node:stream';
import type { Browser } from 'playwright';
import { MESSAGE_LIMITS } from '../cdp/messageLimits.ts';
import { PROTOCOL_RATE_LIMITS, ProtocolRateLimiter } from '../limits/protocolRateLimiter.ts';
import { PipeFilter } from './pipeFilter.ts';

/** Node publishes here every process that it is about to start. */
const CHILD_PROCESS_CHANNEL = 'child_process';
/** The file descriptor that a browser driven over pipes writes to. */
const OUTPUT_FD = 4;

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
  const onProcessStart = (message: unknown): void => {
    const child = (message as { readonly process?: unknown }).process;
    if (!(child instanceof ChildProcess)) return;
    // In a microtask the process has its pipes, and Playwright does not have them yet.
    queueMicrotask(() => {
      if (child.spawnargs?.includes(markerFlag) === true)
        filter = installFilter(child, new ProtocolRateLimiter(limits));
    });
  };
  subscribe(CHILD_PROCESS_CHANNEL, onProcessStart);
  try {
    const browser = await launch();
    const installed = filter as PipeFilter | null;
    if (installed !== null) {
      RATE_LIMITERS.set(browser, installed.rateLimiter);
      return browser;
    }
    await browser.close();
    throw new Error(
      'The pipe of the browser could not be filtered: this version of Playwright starts browsers in another way.',
    );
  } finally {
    unsubscribe(CHILD_PROCESS_CHANNEL, onProcessStart);
  }
}

function installFilter(child: ChildProcess, rateLimiter: ProtocolRateLimiter): PipeFilter | null {
  // When the service has no file descriptors left, the process has no pipes, although Node's types promise them.
  const output = (child.stdio as ChildProcess['stdio'] | undefined)?.[OUTPUT_FD];
  if (!(output instanceof Readable)) return null;
  // An error of the pipe needs no handling here: Playwright reports the end of the process.
  const filter = pipeline(output, new PipeFilter(MESSAGE_LIMITS, rateLimiter), () => {});
  child.stdio[OUTPUT_FD] = filter;
  return filter;
}
