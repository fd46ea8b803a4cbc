import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const page = (body: string, script: string): string =>
  `<!doctype html><title>Tasks</title><button id="told">Nothing</button>${body}<script>const tell = text => { told.textContent = text };${script}</script>`;

const { agent, pages, started } = pageHarness({
  '/own': page(
    '<button id="go">Go</button><p id="p"></p>',
    `const first = setTimeout, { send } = WebSocket.prototype;
    const names = () => Object.keys(window).filter(key => /^tasks$|pagespace/.test(key)).length;
    const look = () => { p.textContent = 'same: ' + [setTimeout === first, WebSocket.prototype.send === send, names()] };
    go.onclick = () => { setTimeout(() => tell('late'), 200); first(look, 1000) };`,
  ),
  '/patched': page(
    '<button id="go">Go</button>',
    `const first = setTimeout; window.setTimeout = (f, ms) => first(f, ms);
    go.onclick = () => { clearTimeout(setTimeout(() => tell('cleared'), 100)); setTimeout(() => tell('late'), 300) };`,
  ),
  '/hostile': page(
    '<button id="go">Go</button>',
    `Map.prototype.set = Set.prototype.add = Array.prototype.push = () => { throw new Error('broken') };
    window.Proxy = undefined; go.onclick = () => tell('pressed');`,
  ),
  '/upload': page(
    '<input type="file" aria-label="Picture">',
    `document.querySelector('input').onchange = ({ target }) => { const reader = new FileReader();
      reader.onload = () => tell("read " + reader.result); reader.readAsText(target.files[0]) };`,
  ),
  '/toast': page(
    '<button id="go">Go</button>',
    `go.onclick = () => { tell('Saved'); setTimeout(() => tell('gone'), 1500) };`,
  ),
});

const firstName = (): string | null => agent.lastObservation.space?.actions[0]?.name ?? null;

describe('The task recorder', () => {
  it('leaves the page with its own functions, and no name in its window', async () => {
    await agent.observe(`${pages.url}/own`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('late');
    await agent.step('S24', 'text "same: true,true,0"');
  });

  it('records timers of a page that has replaced setTimeout itself', async () => {
    await agent.observe(`${pages.url}/patched`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('late');
  });

  it('does no harm to a page that has broken what it uses', async () => {
    await agent.observe(`${pages.url}/hostile`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('pressed');
  });

  it('waits until a page has read the file that it was given', async () => {
    const { service, viewer } = started;
    const chunks = (async function* () {
      yield Buffer.from('hello');
    })();
    const signal = new AbortController().signal;
    const command = { sessionId: agent.sessionId, name: 'a.txt', chunks, signal };
    const file = await service.uploadFile(viewer, command);
    await agent.observe(`${pages.url}/upload`);
    await agent.step(/Picture/, file.id);
    expect(firstName()).toBe('read hello');
  });

  it('does not wait until a toast is gone again', async () => {
    await agent.observe(`${pages.url}/toast`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('Saved');
  });
});
