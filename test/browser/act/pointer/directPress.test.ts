import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const OUTPUT = '<button id="said">Nothing</button>';
const SCRIPT = 'const tell = text => { document.getElementById("said").textContent = text };';

const { agent, pages } = pageHarness({
  '/far': `<!doctype html><title>Far</title><style>html{scroll-behavior:smooth}header{position:fixed;inset:0 0 auto;height:60px;background:#fff}</style>
<header>${OUTPUT}</header><div style="height:3000px"></div><button onclick="tell('far ' + event.isTrusted)">Far</button>
<div style="height:100px;overflow:auto" id="box"><div style="height:2000px"></div><input aria-label="Inner" onclick="tell('clicked inner')"></div>
<div style="height:3000px"></div><button id="runs">Runs away</button><script>${SCRIPT}
addEventListener('scroll', () => { runs.style.marginLeft = '200px' }); runs.onclick = () => tell('caught');</script>`,
  '/below': `<!doctype html><title>Below</title>${OUTPUT}<div style="height:2000px"></div><a href="#" role="tab" onclick="tell('pressed')">Below</a><div style="height:2000px"></div>
<div style="position:fixed;inset:30% 0;background:#fff">Offer</div><script>${SCRIPT} document.querySelector('a').scrollIntoView({ block: 'center' })</script>`,
  '/form': `<!doctype html><title>Form</title>${OUTPUT}<form><input aria-label="Name" autofocus><input aria-label="Age" type="number" min="0" max="200">
<button>Send</button></form><script>${SCRIPT}
document.forms[0].onsubmit = event => { event.preventDefault(); tell('sent ' + [...document.querySelectorAll('input')].map(input => input.value)) };</script>`,
  '/keys': `<!doctype html><title>Keys</title>${OUTPUT}<input aria-label="Heard"><script>${SCRIPT}
let log = []; const heard = document.querySelector('input');
for (const type of ['keydown', 'keypress', 'input', 'keyup']) heard.addEventListener(type, event =>
  { log.push(type === 'input' ? '=' + heard.value : type.slice(3, 5) + ' ' + [event.key, event.code, event.keyCode].join(' ')); tell(log.join('|')) });</script>`,
  '/unheard': `<!doctype html><title>Unheard</title>${OUTPUT}<input aria-label="Unheard"><script>${SCRIPT}
addEventListener('keyup', event => { tell(said.textContent + event.key) });</script>`,
});

const shown = () => agent.lastObservation.space?.actions[0]?.name;

describe('A step', () => {
  it.each([
    [/"Far"/, null, 'far true'],
    [/textbox "Inner"/, 'text', 'clicked inner'],
    [/"Runs away"/, null, 'caught'],
  ])('presses %s, which it scrolls into view first', async (target, value, result) => {
    await agent.observe(`${pages.url}/far`);
    await agent.step(target, value);
    expect(shown()).toBe(result);
  });

  it('scrolls a tab out from below a fixed box', async () => {
    await agent.observe(`${pages.url}/below`);
    expect(agent.find(/"Below"/).status).toBe('covered');
    await agent.step(/"Below"/);
    expect(shown()).toBe('pressed');
  });

  it('lets Enter submit the form after text was entered in a field that has the focus', async () => {
    await agent.observe(`${pages.url}/form`);
    await agent.step(/"Name"/, 'Ada', { enter: true });
    expect(shown()).toBe('sent Ada,');
    await agent.step(/"Age"/, '36', { enter: true });
    expect(shown()).toBe('sent Ada,36');
    await agent.step(/"Age"/, '37', { enter: true });
    expect(shown()).toBe('sent Ada,37');
  });

  it('sends the keys of a text, each with its code, in their order', async () => {
    await agent.observe(`${pages.url}/keys`);
    await agent.step(/"Heard"/, 'aB!é');
    expect(shown()?.split('|')).toEqual([
      ...['do a KeyA 65', 'pr a KeyA 97', '=a', 'up a KeyA 65'],
      ...['do B KeyB 66', 'pr B KeyB 66', '=aB', 'up B KeyB 66'],
      ...['do ! Digit1 49', 'pr ! Digit1 33', '=aB!', 'up ! Digit1 49'],
      '=aB!é',
    ]);
  });

  it('keeps the order of keys that it sends without waiting', async () => {
    await agent.observe(`${pages.url}/unheard`);
    const text = 'The quick brown fox, 1234567890 (and more).';
    await agent.step(/"Unheard"/, text);
    expect(shown()).toBe(`Nothing${text}`);
  });
});
