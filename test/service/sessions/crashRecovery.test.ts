import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseApiKey } from '../../../src/service/accounts/apiKeys.ts';
import { AccountFileBytes } from '../../../src/store/files/accountFileBytes.ts';
import { folderRecordStore } from '../../../src/store/files/folderRecordStore.ts';
import { runProgram } from '../../main/runProgram.ts';
import { killRounds } from '../../soak/killRounds.ts';
import { callApi } from '../../support/callApi.ts';
import { servePages } from '../../support/servePages.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-killed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// One kill shows that recovery works. `npm run soak:kill` kills the service at 30 random moments.
it('A service killed at a random moment has stored every operation that it completed, and lists no ended session as active', async () => {
  const rounds = await killRounds(join(folder, 'data'), 1);
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  expect(rounds.reduce((sum, { completed }) => sum + completed, 0)).toBeGreaterThan(0);
});

it('A service that was killed has the events, the lists and the pictures of its sessions, and says that they ended', async () => {
  await using pages = await servePages({ '/': '<title>A page</title><a href="/">Again</a>' });
  const data = join(folder, 'data');
  const env = {
    PORT: '0',
    PAGESPACE_DATA_DIR: data,
    PAGESPACE_WARM_CONTEXTS: '0',
    PAGESPACE_RECORD: 'steps',
    PAGESPACE_EGRESS_ALLOW: new URL(pages.url).host,
    LOG_LEVEL: 'warn',
  };
  const start = async () => {
    const program = runProgram(['serve'], env);
    const [, url = ''] = await program.waitForOutput(/listens on (\S+)/);
    return { program, url };
  };
  const first = await start();
  let key: string | undefined;
  let id: string;
  try {
    await first.program.waitForOutput(/\n.*(curl|keys -- create).*\n$/);
    key = first.program
      .out()
      .split('\n')
      .find(line => parseApiKey(line) !== null);
    const observed = await callApi(first.url, 'POST', '/env/observe', {
      key: key ?? '',
      body: { url: `${pages.url}/`, keep_alive: true },
    });
    id = observed.body.session.session_id;
    // Nobody asks the service for the picture, so it is written by its own timer.
    await vi.waitFor(
      async () => {
        const accountBytes = new AccountFileBytes({ maxBytes: null, retentionDays: null });
        const records = folderRecordStore(join(data, 'records'), { sessionBytes: 1, accountBytes });
        expect(await records.read(id, 'picture', 1)).not.toBeNull();
      },
      { timeout: 60_000, interval: 50 },
    );
  } finally {
    first.program.child.kill('SIGKILL');
    await first.program.result;
  }
  const second = await start();
  try {
    const get = (path: string) => callApi(second.url, 'GET', `/session/${id}${path}`, { key: key ?? '' });
    expect((await get('')).body).toMatchObject({ status: 'error' });
    const { events } = (await get('/events')).body;
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['created', 'observed', 'ended']);
    expect((await get('/observations/O1')).body).toMatchObject({ title: 'A page' });
    expect((await get('/frames/1')).headers.get('content-type')).toBe('image/jpeg');
    expect((await get('/network')).body.network[0]).toMatchObject({ url: `${pages.url}/`, status: 200 });
  } finally {
    second.program.child.kill('SIGTERM');
    await second.program.result;
  }
});
