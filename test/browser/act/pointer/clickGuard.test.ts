import { expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

/** Two buttons. The second moves under the pointer when the pointer arrives, or when it is pressed. */
const swappingButtons = (event: string, className: string) => `<title>Nothing pressed</title>
  <style>button { position: absolute; left: 50px; top: 50px; width: 160px; height: 60px } #other { top: 300px }
    @keyframes move { to { translate: 6px } } .moving { animation: move .2s infinite alternate }</style>
  <button id="meant" class="${className}" onclick="document.title = 'Pressed as meant'">Look</button>
  <button id="other" onclick="document.title = 'Pressed something else'">Buy</button>
  <script>addEventListener('${event}', event => { if (event.clientX > 2) other.style.cssText = 'top:50px;z-index:9' }, true)</script>`;

const { pages, agent } = pageHarness({
  '/comes': swappingButtons('pointermove', ''),
  '/comes-moving': swappingButtons('pointermove', 'moving'),
  '/comes-late': swappingButtons('pointerdown', 'moving'),
  '/never': swappingButtons('nothing', ''),
  '/never-moving': swappingButtons('nothing', 'moving'),
});

it.each(['/comes', '/comes-moving', '/comes-late'])(
  'A step on a button answers ACTION_BLOCKED and clicks nothing else if another button moves under the pointer: %s',
  async path => {
    await agent.observe(pages.url + path);
    await expect(agent.step(/"Look"/)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringMatching(/covered by/),
    });
    expect((await agent.observe()).metadata.title).toBe('Nothing pressed');
  },
);

it.each(['/never', '/never-moving'])(
  'A step on a button clicks it if nothing moves under the pointer: %s',
  async path => {
    await agent.observe(pages.url + path);
    expect((await agent.step(/"Look"/)).metadata.title).toBe('Pressed as meant');
  },
);
