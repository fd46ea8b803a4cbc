import { ChildProcess } from 'node:child_process';
import { expect, it } from 'vitest';
import { launchWithPipeFilter } from '../../../src/browser/launch/pipeFilter.ts';

it('launchWithPipeFilter rejects with the launch error when no file descriptors are left for the browser', async () => {
  const started = launchWithPipeFilter('--marker', async () => {
    // The state after EMFILE in Node: arguments, but no pipes.
    Object.assign(new ChildProcess(), { spawnargs: ['chromium', '--marker'] });
    throw new Error('spawn EMFILE');
  });
  await expect(started).rejects.toThrow('spawn EMFILE');
});
