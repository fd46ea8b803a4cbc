import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';

/** Of all of them Chromium says what it would answer; those that it does not know are left out. */
const NAMES =
  `accelerometer ambient-light-sensor background-fetch background-sync bluetooth camera captured-surface-control clipboard-read
  clipboard-write display-capture geolocation gyroscope idle-detection keyboard-lock local-fonts local-network-access magnetometer microphone
  midi nfc notifications payment-handler periodic-background-sync persistent-storage pointer-lock push screen-wake-lock smart-card
  speaker-selection top-level-storage-access web-printing window-management`.split(/\s+/);

/** What a page asks for, each as a person who has just pressed. */
const ASKED: Readonly<Record<string, string>> = {
  place: 'new Promise((done, refused) => navigator.geolocation.getCurrentPosition(done, refused))',
  'camera and microphone': 'navigator.mediaDevices.getUserMedia({ video: true, audio: true })',
  screen: 'navigator.mediaDevices.getDisplayMedia()',
  clipboard: 'navigator.clipboard.readText()',
  'what is written to the clipboard': 'navigator.clipboard.writeText("x")',
  music: 'navigator.requestMIDIAccess({ sysex: true })',
  screens: 'getScreenDetails()',
  idleness: 'new IdleDetector().start()',
  'a lit screen': 'navigator.wakeLock.request("screen")',
  sensors:
    'new Promise((done, refused) => { const s = new Accelerometer(); s.onerror = ({ error }) => refused(error); s.onreading = done; s.start() })',
};

const BUTTONS = Object.entries(ASKED).map(
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

it('every permission that Chromium knows is denied', async () => {
  await agent.observe(`${pages.url}/states`);
  const states = (await agent.text()).trim().split('; ');
  expect(states.length).toBeGreaterThan(15);
  expect(states.filter(state => !state.endsWith(' denied'))).toEqual([]);
});

it.each(Object.keys(ASKED))('who asks for %s is refused without a question', async name => {
  await agent.observe(`${pages.url}/`);
  await agent.step(new RegExp(`Ask: ${name}"`));
  await expect.poll(async () => (await agent.observe()).metadata.title).toBe('denied');
});
