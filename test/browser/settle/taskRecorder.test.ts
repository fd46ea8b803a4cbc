import { describe, expect, it } from 'vitest';
import { onOwnFailure } from '../../../src/browser/cdp/ownFailures.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const page = (body: string, script: string): string =>
  `<!doctype html><title>Tasks</title><button id="told">Nothing</button>${body}<script>const tell = text => { told.textContent = text };${script}</script>`;

const { agent, pages, started } = pageHarness({
  '/own': page(
    '<button id="go">Go</button><p id="p"></p>',
    `const isOwn = [[setTimeout], [fetch], [WebSocket.prototype.send], [WebSocket, 'WebSocket'], [Function.prototype.toString]]
      .every(([one, name = one.name]) => String(one) === 'function ' + name + '() { [native code] }');
    const isMade = new ResizeObserver(() => {}).constructor === ResizeObserver;
    const names = () => Object.keys(window).filter(key => /recorder|pagespace|startToken/i.test(key)).length;
    go.onclick = () => setTimeout(() => tell('late ' + [isOwn, isMade, names()]), 200);`,
  ),
  '/sender': page(
    '<button id="go">Go</button><iframe srcdoc="<script>onmessage = () => parent.postMessage(1, `*`)</script>"></iframe>',
    `onmessage = ({ source }) => tell(source === frames[0] ? 'the frame' : 'another window'); go.onclick = () => frames[0].postMessage(1, '*');`,
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
  '/shadowing': `<!doctype html><title>Names</title><button id="told">Nothing</button><script>
    const performance = [1], URL = '/data', Reflect = {}, Promise = 0;
    for (const name of Object.getOwnPropertyNames(window))
      if (/^[A-Z]/.test(name) && !/^(?:Array|Error|Object|Function|Symbol|Infinity|NaN)$/.test(name)) try { window[name] = undefined } catch {}
    const tell = text => { told.textContent = text };
    let data = 'none';
    fetch(URL).then(() => setTimeout(() => { data = 'loaded' }, 1));
    told.onclick = async () => { tell('asked'); await fetch('/data'); setTimeout(() => tell('late ' + data), 400) };</script>`,
  '/data': '',
  '/rejections': page(
    '<button id="go">Go</button>',
    `const failed = []; window.onunhandledrejection = ({ reason }) => { failed.push(reason.name) };
    window.onerror = text => { failed.push(text) };
    fetch('http://127.0.0.1:1/'); new Response('{').json();
    go.onclick = async () => { fetch('http://127.0.0.1:1/'); new Response('{').json(); document.createElement('img').decode();
      fetch('http://127.0.0.1:1/').catch(() => {});
      await Promise.all([fetch('/data'), new Response('1').json()]);
      const wait = () => failed.length < 5 ? setTimeout(wait, 20) : tell(failed.toSorted().join());
      wait() };`,
  ),
  '/spying': page(
    '<button id="go">Go</button>',
    `const calls = []; Element.prototype.requestPointerLock = function (...given) { calls.push(given) };
    go.onclick = () => tell('calls ' + calls.length);`,
  ),
  '/workers': page(
    '<button id="file">From a file</button><button id="blob">From memory</button>',
    `file.onclick = () => { tell('asked'); new Worker('/worker.js') };
    blob.onclick = () => { tell('asked'); new Worker(URL.createObjectURL(new Blob(['setInterval(() => {}, 1000)']))) };`,
  ),
  '/worker.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end('setInterval(() => {}, 1000)');
  },
  '/stored': page(
    '<button id="store">Store</button><button id="make">Make a key</button>',
    `store.onclick = () => { tell('asked'); const opening = indexedDB.open('db' + Math.random(), 1);
      opening.onupgradeneeded = () => { const table = opening.result.createObjectStore('t'); for (let n = 0; n < 1000; n++) table.put('x'.repeat(2000), n) };
      opening.onsuccess = () => { const read = opening.result.transaction('t').objectStore('t').getAll(); read.onsuccess = () => tell('read ' + read.result.length) } };
    make.onclick = async () => { tell('asked');
      await crypto.subtle.generateKey({ name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, true, ['encrypt', 'decrypt']);
      tell('made') };`,
  ),
  '/upload': page(
    '<input type="file" aria-label="Picture">',
    `document.querySelector('input').onchange = ({ target }) => { const reader = new FileReader();
      reader.onload = () => tell("read " + reader.result); reader.readAsText(target.files[0]) };`,
  ),
  '/upload-later': page(
    '<input type="file" aria-label="Picture">',
    `document.querySelector('input').onchange = ({ target }) => { const reader = new FileReader();
      reader.onload = () => setTimeout(() => tell("read " + reader.result), 150); reader.readAsText(target.files[0]) };`,
  ),
  '/upload-promised': page(
    '<input type="file" aria-label="Picture">',
    `document.querySelector('input').onchange = async ({ target }) => { const text = await target.files[0].text();
      setTimeout(() => tell("read " + text), 150) };`,
  ),
  '/upload-bytes': page(
    '<input type="file" aria-label="Picture">',
    `document.querySelector('input').addEventListener('change', ({ target }) => target.files[0].arrayBuffer()
      .then(bytes => setTimeout(() => tell("read " + new TextDecoder().decode(bytes)), 150)));`,
  ),
  '/worker': page(
    '<button id="go">Go</button>',
    `const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => postMessage(data + 1)'])));
    worker.onmessage = ({ data }) => setTimeout(() => tell('answered ' + data), 250); go.onclick = () => worker.postMessage(1);`,
  ),
  '/parts': page(
    '<button id="go">Go</button>',
    `const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => { let n = 0; const post = () => { postMessage(++n); if (n < 4) setTimeout(post, 60) }; post() }'])));
    worker.onmessage = ({ data }) => tell('part ' + data); go.onclick = () => worker.postMessage(1);`,
  ),
  '/toast': page(
    '<button id="go">Go</button>',
    `const hide = () => tell('gone'); go.onclick = () => { tell('Saved'); setTimeout(() => hide(), 4000) };`,
  ),
  '/minified': page(
    '<button id="go">Go</button>',
    `let busy = 0; go.onclick = () => { tell('Checking'); setTimeout(() => { busy = !1, tell('Checked') }, 1400) };`,
  ),
  '/statistics': page(
    '<button id="go">Go</button>',
    `let n = 0; go.onclick = () => { setTimeout(() => {}, 30); if (++n > 5) setTimeout(() => tell('late'), 400) };`,
  ),
  // The transition has begun with the page, the image is loaded by it again and again; both end while the step runs.
  '/running': page(
    '<button id="go">Go</button><img id="cam" alt=""><div id="slide" style="transition:opacity 900s">Slide</div>',
    `let isPressed = false, isOver = false, n = 0; const wait = () => isOver && n > 2 ? tell('over') : setTimeout(wait, 50);
    cam.onload = () => { if (isPressed && ++n === 2) setTimeout(() => {}, 30_000) };
    setInterval(() => { cam.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><!--' + Date.now() + '--></svg>' }, 60);
    slide.ontransitionend = () => { isOver = true; setTimeout(() => {}, 30_000) }; slide.offsetWidth; slide.style.opacity = '.5';
    setInterval(() => { if (isPressed) slide.getAnimations()[0]?.finish() }, 20); go.onclick = () => { isPressed = true; wait() };`,
  ),
  '/later': page(
    '<button id="one">One</button><button id="chain">Chain</button>',
    `one.onclick = () => { tell('Asked'); setTimeout(() => tell('late'), 4000) };
    chain.onclick = () => { tell('Asked'); let n = 0; const next = () => ++n < 5 ? setTimeout(next, 800) : tell('late'); next() };`,
  ),
});

const firstName = (): string | null => agent.lastObservation.space?.actions[0]?.name ?? null;

describe('The task recorder', () => {
  it('looks like the functions of the browser, and leaves no name in the window', async () => {
    await agent.observe(`${pages.url}/own`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('late true,true,0');
  });

  it('leaves the frame that has sent a message its sender', async () => {
    await agent.observe(`${pages.url}/sender`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('the frame');
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

  it('stands on nothing that a page can declare or take away by name', async () => {
    await agent.observe(`${pages.url}/shadowing`);
    await agent.step(/"Nothing"/);
    expect(firstName()).toBe('late loaded');
  });

  it('leaves rejections that the page does not handle unhandled', async () => {
    await agent.observe(`${pages.url}/rejections`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('EncodingError,SyntaxError,SyntaxError,TypeError,TypeError');
  });

  it('is found without a word to the page, and its absence is logged', async () => {
    const failures: unknown[] = [];
    using stack = new DisposableStack();
    stack.defer(onOwnFailure(({ err }) => failures.push(err)));
    await agent.observe(`${pages.url}/spying`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('calls 0');
    expect(failures.map(String)).toEqual([expect.stringContaining('The page has replaced the function')]);
  });

  it('takes what a listener starts for work of the step, though the page has set it before the step', async () => {
    await agent.observe(`${pages.url}/worker`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('answered 2');
  });

  it.each(['upload', 'upload-later', 'upload-promised', 'upload-bytes'])(
    'waits until a page has read and shown the file that it was given: %s',
    async path => {
      const { service, viewer } = started;
      const chunks = new Blob(['hello']).stream();
      const signal = new AbortController().signal;
      const command = { sessionId: agent.sessionId, name: 'a.txt', chunks, signal };
      const file = await service.uploadFile(viewer, command);
      await agent.observe(`${pages.url}/${path}`);
      await agent.step(/Picture/, file.id);
      expect(firstName()).toBe('read hello');
    },
  );

  it.each(['From a file', 'From memory'])('waits for no script of a worker: %s', async name => {
    await agent.observe(`${pages.url}/workers`);
    const { space } = await agent.step(new RegExp(name));
    expect(space?.actions[0]?.name).toBe('asked');
    expect(space?.pending?.requests).toEqual([]);
  });

  it.each([
    ['a database', /Store/, 'read 1000'],
    ['a key', /Make/, 'made'],
  ])('waits for %s', async (_, button, shown) => {
    // A busy machine may need more time for it than a step waits for anything.
    let name: string | null = null;
    for (let tries = 5; tries > 0 && name !== shown; tries--) {
      await agent.observe(`${pages.url}/stored`);
      await agent.step(button);
      name = firstName();
    }
    expect(name).toBe(shown);
  });

  it('waits for all parts of the answer of a worker', async () => {
    await agent.observe(`${pages.url}/parts`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('part 4');
  });

  it('tells of a timer that is due later than a step waits for timers, and does not wait for it', async () => {
    await agent.observe(`${pages.url}/toast`);
    const { space } = await agent.step(/"Go"/);
    expect(firstName()).toBe('Saved');
    expect(space?.pending.timers).toHaveLength(1);
  });

  it('waits for a timer whatever its code says, after a first effect too', async () => {
    await agent.observe(`${pages.url}/minified`);
    await agent.step(/"Go"/);
    expect(firstName()).toBe('Checked');
  });

  it('waits for a timer though earlier ones of the same element had no effect', async () => {
    await agent.observe(`${pages.url}/statistics`);
    for (let press = 1; press <= 6; press++) await agent.step(/"Go"/);
    expect(firstName()).toBe('late');
  });

  it.each(['One', 'Chain'])('waits for timers until wait_ms: %s', async name => {
    await agent.observe(`${pages.url}/later`);
    const { space } = await agent.step(new RegExp(`"${name}"`), null, { waitMs: 20_000 });
    expect(firstName()).toBe('late');
    expect(space?.pending.timers).toEqual([]);
  });
});

it('What a transition or a load starts at its end is no work of the step if others have begun it', async () => {
  await agent.observe(`${pages.url}/running`);
  const { space } = await agent.step(/"Go"/);
  expect(firstName()).toBe('over');
  expect(space?.pending.timers).toEqual([]);
});
