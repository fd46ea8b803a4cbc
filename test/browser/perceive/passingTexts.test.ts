import { expect, test } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const PAGE = `<!doctype html><title>Passing</title><h1>Passing</h1><div id="live" role="status"></div><div id="box"></div><div id="bar" role="status">Line 1, column 1 UTF-8</div>
<button id="again">Again</button><button id="bars">Bar</button><button id="toast">Toast</button><button id="region">Region</button><button id="second">Second</button><button id="counter">Counter</button><button id="unseen">Unseen</button><button id="stays">Stays</button>
<script>
// The second timer begins when the first has fired: also on a busy machine the text stands until the service has read it.
const during = (show, hide) => async () => { show(); setTimeout(() => setTimeout(() => { hide(); fetch('/hidden') }, 200), 100); await fetch('/slow'); document.title += '.' };
const add = (name, style) => { const t = document.createElement('div'); t.className = name; t.style = style; t.textContent = 'Saved the draft'; box.append(t) };
const clear = () => { box.textContent = ''; };
toast.onclick = during(() => add('toast', ''), clear);
unseen.onclick = during(() => add('toast', 'opacity:0'), clear);
stays.onclick = during(() => add('toast', ''), () => {});
again.onclick = during(() => { bar.textContent = 'Waiting' }, () => { bar.textContent = 'Line 1, column 1 UTF-8' });
bars.onclick = during(() => { bar.textContent = 'Line 1, column 5 UTF-8' }, () => { bar.textContent = 'Line 1, column 9 UTF-8' });
region.onclick = during(() => { live.textContent = 'Three rows copied' }, () => { live.textContent = '' });
counter.onclick = async () => { for (let n = 1; n < 7; n++) { live.textContent = 'Row ' + n; await new Promise(next => setTimeout(next, 250)) } live.textContent = ''; await fetch('/hidden') };
second.onclick = async () => { live.textContent = 'Asking the shop'; setTimeout(during(() => { live.textContent = 'Seven found' }, () => { live.textContent = '' }), 300); await fetch('/slow') };
</script>`;

/** Resolves when the page has hidden the text of the step. */
let hidden = Promise.withResolvers<void>();
const { pages, agent } = pageHarness({
  '/': PAGE,
  '/closing': (request, response) => {
    const move = new URL(request.url ?? '', 'http://x').searchParams.get('move') ?? '';
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Closing</title><h1>Closing</h1><div>${PANEL}</div><button id="close">Close</button>
<script>const move = () => { ${move} };
document.getElementById('close').onclick = () => { const box = move(); box.animate({ opacity: [1, 0.2] }, 400).onfinish = () => box.remove() };</script>`);
  },
  '/slow': (_, response) => void hidden.promise.then(() => response.end('{}')),
  '/hidden': (_, response) => {
    hidden.resolve();
    response.end('{}');
  },
});

test.each([
  ['toast', /"Toast"/, ['status Saved the draft']],
  ['text of a live region', /"Region"/, ['status Three rows copied']],
  [
    'text and the one after it in the same place',
    /"Second"/,
    ['status Asking the shop', 'status Seven found'],
  ],
  ['counter by its first texts and its last', /"Counter"/, ['status Row 1', 'status Row 2', 'status Row 6']],
  ['status that comes again', /"Again"/, ['status Line 1, column 1 UTF-8', 'status Waiting']],
  ['status bar that changes twice', /"Bar"/, ['status Line 1, column 9 UTF-8']],
  ['toast that stays', /"Stays"/, ['status Saved the draft']],
  ['toast that is not visible', /"Unseen"/, []],
])('The answer to a step tells a %s once', async (_, button, expected) => {
  hidden = Promise.withResolvers();
  await agent.observe(`${pages.url}/`);
  await agent.step(button);
  const { messages = [] } = agent.lastObservation.space ?? {};
  expect(messages.filter(({ isNew }) => isNew).map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
});

const PANEL = '<div id="panel"><b>Delay</b> <span>Parcels come later</span> <i>today.</i></div>';
const WAYS: Readonly<Record<string, string>> = {
  // As jQuery UI does: a new box around the panel shrinks.
  'a new box around it': `const w = document.createElement('div'); panel.before(w); w.append(panel); w.style.overflow = 'hidden'; return w`,
  'a copy of it': `const w = panel.cloneNode(true); panel.replaceWith(w); return w`,
  'a copy of it at another place': `const w = panel.cloneNode(true); panel.remove(); document.body.append(w); return w`,
};

test.each(Object.keys(WAYS))('Text that a closing animation moves is not new: %s', async way => {
  const { space } = await closePanel(WAYS[way] ?? '');
  expect(space?.messages.filter(({ kind }) => kind !== 'disappeared')).toEqual([]);
});

/** Presses the button that closes the panel, with an animation of what `move` returns. */
async function closePanel(move: string) {
  hidden = Promise.withResolvers();
  await agent.observe(`${pages.url}/closing?move=${encodeURIComponent(move)}`);
  return agent.step(/"Close"/);
}
