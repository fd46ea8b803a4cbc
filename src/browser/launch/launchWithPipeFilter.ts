/** Puts the filter between a browser's pipe and Playwright, which offers no place for it where it starts the browser itself. */
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pipeline, Readable } from 'node:stream';
import type { Browser } from 'playwright';
import { MESSAGE_LIMITS } from '../cdp/messageLimits.ts';
import { PROTOCOL_RATE_LIMITS, ProtocolRateLimiter } from '../limits/protocolRateLimiter.ts';
import { PipeFilter } from './pipeFilter.ts';

/** Node tells here of every process that it starts, before it is started. */
const CHILD_PROCESS_CHANNEL = 'child_process';
/** Where a browser that is driven over pipes writes to: its file descriptor 4. */
const OUTPUT_FD = 4;

const RATE_LIMITERS = new WeakMap<Browser, ProtocolRateLimiter>();

/** What the pages of a browser say, where its pipe is filtered. */
export const protocolRateLimiterOf = (browser: Browser): ProtocolRateLimiter | null =>
  RATE_LIMITERS.get(browser) ?? null;

/**
 * @param markerFlag an argument that no other process is started with: others may start at the same time
 * @param limits of what the pages of each session say
 * @throws Error of `launch`; and where Playwright read the pipe past the filter, after ending the browser
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
    // It has its pipes when the call that starts it returns, and Playwright has not got them yet.
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
      'The pipe of the browser could not be filtered: Playwright starts browsers in another way now.',
    );
  } finally {
    unsubscribe(CHILD_PROCESS_CHANNEL, onProcessStart);
  }
}

function installFilter(child: ChildProcess, speech: ProtocolRateLimiter): PipeFilter | null {
  // Where the service has no file descriptors left, the process has no pipes at all, whatever Node's types say.
  const output = (child.stdio as ChildProcess['stdio'] | undefined)?.[OUTPUT_FD];
  if (!(output instanceof Readable)) return null;
  // How the pipe ended is told by the process's own end.
  const filter = pipeline(output, new PipeFilter(MESSAGE_LIMITS, speech), () => {});
  child.stdio[OUTPUT_FD] = filter;
  return filter;
}
