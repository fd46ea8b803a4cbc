import { expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

/** A form whose field shows a hint when it loses the focus, so that what is below it moves while the button is pressed. */
const form = (script: string) => `<title>Nothing sent</title>
  <label>City <input id="city"></label><div id="hint" style="display:none;height:90px">Where you live</div>
  <p id="place"><button type="button" id="send">Send</button></p><button type="button" style="margin-top:60px" onclick="document.title = 'Cancelled'">Cancel</button>
  <script>let sent = 0; const count = () => { document.title = 'Sent ' + ++sent };
  const show = () => { hint.style.display = 'block' }; send.onclick = count; ${script}</script>`;

const { pages, agent } = pageHarness({
  '/moved': form(`city.onblur = show`),
  '/replaced': form(
    `city.onblur = () => { show(); place.innerHTML = '<button type="button" id="send">Send</button>'; send.onclick = count }`,
  ),
  '/ticked': form(
    `city.onblur = show; place.innerHTML = '<label><input type="checkbox" id="send" onclick="count()"> Send</label>'`,
  ),
  '/handled': form(`send.onclick = null; send.onmousedown = () => { count(); show() }`),
  '/rendered': form(
    `place.onmousedown = event => { event.preventDefault(); count(); show(); place.innerHTML = '<button type="button" id="send">Send</button>' }`,
  ),
  // A root with many listeners is that of a framework, which may handle any event.
  '/framework': form(
    `city.onblur = () => { place.innerHTML = '<button type="button" id="send">Send</button>'; send.onclick = count };
    for (const type of 'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend keydown keyup keypress input change wheel'.split(' ')) document.addEventListener(type, () => {})`,
  ),
  '/delegated': form(
    `document.addEventListener('mousedown', event => { if (event.target !== send) return; event.preventDefault(); place.innerHTML = '<button type="button" id="send">Send</button>'; count() })`,
  ),
  '/both': form(`send.onmousedown = () => { document.title = 'Held ' + ++sent; show() }`),
  '/covered': form(
    `addEventListener('mousedown', event => { if (event.target !== send) return; const veil = document.createElement('div'); veil.style.cssText = 'position:fixed;inset:0'; document.body.append(veil) })`,
  ),
  '/renewed': form(
    `document.addEventListener('mousedown', event => { if (event.target !== send) return; show(); place.innerHTML = '<button type="button" id="send">Send</button>'; send.onclick = count })`,
  ),
  '/rows': form(
    `const remove = '<p><button type="button" class="remove">×</button></p>'; place.insertAdjacentHTML('afterend', remove + remove); send.className = 'remove'; send.ariaLabel = 'Send'; send.textContent = '×';
    document.addEventListener('mousedown', event => { if (event.target.className === 'remove') event.target.parentNode.remove() })`,
  ),
  '/chosen': form(
    `place.innerHTML = '<div role="option" id="send">Send</div>'; place.onclick = count; send.onmousedown = event => { event.preventDefault(); place.style.display = 'none' }`,
  ),
  '/menu': form(
    `place.onclick = count; send.onclick = null; send.onpointerdown = () => { send.style.display = 'none' }`,
  ),
  '/opener': form(
    `send.setAttribute('aria-haspopup', 'listbox'); addEventListener('mousedown', event => { if (event.target !== send) return; const veil = document.createElement('div'); veil.style.cssText = 'position:fixed;inset:0'; veil.textContent = 'Choices'; document.body.append(veil) })`,
  ),
});
const notes = () => agent.lastObservation.space?.messages.filter(({ kind }) => kind === 'note') ?? [];
const pressSend = async (path: string) => {
  await agent.observe(pages.url + path);
  await agent.step(/"City"/, 'Oslo');
  await agent.step(/"Send"/);
  return agent.lastObservation.metadata.title;
};

it.each(['/moved', '/replaced', '/ticked', '/framework'])(
  'A button or a checkbox that moves away while it is pressed, because a field loses the focus, is pressed again: %s',
  async path => {
    expect(await pressSend(path)).toBe('Sent 1');
    expect(notes()).toEqual([]);
  },
);

it('A press that the page has handled before the button moved is not repeated', async () => {
  expect(await pressSend('/handled')).toBe('Sent 1');
  expect(await pressSend('/rendered')).toBe('Sent 1');
  expect(await pressSend('/delegated')).toBe('Sent 1');
  expect(notes()).toEqual([]);
  expect(await pressSend('/both')).toBe('Held 1');
  expect(notes()).toEqual([expect.objectContaining({ text: expect.stringMatching(/no click reached it/) })]);
});

it.each(['/covered', '/renewed'])('A press that became no click is told: %s', async path => {
  expect(await pressSend(path)).toBe('Nothing sent');
  expect(notes()).toMatchObject([{ text: expect.stringContaining('no click reached it') }]);
});

it.each(['/opener', '/rows', '/chosen', '/menu'])(
  'Nothing is told of a press that opens something over its element, removes its row, or chooses an option and hides the list: %s',
  async path => {
    await pressSend(path);
    expect(notes()).toEqual([]);
  },
);
