import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { NO_SESSION_LIMITS, type StartedService, startService } from '../../support/startService.ts';

const MB = 1_000_000;
const LIMIT = 80 * MB;
const titled = (title: string, script: string) => `<title>${title}</title><script>${script}</script>`;
/** Runs `round` without end, with a pause after each: memory that is filled with little work is hardest to attribute. */
const endless = (title: string, round: string, before: string) =>
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
  // Reads a part of each blob, so that the next one is created only when the browser has this one.
  '/blobs': endless(
    'Blobs',
    'held.push(new Blob([bytes])); await held.at(-1).slice(0, 1).text()',
    'window.held = []; const bytes = new Uint8Array(1e7)',
  ),
  // 80 MB in each: two of the three stay below the limit, which lets each of two sessions have 50 MB more.
  '/stores': endless(
    'Stores',
    `if (i % 3 === 0) await cache.put("/" + i, new Response(noise));
    if (i % 3 === 1) await new Promise(done => { const way = db.transaction("s", "readwrite"); way.objectStore("s").put(noise, i); way.oncomplete = done; });
    if (i % 3 === 2) { const file = await (await folder.getFileHandle("f" + i, { create: true })).createWritable(); await file.write(noise); await file.close(); }
    if (i === 23) return`,
    `const noise = ${NOISE}, cache = await caches.open("x"), folder = await navigator.storage.getDirectory();
    const db = await new Promise(done => {
      const opening = indexedDB.open("x");
      opening.onupgradeneeded = () => opening.result.createObjectStore("s");
      opening.onsuccess = () => done(opening.result);
    })`,
  ),
  // Small ones: the renderer holds each twice until the GPU process has it, and its own memory is limited too.
  '/textures': endless(
    'Textures',
    'const one = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, one); gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1024, 1024, 0, gl.RGBA, gl.UNSIGNED_BYTE, dots); gl.finish(); held.push(one)',
    `window.held = []; const canvas = document.createElement("canvas"), dots = new Uint8Array(1024 * 1024 * 4).fill(7), gl = canvas.getContext("webgl");
    canvas.addEventListener("webglcontextlost", () => { document.title = "Lost"; })`,
  ),
  '/works': titled('Works', 'new Worker(URL.createObjectURL(new Blob(["for (;;);"])))'),
};

/** A busy machine fills memory slowly. */
const FILLED = { timeout: 110_000 };

let pages: ServedPages;
let started: StartedService;
let agent: AgentDriver;

const errorOf = async (one: AgentDriver): Promise<string | null> => {
  const [session] = await started.service.sessions(started.viewer, [one.sessionId]);
  return session?.status === 'error' ? session.error : null;
};

beforeEach(async () => {
  pages = await servePages(PAGES);
  started = await startService({
    limits: { ...NO_SESSION_LIMITS, memoryBytes: LIMIT },
    limitCheckIntervalMs: 100,
  });
  agent = await startAgentDriver(started);
});
afterEach(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

describe('The limit of shared memory', () => {
  it('takes the textures of pages that fill it with them, and ends no session, however little the filling page works', async () => {
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/works`);
    await agent.observe(`${pages.url}/textures`).catch(() => {});
    const title = async () => (await agent.observe()).metadata.title;
    await expect.poll(title).toBe('Lost');
    expect([await errorOf(neighbour), await errorOf(agent)]).toEqual([null, null]);
    expect((await neighbour.observe()).metadata.title).toBe('Works');
  });

  it('ends a session that fills it by the cache, the database and the files of its page, and no other session', async () => {
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/`);
    await agent.observe(`${pages.url}/stores`).catch(() => {});
    await expect.poll(() => errorOf(agent), FILLED).toMatch(/more than 80 MB of the memory that/);
    expect((await neighbour.observe()).metadata.title).toBe('Quiet');
  });

  it('ends a session that fills it by /blobs, even when another one works harder', async () => {
    const neighbour = await startAgentDriver(started);
    await neighbour.observe(`${pages.url}/works`);
    await agent.observe(`${pages.url}/blobs`).catch(() => {});
    await expect.poll(() => errorOf(agent), FILLED).toMatch(/more than 80 MB of the memory that/);
    expect(await errorOf(neighbour)).toBeNull();
    expect((await neighbour.observe()).metadata.title).toBe('Works');
  });
});
