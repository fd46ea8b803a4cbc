import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const MAX_BYTES = 1_000_000;
const MAX_ACCOUNT_BYTES = 2_300_000;
const CHUNK = Buffer.alloc(100_000, 97);

let started: StartedService;
let pages: ServedPages;
let agent: AgentDriver;
/** Resolves when the browser has closed the connection of the endless download. */
let connectionClosed = Promise.withResolvers<void>();

function endless({ url = '' }: IncomingMessage, response: ServerResponse): void {
  // With this type Chromium does not read a thousand bytes first to find another one.
  const headers = { 'content-type': 'application/octet-stream' };
  response.writeHead(200, { ...headers, 'content-disposition': 'attachment; filename=x.bin' });
  const isSlow = url.endsWith('slow');
  const timer = setInterval(() => response.write(isSlow ? 'a' : CHUNK), isSlow ? 100 : 10);
  response.on('close', () => {
    clearInterval(timer);
    connectionClosed.resolve();
  });
}

/** Sends the number of bytes in the query. */
function file(request: IncomingMessage, response: ServerResponse): void {
  const bytes = Number(new URL(request.url ?? '', 'http://x').searchParams.get('bytes'));
  response.writeHead(200, { 'content-disposition': 'attachment; filename=y.bin' });
  response.end(Buffer.alloc(bytes, 98));
}

const opener = (code: string): string => `<title>Files</title><button onclick="${code}">Get</button>`;
const links = (urls: string): string =>
  opener(
    `for (const href of ${urls}) Object.assign(document.createElement('a'), { href, download: '' }).click()`,
  );

beforeAll(async () => {
  [started, pages] = await Promise.all([
    // On a busy machine ten endless downloads at once take long, and a long address keeps the browser busy.
    startService({
      maxFileBytes: MAX_BYTES,
      maxAccountFileBytes: MAX_ACCOUNT_BYTES,
      operationTimeoutMs: 90_000,
      scriptTimeoutMs: 60_000,
      healthCheck: { intervalMs: 5_000, timeoutMs: 100_000 },
    }),
    servePages({
      '/endless': endless,
      '/file': file,
      '/trickle': links("['/endless?slow']"),
      '/link': links("['/endless']"),
      '/window': opener("window.open('/endless')"),
      '/large': links("['/file?bytes=1000001']"),
      '/one': links("['/file?bytes=400000']"),
      '/several': links("[1, 2, 3].map(n => '/file?bytes=400000&n=' + n)"),
      // Longer than any event that the filter of the pipe lets pass; a longer address keeps the browser busy for longer.
      '/in-address': links("['data:,' + 'x'.repeat(1.65e7)]"),
      '/crowd': opener(
        "for (const host of ['127.0.0.1', 'localhost']) for (let i = 0; i < 6; i++) document.body.append(Object.assign(document.createElement('iframe'), { src: '//' + host + ':' + location.port + '/endless?n=' + i + '&slow' }))",
      ),
    }),
  ]);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});
beforeEach(async () => {
  connectionClosed = Promise.withResolvers();
  agent = await startAgentDriver(started);
});
afterEach(async () => {
  await agent.close();
  await started.files.remove(agent.sessionId);
});

async function eventsOf(type: 'blocked' | 'download'): Promise<readonly string[]> {
  const stored = await started.service.events(started.viewer, agent.sessionId, 0, 1_000);
  return stored.flatMap(({ event }) => {
    if (event.type !== type) return [];
    return event.type === 'blocked' ? [event.reason] : ['kept'];
  });
}

const storedFiles = () => started.files.list(agent.sessionId, 'download');

describe('A session', () => {
  test.each(['/link', '/window'])(
    'F-001 cancels a running download at the limit of its files, from %s',
    async path => {
      await agent.observe(pages.url + path);
      await agent.step(/Get/);
      await connectionClosed.promise;
      await expect
        .poll(() => eventsOf('blocked'))
        .toEqual([expect.stringMatching(/exceed their size limit/)]);
      expect(await storedFiles()).toEqual([]);
    },
  );

  test('F-002 does not store a download that is larger than the limit', async () => {
    await agent.observe(`${pages.url}/large`);
    await agent.step(/Get/);
    await expect.poll(() => eventsOf('blocked')).toEqual([expect.stringMatching(/exceed their size limit/)]);
    expect(await storedFiles()).toEqual([]);
  });

  test('F-006 does not store a download from a data: URL that is too long to be read', async () => {
    await agent.observe(`${pages.url}/in-address`);
    await agent.step(/Get/);
    await expect
      .poll(() => eventsOf('blocked'), { timeout: 100_000 })
      .toEqual([expect.stringMatching(/exceed their size limit/)]);
    expect(await storedFiles()).toEqual([]);
  });

  test('F-003 stores downloads while their sum is within the limit', async () => {
    await agent.observe(`${pages.url}/several`);
    await agent.step(/Get/);
    await expect
      .poll(async () => [...(await eventsOf('blocked')), ...(await eventsOf('download'))].length)
      .toBe(3);
    const bytes = (await storedFiles()).reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('F-007 does not store a download that the files of other sessions of its account leave no space for', async () => {
    const owners = [randomUUID(), randomUUID()].map(sessionId => ({
      sessionId,
      accountId: started.account.id,
    }));
    for (const owner of owners)
      await started.files.save(owner, 'upload', 'a', new Blob([new Uint8Array(MAX_BYTES)]).stream());
    await agent.observe(`${pages.url}/one`);
    await agent.step(/Get/);
    await expect
      .poll(() => eventsOf('blocked'))
      .toEqual([
        expect.stringMatching(/of all sessions of this account use 20\d{5} of at most 2300000 bytes/),
      ]);
    expect(await storedFiles()).toEqual([]);
    for (const { sessionId } of owners) await started.files.remove(sessionId);
    await agent.step(/Get/);
    await expect.poll(async () => (await storedFiles()).length).toBe(1);
  });

  test('F-004 runs at most ten downloads at the same time', async () => {
    await agent.observe(`${pages.url}/crowd`);
    await agent.step(/Get/, null, { waitMs: 0 });
    const crowded = async () =>
      (await eventsOf('blocked')).filter(reason => /10 files at once/.test(reason)).length;
    await expect.poll(crowded).toBeGreaterThan(0);
  });

  test('F-005 cancels its downloads when it ends, without further events', async () => {
    await agent.observe(`${pages.url}/trickle`);
    await agent.step(/Get/, null, { waitMs: 0 });
    await agent.close();
    await connectionClosed.promise;
    const stored = await started.service.events(started.viewer, agent.sessionId, 0, 1_000);
    expect(stored.at(-1)?.event.type).toBe('ended');
    expect(await eventsOf('blocked')).toEqual([]);
  });
});
