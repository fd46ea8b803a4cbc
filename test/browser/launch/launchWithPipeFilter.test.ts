import { ChildProcess } from 'node:child_process';
import { expect, it } from 'vitest';
import { launchWithPipeFilter } from '../../../src/browser/launch/launchWithPipeFilter.ts';

it('a browser for which no file descriptors are left fails to start, and nothing else does', async () => {
  const started = launchWithPipeFilter('--mark', async () => {
    // As Node leaves it after EMFILE: with its arguments, and without pipes.
    Object.assign(new ChildProcess(), { spawnargs: ['chromium', '--mark'] });
    throw new Error('spawn EMFILE');
  });
  await expect(started).rejects.toThrow('spawn EMFILE');
});
