import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const entries = (role: string) =>
  Array.from({ length: 20 }, (_, nth) => `<li${role}>Day ${nth + 1}</li>`).join('');

/**
 * A wheel of a picker: its list is moved by style, and the place of a press in the window decides which entry is chosen.
 * @param events the events of the press, the movement and the release
 */
const wheel = (events: readonly [string, string, string], { turns = true, role = '', above = '' } = {}) =>
  `<title>Nothing</title><style>*{margin:0}#w{height:200px;width:160px;overflow:hidden;position:relative}ul{padding:0}li{height:40px;list-style:none;cursor:pointer}</style>
  ${above}<div style="height:500px">A wheel</div><div id="w"><ul>${entries(role)}</ul></div><script>
  const w = document.querySelector('#w'), list = document.querySelector('ul');
  let from = null, start = 0, at = 0;
  const y = e => (e.changedTouches ? e.changedTouches[0] : e).clientY;
  const show = () => { list.style.transform = 'translate3d(0,' + at + 'px,0)' };
  w.addEventListener('${events[0]}', e => { from = y(e); start = at });
  w.addEventListener('${events[1]}', e => { if (from !== null && ${turns}) { at = Math.min(80, Math.max(-680, start + y(e) - from)); show() } });
  w.addEventListener('${events[2]}', e => {
    if (from === null) return;
    if (y(e) === from) document.title = 'Day ' + (Math.floor((y(e) - w.getBoundingClientRect().top - at) / 40) + 1);
    from = null; at = Math.round(at / 40) * 40; show();
  });
  show();</script>`;

const MOUSE = ['mousedown', 'mousemove', 'mouseup'] as const;
const TOUCH = ['touchstart', 'touchmove', 'touchend'] as const;
const PAGES = {
  '/mouse': wheel(MOUSE),
  '/touch': wheel(TOUCH),
  '/below': wheel(MOUSE, { above: '<div style="height:1500px">Above</div>' }),
  '/inner': wheel(MOUSE).replaceAll('document.title', 'top.document.title'),
  '/framed':
    '<title>Nothing</title><p>A frame</p><iframe src="/inner" style="margin:30px 0 0 60px" width="300" height="740"></iframe>',
  '/still': wheel(MOUSE, { turns: false }),
  '/carousel': `<title>Nothing</title><style>#c{width:300px;overflow:hidden}#t{display:flex;transform:translateX(0)}#t div{flex:0 0 200px;height:60px}</style>
    <div id="c"><div id="t">${[1, 2, 3, 4].map(n => `<div><a href="#s${n}" onclick="document.title='Slide ${n}'">Slide ${n}</a></div>`).join('')}</div></div>
    <script>document.querySelector('#c').addEventListener('pointerdown', () => {})</script>`,
};

describe('A step on an entry outside of the window of its wheel', () => {
  const { pages, agent } = pageHarness(PAGES);

  it.each(['/mouse', '/below', '/framed'])('turns the wheel and presses the entry: %s', async path => {
    await agent.observe(pages.url + path);
    const { metadata } = await agent.step(agent.find(/"Day 12"/).id);
    expect(metadata.title).toBe('Day 12');
    expect((await agent.step(agent.find(/"Day 2"/).id)).metadata.title).toBe('Day 2');
  });

  it('turns a wheel that takes only fingers', async () => {
    await agent.observe(`${pages.url}/touch`);
    await expect(agent.step(agent.find(/"Day 12"/).id)).resolves.toBeDefined();
    await agent.observe();
    expect(agent.find(/"Day 12"/).status).toBe('valid');
  });

  it('fails with ACTION_BLOCKED, which says what to do, and presses nothing if the wheel does not turn', async () => {
    await agent.observe(`${pages.url}/still`);
    await expect(agent.step(agent.find(/"Day 12"/).id)).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringContaining('Bring it into view first'),
    });
    expect((await agent.observe()).metadata.title).toBe('Nothing');
  });

  it('presses a link of a carousel without a drag, which means the same everywhere', async () => {
    await agent.observe(`${pages.url}/carousel`);
    expect((await agent.step(agent.find(/"Slide 4"/).id)).metadata.title).toBe('Slide 4');
  });
});
