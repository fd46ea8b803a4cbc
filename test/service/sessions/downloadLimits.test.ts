import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const MOST_BYTES = 1_000_000;
const PIECE = Buffer.alloc(100_000, 97);

let started: StartedService;
let pages: ServedPages;
let player: AgentDriver;
/** Resolves when the browser has let go of the download that has no end. */
let letGo = Promise.withResolvers<void>();

function endless({ url = '' }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-disposition': 'attachment; filename=x.bin' });
  const timer = setInterval(() => response.write(url.endsWith('slow') ? 'a' : PIECE), 10);
  response.on('close', () => {
    clearInterval(timer);
    letGo.resolve();
  });
}

/** As many bytes as the query says. */
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
    startService({ maxFileBytes: MOST_BYTES }),
    servePages({
      '/endless': endless,
      '/file': file,
      '/trickle': links("['/endless?slow']"),
      '/link': links("['/endless']"),
      '/window': opener("window.open('/endless')"),
      '/large': links("['/file?bytes=1000001']"),
      '/several': links("[1, 2, 3].map(n => '/file?bytes=400000&n=' + n)"),
      '/in-address': links("['data:,' + 'x'.repeat(2e7)]"),
      '/crowd': opener(
        "for (const host of ['127.0.0.1', 'localhost']) for (let i = 0; i < 6; i++) document.body.append(Object.assign(document.createElement('iframe'), { src: '//' + host + ':' + location.port + '/endless?n=' + i }))",
      ),
    }),
  ]);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});
beforeEach(async () => {
  letGo = Promise.withResolvers();
  player = await startAgentDriver(started);
});
afterEach(() => player.close());

async function told(type: 'blocked' | 'download'): Promise<readonly string[]> {
  const stored = await started.service.events(started.viewer, player.sessionId, 0, 1_000);
  return stored.flatMap(({ event }) => {
    if (event.type !== type) return [];
    return event.type === 'blocked' ? [event.reason] : ['kept'];
  });
}

const kept = () => started.files.list(player.sessionId, 'download');

describe('The downloads of a session', () => {
  test.each(['/link', '/window'])('F-001 are broken off at its bound while they run, from %s', async path => {
    await player.observe(pages.url + path);
    await player.step(/Get/);
    await letGo.promise;
    await expect.poll(() => told('blocked')).toEqual([expect.stringMatching(/larger than it may keep/)]);
    expect(await kept()).toEqual([]);
  });

  test('F-002 are not kept when one alone is past the bound', async () => {
    await player.observe(`${pages.url}/large`);
    await player.step(/Get/);
    await expect.poll(() => told('blocked')).toEqual([expect.stringMatching(/larger than it may keep/)]);
    expect(await kept()).toEqual([]);
  });

  test('F-006 are not kept either when they come in their own address, longer than anybody reads', async () => {
    await player.observe(`${pages.url}/in-address`);
    await player.step(/Get/);
    await expect.poll(() => told('blocked')).toEqual([expect.stringMatching(/larger than it may keep/)]);
    expect(await kept()).toEqual([]);
  });

  test('F-003 are kept as long as they are within the bound together', async () => {
    await player.observe(`${pages.url}/several`);
    await player.step(/Get/);
    await expect.poll(async () => [...(await told('blocked')), ...(await told('download'))].length).toBe(3);
    const bytes = (await kept()).reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  test('F-004 are ten at once at most', async () => {
    await player.observe(`${pages.url}/crowd`);
    await player.step(/Get/);
    const crowded = async () =>
      (await told('blocked')).filter(reason => /10 files at once/.test(reason)).length;
    await expect.poll(crowded).toBeGreaterThan(0);
  });

  test('F-005 end with it, and tell of nothing more', async () => {
    await player.observe(`${pages.url}/trickle`);
    await player.step(/Get/);
    await player.close();
    await letGo.promise;
    const stored = await started.service.events(started.viewer, player.sessionId, 0, 1_000);
    expect(stored.at(-1)?.event.type).toBe('ended');
    expect(await told('blocked')).toEqual([]);
  });
});
