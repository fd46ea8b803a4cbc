import type { Writable } from 'node:stream';

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
