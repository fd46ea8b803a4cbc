import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_SESSION_LIMITS } from '../../../src/domain/sessionLimits.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const MB = 1_000_000;
const BOUND = 250 * MB;
const titled = (title: string, script: string) => `<title>${title}</title><script>${script}</script>`;
/** Runs on without end, and leaves time to others after each round: what is filled with little work is hardest to lay to somebody. */
const forEver = (title: string, round: string, before: string) =>
  titled(
    title,
    `(async () => { ${before}; for (let i = 0; ; i++) { ${round}; await new Promise(go => setTimeout(go, 50)); } })()`,
  );
const NOISE = `(() => {
  const noise = new Uint8Array(1e7);
  for (let at = 0; at < 1e7; at += 65536) crypto.getRandomValues(noise.subarray(at, Math.min(1e7, at + 65536)));
  return noise;
})()`;

const PAGES = {
  '/': '<title>Quiet</title><button>Here</button>',
  // Read in part, so that the next one is made only when the browser has this one.
  '/blobs': forEver(
    'Blobs',
    'held.push(new Blob([bytes])); await held.at(-1).slice(0, 1).text()',
    'window.held = []; const bytes = new Uint8Array(1e7)',
  ),
  '/cache': forEver(
    'Cache',
    'await cache.put("/" + i, new Response(noise))',
    `const noise = ${NOISE}, cache = await caches.open("x")`,
  ),
  '/database': forEver(
    'Database',
    'await new Promise(done => { const way = db.transaction("s", "readwrite"); way.objectStore("s").put(noise, i); way.oncomplete = done; })',
    `const noise = ${NOISE}, db = await new Promise(done => {
      const opening = indexedDB.open("x");
      opening.onupgradeneeded = () => opening.result.createObjectStore("s");
      opening.onsuccess = () => done(opening.result);
    })`,
  ),
  '/files': forEver(
    'Files',
    'const file = await (await folder.getFileHandle("f" + i, { create: true })).createWritable(); await file.write(noise); await file.close()',
    `const noise = ${NOISE}, folder = await navigator.storage.getDirectory()`,
  ),
  '/textures': forEver(
    'Textures',
    'const one = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, one); gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2048, 2048, 0, gl.RGBA, gl.UNSIGNED_BYTE, dots); gl.finish(); held.push(one)',
    'window.held = []; const dots = new Uint8Array(2048 * 2048 * 4).fill(7), gl = document.createElement("canvas").getContext("webgl")',
  ),
  '/works': titled(
    'Works',
    'for (let i = 0; i < 2; i++) new Worker(URL.createObjectURL(new Blob(["for (;;);"])))',
  ),
};

let pages: ServedPages;
let started: StartedService;
let player: AgentDriver;

const errorOf = async (one: AgentDriver): Promise<string | null> => {
  const [session] = await started.service.sessions(started.viewer, [one.sessionId]);
  return session?.status === 'error' ? session.error : null;
};

beforeEach(async () => {
  pages = await servePages(PAGES);
  started = await startService({
    limits: { ...NO_SESSION_LIMITS, memoryBytes: BOUND },
    limitCheckIntervalMs: 50,
  });
  player = await startAgentDriver(started);
});
afterEach(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

describe('what a session fills in the processes that it shares with others', () => {
  it.each(['/blobs', '/cache', '/database', '/files', '/textures'])(
    'by %s is bounded, and its neighbour lives',
    async path => {
      const neighbour = await startAgentDriver(started);
      await neighbour.observe(`${pages.url}/`);
      await player.observe(pages.url + path).catch(() => {});
      await expect
        .poll(() => errorOf(player), { timeout: 15_000 })
        .toMatch(/more than 250 MB of the memory that/);
      expect((await neighbour.observe()).metadata.title).toBe('Quiet');
    },
  );

  it('is laid to the session that holds it, however hard its neighbour works', async () => {
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/works`);
    await player.observe(`${pages.url}/blobs`).catch(() => {});
    await expect
      .poll(() => errorOf(player), { timeout: 15_000 })
      .toMatch(/more than 250 MB of the memory that/);
    expect(await errorOf(neighbour)).toBeNull();
    expect((await neighbour.observe()).metadata.title).toBe('Works');
  });
});
