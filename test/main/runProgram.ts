/** Runs the command line in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { programFile } from '../support/bundledProgram.ts';
import { endsWithParent } from '../support/endsWithParent.ts';

/** The file of the command line. */
export const MAIN = await programFile();
/** The cache that the program itself uses, from its first file on: otherwise each start loads the remover of types for that file. */
export const NODE_COMPILE_CACHE = fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
);

/** The processors are busy with the tests: threads that collect garbage beside the program take more of them, and gain nothing. */
const NODE_FLAGS = ['--single-threaded-gc', '--min-semi-space-size=16'];

export interface ProgramResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  /** The standard output so far. */
  out(): string;
  /** The standard error so far. */
  err(): string;
  /** Waits until standard output matches. @throws Error with all output when the program ends first */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits until standard error matches. */
  waitForLog(pattern: RegExp): Promise<RegExpExecArray>;
  readonly result: Promise<ProgramResult>;
}

export function runProgram(args: readonly string[], env: Readonly<Record<string, string>>): RunningProgram {
  const inherited = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|CHROMIUM_PATH|TMPDIR)$/.test(name),
  );
  const child = spawn(...endsWithParent(process.execPath, [...NODE_FLAGS, MAIN, ...args]), {
    env: { NODE_COMPILE_CACHE, ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', data => {
    out += data;
  });
  child.stderr.on('data', data => {
    err += data;
  });
  const ended = once(child, 'close').then(([code]): ProgramResult => ({ code, out, err }));
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  async function waitFor(pattern: RegExp, text: () => string, stream: Readable): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(text());
      if (found !== null) return found;
      if (hasEnded) throw new Error(`The program ended before it printed ${pattern}:\n${out}\n${err}`);
      await Promise.race([once(stream, 'data'), ended]);
    }
  }
  return {
    child,
    out: () => out,
    err: () => err,
    result: ended,
    waitForOutput: pattern => waitFor(pattern, () => out, child.stdout),
    waitForLog: pattern => waitFor(pattern, () => err, child.stderr),
  };
}
