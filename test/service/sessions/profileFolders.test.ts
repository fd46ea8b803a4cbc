import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from '../../../src/browser/limits/processTable.ts';
import { startAgentDriver } from '../../support/agentDriver.ts';
import { registeredBrowsers } from '../../support/browserProcesses.ts';
import { addAccount, startService } from '../../support/startService.ts';

it('The browsers of two accounts have a profile folder each, which ends with the last session of its account', async () => {
  const registryPath = mkdtempSync(join(tmpdir(), 'pagespace-profiles-'));
  const profiles = (): readonly string[] =>
    registeredBrowsers(registryPath).map(
      ({ pid }) => /--user-data-dir=([^\0]+)/.exec(commandLine(pid))?.[1] ?? '',
    );
  await using started = await startService({ registryPath, isolateAccounts: true, hasSeveralAccounts: true });
  const { viewer } = await addAccount(started.store, started.clock, 'another');
  const first = await startAgentDriver(started);
  const [own = ''] = profiles();
  const second = await startAgentDriver({ ...started, viewer });
  expect(new Set(profiles()).size).toBe(2);
  expect(existsSync(own)).toBe(true);
  await first.close();
  await expect.poll(() => existsSync(own)).toBe(false);
  expect(profiles()).not.toContain(own);
  await second.close();
  rmSync(registryPath, { recursive: true });
});
