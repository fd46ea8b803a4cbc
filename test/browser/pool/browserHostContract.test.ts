import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import { ChromiumHost } from '../../../src/browser/pool/chromiumHost.ts';
import { folderFileStore } from '../../../src/store/files/folderFileStore.ts';
import { describeBrowserHostContract } from '../../contracts/browserHostContract.ts';
import { FakeBrowserHost } from '../../support/fakeBrowserHost.ts';
import { NO_SESSION_LIMITS } from '../../support/startService.ts';
import { testChromium } from '../../support/testChromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagespace-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const egressAllow = parseEgressAllow('127.0.0.0/8').rules;

describeBrowserHostContract('Chromium', options =>
  ChromiumHost.start({
    ...options,
    executablePath: testChromium(),
    sandbox: 'auto',
    sessionsPerBrowser: 16,
    isolateAccounts: false,
    hasSeveralAccounts: false,
    registryPath: join(folder, 'browsers'),
    limits: NO_SESSION_LIMITS,
    warmContexts: 0,
    egressAllow,
    files: folderFileStore(join(folder, 'sessions'), { sessionBytes: 1_000_000 }),
    navigationTimeoutMs: 10_000,
    now: Date.now,
    warn: () => {},
  }),
);

describeBrowserHostContract(
  'the fake of the tests',
  async options => new FakeBrowserHost({ ...options, egressAllow, now: Date.now }),
);
