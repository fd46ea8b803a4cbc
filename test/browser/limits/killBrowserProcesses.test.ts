import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { commandLine, processRow } from '../../../src/browser/limits/processTable.ts';
import { killBrowserProcesses } from '../../../src/browser/pool/browserPool.ts';

/** Starts a process group that looks like a browser: its main process, a renderer and a GPU process. */
async function startBrowserLike(): Promise<{ main: number; renderer: number; gpu: number; end(): void }> {
  const child = (type: string) => `sh -c 'sleep 1000; :' --type=${type} & echo $!`;
  const script = `${child('renderer')}; ${child('gpu-process')}; sleep 1000; :`;
  const started = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  let listed = '';
  while (listed.split('\n').length < 3) listed += (await once(started.stdout, 'data'))[0];
  const [renderer = 0, gpu = 0] = listed.split('\n').map(Number);
  const { pid: main = Number.NaN } = started;
  // Until a process runs its own program, its arguments are those of the script, which names both types.
  await expect.poll(() => [renderer, gpu].some(pid => commandLine(pid).includes('echo'))).toBe(false);
  return { main, renderer, gpu, end: () => process.kill(-main, 'SIGKILL') };
}

it('killBrowserProcesses kills only processes of the browser that have the type: an id may be that of another process now', async () => {
  await using stack = new AsyncDisposableStack();
  const [own, other] = await Promise.all([startBrowserLike(), startBrowserLike()]);
  for (const { end } of [own, other]) stack.defer(end);
  const all = [own, other].flatMap(({ main, renderer, gpu }) => [main, renderer, gpu]);
  const running = () => all.filter(pid => processRow(pid) !== null);
  killBrowserProcesses(all, 'renderer', null);
  expect(running()).toEqual(all);
  killBrowserProcesses(all, 'renderer', own.main);
  await expect.poll(running).toEqual(all.filter(pid => pid !== own.renderer));
  killBrowserProcesses(all, 'gpu-process', own.main);
  await expect.poll(running).toEqual(all.filter(pid => pid !== own.renderer && pid !== own.gpu));
});
