/** Puts the filter between a browser's pipe and Playwright, which offers no place for it where it starts the browser itself. */
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pipeline, Readable } from 'node:stream';
import type { Browser } from 'playwright';
import { PipeFilter } from './pipeFilter.ts';

/** Node tells here of every process that it starts, before it is started. */
const STARTED = 'child_process';
/** Where a browser that is driven over pipes writes to: its file descriptor 4. */
const OUTPUT = 4;

/**
 * @param program the browser's path, by which its process is known
 * @throws Error of `launch`; and where Playwright read the pipe past the filter, after ending the browser
 */
export async function filteringPipe(program: string, launch: () => Promise<Browser>): Promise<Browser> {
  let filtered = false;
  const look = (message: unknown): void => {
    const child = (message as { readonly process?: unknown }).process;
    if (!(child instanceof ChildProcess)) return;
    // It has its pipes when the call that starts it returns, and Playwright has not got them yet.
    queueMicrotask(() => {
      if (child.spawnfile === program) filtered = filter(child) || filtered;
    });
  };
  subscribe(STARTED, look);
  try {
    const browser = await launch();
    if (filtered) return browser;
    await browser.close();
    throw new Error(
      'The pipe of the browser could not be filtered: Playwright starts browsers in another way now.',
    );
  } finally {
    unsubscribe(STARTED, look);
  }
}

function filter(child: ChildProcess): boolean {
  const output = child.stdio[OUTPUT];
  // Two that start at once see each other's.
  if (!(output instanceof Readable) || output instanceof PipeFilter) return false;
  // How the pipe ended is told by the process's own end.
  child.stdio[OUTPUT] = pipeline(output, new PipeFilter(), () => {});
  return true;
}
