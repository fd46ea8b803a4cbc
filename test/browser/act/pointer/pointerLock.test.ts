import { expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const game = `<!doctype html><title>Game</title><button onclick="this.requestPointerLock().catch(({ name }) => tell(name))">Lock mouse</button>
  <button onclick="tell('other')">Other</button><button onclick="setTimeout(() => document.body.requestPointerLock(), 1)">Lock later</button>
  <script>const told = []; const tell = text => { told.push(text); top.document.title = told.join(' ') };
  for (const type of ['pointerlockerror', 'pointerlockchange']) document.addEventListener(type, () => tell(type))</script>`;

const { agent, pages } = pageHarness({
  '/game': game,
  '/framed':
    '<!doctype html><title>Framed</title><iframe src="/game" style="width:500px;height:100px"></iframe>',
});

it.each(['/game', '/framed'])(
  'The lock of the pointer is refused as browsers refuse it, and the page goes on working: %s',
  async path => {
    await agent.observe(pages.url + path);
    await agent.step(/"Lock mouse"/);
    const { metadata } = await agent.step(/"Other"/);
    expect(metadata?.title.split(' ').sort()).toEqual(['NotSupportedError', 'other', 'pointerlockerror']);
    const later = await agent.step(/"Lock later"/);
    expect(later.metadata?.title).not.toContain('pointerlockchange');
  },
);
