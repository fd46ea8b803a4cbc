import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

/** Two buttons; the second comes under the pointer when that comes near, or presses. */
const swapping = (event: string, look: string) => `<title>Nothing pressed</title>
  <style>button { position: absolute; left: 50px; top: 50px; width: 160px; height: 60px } #other { top: 300px }
    @keyframes move { to { translate: 6px } } .moving { animation: move .2s infinite alternate }</style>
  <button id="meant" class="${look}" onclick="document.title = 'Pressed as meant'">Look</button>
  <button id="other" onclick="document.title = 'Pressed something else'">Buy</button>
  <script>addEventListener('${event}', event => { if (event.clientX > 2) other.style.cssText = 'top:50px;z-index:9' }, true)</script>`;

const { pages, agent } = pageHarness({
  '/comes': swapping('pointermove', ''),
  '/comes-moving': swapping('pointermove', 'moving'),
  '/comes-late': swapping('pointerdown', 'moving'),
  '/never': swapping('nothing', ''),
  '/never-moving': swapping('nothing', 'moving'),
});

it.each(['/comes', '/comes-moving', '/comes-late'])(
  'what comes under the pointer is not pressed, and the answer says so: %s',
  async path => {
    await agent.observe(pages.url + path);
    await expect(agent.step(/"Look"/)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringMatching(/covered by/),
    });
    expect((await agent.observe()).metadata.title).toBe('Nothing pressed');
  },
);

it.each(['/never', '/never-moving'])('what stays is pressed: %s', async path => {
  await agent.observe(pages.url + path);
  expect((await agent.step(/"Look"/)).metadata.title).toBe('Pressed as meant');
});
