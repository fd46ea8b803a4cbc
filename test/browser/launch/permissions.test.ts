import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

/** Permissions whose state a page can query. Chromium rejects the query for those that it does not know. */
const NAMES =
  `accelerometer ambient-light-sensor background-fetch background-sync bluetooth camera captured-surface-control clipboard-read
  clipboard-write display-capture geolocation gyroscope idle-detection keyboard-lock local-fonts local-network-access magnetometer microphone
  midi nfc notifications payment-handler periodic-background-sync persistent-storage pointer-lock push screen-wake-lock smart-card
  speaker-selection top-level-storage-access web-printing window-management`.split(/\s+/);

/** Requests for permissions, each made after a click. */
const REQUESTS: Readonly<Record<string, string>> = {
  geolocation: 'new Promise((done, refused) => navigator.geolocation.getCurrentPosition(done, refused))',
  'camera and microphone': 'navigator.mediaDevices.getUserMedia({ video: true, audio: true })',
  'screen capture': 'navigator.mediaDevices.getDisplayMedia()',
  'reading the clipboard': 'navigator.clipboard.readText()',
  MIDI: 'navigator.requestMIDIAccess({ sysex: true })',
  'window management': 'getScreenDetails()',
  'idle detection': 'new IdleDetector().start()',
  'a screen wake lock': 'navigator.wakeLock.request("screen")',
  sensors:
    'new Promise((done, refused) => { const s = new Accelerometer(); s.onerror = ({ error }) => refused(error); s.onreading = done; s.start() })',
};

const BUTTONS = Object.entries(REQUESTS).map(
  ([name, script]) =>
    `<button onclick='document.title = "asked"; (async () => ${script})().then(() => document.title = "granted", () => document.title = "denied")'>Ask: ${name}</button>`,
);

let pages: ServedPages;
let started: StartedService;
let agent: AgentDriver;
beforeAll(async () => {
  const query = `Promise.allSettled(${JSON.stringify(NAMES)}.map(async name => name + ' ' + (await navigator.permissions.query({ name })).state))`;
  pages = await servePages({
    '/': `<title>Asks</title>${BUTTONS.join('')}`,
    '/states': `<title>States</title><p></p><script>${query}.then(all => {
      document.querySelector('p').textContent = all.flatMap(one => one.value ?? []).join('; ') })</script>`,
  });
  started = await startService();
  agent = await startAgentDriver(started);
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

it('A browser of the service denies every permission that Chromium knows', async () => {
  await agent.observe(`${pages.url}/states`);
  const states = (await agent.text()).trim().split('; ');
  expect(states.length).toBeGreaterThan(15);
  expect(states.filter(state => !state.endsWith(' denied'))).toEqual([]);
});

it.each(Object.keys(REQUESTS))('A browser of the service denies %s without a prompt', async name => {
  await agent.observe(`${pages.url}/`);
  await agent.step(new RegExp(`Ask: ${name}"`));
  await expect.poll(async () => (await agent.observe()).metadata.title).toBe('denied');
});
