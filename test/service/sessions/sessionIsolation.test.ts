import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

/** A button that runs a script and shows the result in the page title. */
const button = (name: string, script: string): string =>
  `<button onclick="(async () => { ${script} })().then(result => { document.title = result }, error => { document.title = error.name })">${name}</button>`;

const PAGES = {
  '/': `<!doctype html><title>Apart</title>
    ${button(
      'Keep',
      `document.cookie = 'kept=1; max-age=1000'; localStorage.kept = sessionStorage.kept = 1;
       await new Promise((done, failed) => Object.assign(indexedDB.open('kept'), { onsuccess: done, onerror: failed }));
       await (await caches.open('kept')).put('/kept', new Response('kept'));
       await (await navigator.storage.getDirectory()).getFileHandle('kept', { create: true });
       await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; return 'kept'`,
    )}
    ${button(
      'Look',
      `const files = []; for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
       return JSON.stringify([document.cookie, localStorage.length, sessionStorage.length, (await indexedDB.databases()).length,
         (await caches.keys()).length, files.length, (await navigator.serviceWorker.getRegistrations()).length])`,
    )}
    ${button('Fill', `for (;;) localStorage['n' + localStorage.length] = 'x'.repeat(1e6)`)}
    ${button('Count', `return String(localStorage.length)`)}`,
  '/worker.js': (_request: unknown, response: ServerResponse) => {
    response.setHeader('content-type', 'text/javascript');
    response.end('');
  },
};
const NOTHING = JSON.stringify(['', 0, 0, 0, 0, 0, 0]);

let started: StartedService;
let pages: ServedPages;
let first: AgentDriver;
beforeAll(async () => {
  // All sessions share one browser: only their contexts are separate.
  [started, pages] = await Promise.all([startService({ warmContexts: 1 }), servePages(PAGES)]);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});
beforeEach(async () => {
  first = await startAgentDriver(started);
  await first.observe(`${pages.url}/`);
});
afterEach(() => first.close());

async function titleAfterClick(agent: AgentDriver, name: RegExp): Promise<string> {
  const before = agent.lastObservation.metadata.title;
  await agent.step(name);
  await expect.poll(async () => (await agent.observe()).metadata.title).not.toBe(before);
  return agent.lastObservation.metadata.title;
}

it('a session does not see what a page stored in another session of the same account and browser', async () => {
  expect(await titleAfterClick(first, /Keep/)).toBe('kept');
  expect(await titleAfterClick(first, /Look/)).toBe(JSON.stringify(['kept=1', 1, 1, 1, 1, 1, 1]));
  const second = await startAgentDriver(started);
  await second.observe(`${pages.url}/`);
  expect(await titleAfterClick(second, /Look/)).toBe(NOTHING);
  await second.close();
});

it('a new session does not see what a page stored in a closed one', async () => {
  expect(await titleAfterClick(first, /Keep/)).toBe('kept');
  await first.close();
  first = await startAgentDriver(started);
  await first.observe(`${pages.url}/`);
  expect(await titleAfterClick(first, /Look/)).toBe(NOTHING);
});

it('a page that fills its storage gets QuotaExceededError, and other sessions keep their quota', async () => {
  expect(await titleAfterClick(first, /Fill/)).toBe('QuotaExceededError');
  expect(Number(await titleAfterClick(first, /Count/))).toBeGreaterThan(0);
  const second = await startAgentDriver(started);
  await second.observe(`${pages.url}/`);
  expect(await titleAfterClick(second, /Fill/)).toBe('QuotaExceededError');
  expect(await titleAfterClick(second, /Count/)).toBe(first.lastObservation.metadata.title);
  await second.close();
});
