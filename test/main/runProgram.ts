/** Runs the program as a person does: a process, its output, its exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ProgramResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  /** What it has written to standard output so far. */
  out(): string;
  /** The same of standard error. */
  err(): string;
  /** Waits until standard output matches. @throws Error with all output when the program ends before */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same of standard error. */
  waitForLog(pattern: RegExp): Promise<RegExpExecArray>;
  readonly result: Promise<ProgramResult>;
}

export function runProgram(args: readonly string[], env: Readonly<Record<string, string>>): RunningProgram {
  const inherited = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|CHROMIUM_PATH|TMPDIR)$/.test(name),
  );
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
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
  let over = false;
  void ended.then(() => {
    over = true;
  });
  async function waitFor(pattern: RegExp, text: () => string, stream: Readable): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(text());
      if (found !== null) return found;
      if (over) throw new Error(`It ended before it wrote ${pattern}:\n${out}\n${err}`);
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
