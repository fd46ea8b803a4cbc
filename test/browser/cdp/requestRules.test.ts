/** The canary of `requestRules`, which depends on how Playwright lets paused requests go on. */
import type { BrowserContext } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { injectedScript } from '../../../src/browser/cdp/isolatedWorld.ts';
import { installRequestRules, setRequestRules } from '../../../src/browser/cdp/requestRules.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';

/** The ways in which a page can send a POST: script by name. `to` is the address. */
const WAYS: Readonly<Record<string, (to: string) => string>> = {
  fetch: to => `fetch('${to}', { method: 'POST', mode: 'no-cors' })`,
  keepalive: to => `fetch('${to}', { method: 'POST', mode: 'no-cors', keepalive: true })`,
  xhr: to => `const x = new XMLHttpRequest(); x.open('POST', '${to}'); x.send('a')`,
  beacon: to => `navigator.sendBeacon('${to}', 'a')`,
  ping: to =>
    `const a = document.createElement('a'); a.href = '#'; a.ping = '${to}'; document.body.append(a); a.click()`,
  form: to =>
    `const f = document.createElement('form'); f.method = 'post'; f.action = '${to}'; f.target = 'inner'; document.body.append(f); f.submit()`,
  popup: to =>
    `const f = document.createElement('form'); f.method = 'post'; f.action = '${to}'; f.target = '_blank'; document.body.append(f); f.submit()`,
  worker: to =>
    `new Worker(URL.createObjectURL(new Blob(["fetch('${to}', { method: 'POST', mode: 'no-cors' })"])))`,
  // A shared worker has no constructor: its requests could not be paused.
  sharedWorker: to =>
    `try { new SharedWorker(URL.createObjectURL(new Blob(["fetch('${to}', { method: 'POST', mode: 'no-cors' })"]))) } catch {}`,
  serviceWorker: () => `navigator.serviceWorker.register('/worker.js')`,
  sharedWorkerOfFrame: to =>
    `const i = document.createElement('iframe'); document.body.append(i); try { new i.contentWindow.SharedWorker(URL.createObjectURL(new Blob(["fetch('${to}', { method: 'POST', mode: 'no-cors' })"]))) } catch {}`,
  unload: to =>
    `const i = document.createElement('iframe'); i.srcdoc = "<script>onpagehide = () => navigator.sendBeacon('${to}', 'a')</" + "script>"; i.onload = () => i.remove(); document.body.append(i)`,
  report: () => `document.body.append(Object.assign(new Image(), { src: 'data:,x' }))`,
};

let pages: ServedPages;
let context: BrowserContext;
const received: string[] = [];

beforeAll(async () => {
  pages = await servePages({
    '/': (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy': "img-src 'none'; report-uri /report",
        })
        .end('<title>Page</title><iframe name=inner></iframe>'),
    '/worker.js': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(
          "self.oninstall = e => e.waitUntil(fetch('/serviceWorker', { method: 'POST' }).catch(() => {}))",
        ),
    '*': ({ method, url }, response) => {
      received.push(`${method} ${url}`);
      response.end();
    },
  });
  const browser = await sharedChromium();
  // As `contextOptions` makes Playwright pause the requests of a context.
  const credentials = { origin: 'https://origin.invalid', username: '', password: '' };
  context = await browser.newContext({ httpCredentials: credentials });
  await context.addInitScript({ content: injectedScript('sharedWorkers') });
});
afterAll(async () => {
  await context.close();
  await pages[Symbol.asyncDispose]();
});

describe('The rules for requests', () => {
  test('keep a method that they do not have from every way in which a page sends it', async () => {
    const refused: string[] = [];
    const rules = { headers: [], block: [], methods: ['GET'] };
    setRequestRules(context, { ...rules, onRefused: address => refused.push(new URL(address).pathname) });
    const first = await context.newPage();
    const page = installRequestRules(first) ? first : await context.newPage();
    await page.goto(pages.url);
    const expected = Object.keys(WAYS)
      .filter(name => !name.startsWith('sharedWorker'))
      .map(name => `/${name}`)
      .sort();
    for (const [name, script] of Object.entries(WAYS))
      await page.evaluate(`{ ${script(`${pages.url}/${name}`)}; undefined }`);
    await vi.waitFor(() => expect(refused.sort()).toEqual(expected), 20_000);
    expect(received.filter(line => line.startsWith('POST'))).toEqual([]);
  });
});
