/** Pages whose late effects come by further ways of browsers: channels, schedulers, observers, uploads, modules, transitions, streams, files. */
import { click, go, type LatePage, page, type } from './latePage.ts';
import type { Page } from './servePages.ts';

const inMessages = (each: LatePage): LatePage => ({ ...each, inMessages: true });
const ON_LOAD = (script: string): string => `<script>addEventListener('load', () => { ${script} })</script>`;
const link = (name: string, href: string): LatePage => ({
  ...click(name, ''),
  html: page(`<a href="${href}">Go</a>`, ''),
});

export const LATE_KIND_PAGES: readonly LatePage[] = [
  click(
    'end of a transition of 700, then 500',
    `$('p').style.opacity = 0; $('p').addEventListener('transitionend', () => setTimeout(() => show('Result'), 500))`,
    `${go}<p id="p" style="transition:opacity .7s">Text</p>`,
  ),
  click(
    'picture that is loaded ahead, then 300',
    `const i = new Image(); i.onload = () => setTimeout(() => show('Result'), 300); i.src = '/kind-image?' + Math.random()`,
  ),
  click(
    'script that is added, and what it calls after 300',
    `window.loaded = () => setTimeout(() => show('Result'), 300); const s = document.createElement('script'); s.src = '/kind-script'; document.head.append(s)`,
  ),
  click(
    'frame that gets another address, then 500',
    `$('f').onload = () => setTimeout(() => show('Result'), 500); $('f').src = '/kind-posting'`,
    `${go}<iframe id="f" style="width:99px;height:20px"></iframe>`,
  ),
  click(
    'file of the site that is written, then 300',
    `const folder = await navigator.storage.getDirectory(); const file = await folder.getFileHandle('a', { create: true });
     const w = await file.createWritable(); await w.write('x'); await w.close(); setTimeout(() => show('Result'), 300)`,
  ),
  click(
    'step back through the history, then 500',
    `onpopstate = () => setTimeout(() => show('Result'), 500); history.pushState({}, '', '#a'); history.back()`,
  ),
  click(
    'refresh that the step sets, 1000',
    `const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '1;url=/result'; document.head.append(m)`,
  ),
  click(
    'tasks of the scheduler, one after the other, 250 each',
    `for (const n of [1, 2, 3, 4]) await scheduler.postTask(() => n, { delay: 250 }); show('Result')`,
  ),
  click(
    'row of messages of a channel, each after 60 of work',
    `const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => { const e = performance.now() + 60; while (performance.now() < e); if (++n < 12) c.port2.postMessage(n); else show('Result') }; c.port2.postMessage(n)`,
  ),
  click(
    'picture that an observer loads when it comes into view, 600',
    `$('more').scrollIntoView({ behavior: 'smooth' })`,
    `${go}<div style="height:2500px"></div><img id="more" data-src="/kind-image" width="9" height="9">${ON_LOAD(`const i = document.getElementById('more');
     new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); i.onload = () => show('Result'); i.src = i.dataset.src + '?' + Math.random() } }).observe(i)`)}`,
  ),
  click(
    'upload by XMLHttpRequest with progress for 900',
    `const x = new XMLHttpRequest(); x.open('POST', '/api?ms=900'); x.upload.onprogress = () => { $('out').textContent = 'Sent' }; x.onloadend = () => show('Result'); x.send(new Blob(['x'.repeat(99999)]))`,
  ),
  click(
    'end of an animation of 200 after a delay of 500, then 700',
    `$('p').className = 'on'; $('p').onanimationend = () => setTimeout(() => show('Result'), 700)`,
    `${go}<style>@keyframes fade { from { opacity: 0 } } .on { animation: fade .2s .5s both }</style><p id="p">Text</p>`,
  ),
  click(
    'three rows that rise one after the other, then 600',
    `let n = 0; $('p').className = 'on'; $('p').onanimationend = () => { if (++n === 3) setTimeout(() => show('Result'), 600) }`,
    `${go}<style>@keyframes rise { from { translate: 0 9px } } .on li { animation: rise .2s both } .on li:nth-child(2) { animation-delay: .15s } .on li:nth-child(3) { animation-delay: .3s }</style><ul id="p"><li>1<li>2<li>3</ul>`,
  ),
  click(
    'three transitions, one after the other, 350 each',
    `let n = 0; const turn = () => { $('p').style.width = (100 + 50 * ++n) + 'px' }; $('p').ontransitionend = () => n < 3 ? turn() : show('Result'); turn()`,
    `${go}<div id="p" style="height:9px;width:100px;background:#ccc;transition:width .35s"></div>`,
  ),
  click(
    'view transition, then 500',
    `const t = document.startViewTransition(() => { $('p').textContent = 'Second' }); await t.finished; await sleep(500); show('Result')`,
    `${go}<p id="p">First</p>`,
  ),
  click(
    'promise of a dynamic stylesheet of 800',
    `const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = '/kind-style?' + Math.random(); l.onload = () => show('Result'); document.head.append(l)`,
  ),
  click(
    'frame by srcdoc whose load event shows it, 700 inside',
    `const f = document.createElement('iframe'); f.onload = () => show('Result'); f.srcdoc = '<img src="/kind-image?' + Math.random() + '">'; f.style.display = 'none'; document.body.append(f)`,
  ),
  click(
    'hidden frame of another origin that posts after 700',
    `const f = document.createElement('iframe'); f.style.display = 'none'; f.src = 'http://localhost:' + location.port + '/kind-posting'; addEventListener('message', () => show('Result')); document.body.append(f)`,
  ),
  inMessages(
    type(
      'field that is checked 700 after the last key, fetch 500',
      `$('q').oninput = debounce(async () => { $('s').textContent = 'Checking'; await api(500); $('s').textContent = 'Result: free' }, 700)`,
      '<input id="q" aria-label="Search"><p id="s" role="status"></p>',
    ),
  ),
  inMessages(
    click(
      'item that is shown at once and confirmed after 1300',
      `const i = document.createElement('p'); i.textContent = 'New item'; $('out').append(i); await api(1300); i.textContent = 'Result: New item saved'`,
    ),
  ),
  click(
    'skeletons that are replaced one after the other, 500 each',
    `$('out').innerHTML = '<div class="skeleton"></div>'.repeat(3); for (const s of [...document.querySelectorAll('.skeleton')]) { await sleep(500); s.outerHTML = '<p>Row</p>' } show('Result')`,
  ),
  click(
    'fonts that are ready after 900',
    `const f = new FontFace('Kind', 'url(/kind-font?' + Math.random() + ')'); document.fonts.add(f); $('p').style.fontFamily = 'Kind'; f.load().catch(() => {}); await document.fonts.ready; show('Result')`,
    `${go}<p id="p">Text</p>`,
  ),
  click(
    'dialog that is closed, its close event and fetch 600',
    `$('d').showModal(); $('d').onclose = async () => { await api(600); show('Result') }; setTimeout(() => $('d').close(), 200)`,
    `${go}<dialog id="d">Wait</dialog>`,
  ),
  click(
    'observer of sizes of a part that is shown, fetch 500',
    `$('p').hidden = false`,
    `${go}<div id="p" hidden style="height:40px">Chart</div>${ON_LOAD(`let done = false; new ResizeObserver(async ([e]) => { if (e.contentRect.height > 0 && !done) { done = true; await api(500); show('Result') } }).observe(document.getElementById('p'))`)}`,
  ),
  click(
    'countdown by an interval of 500, three ticks',
    `let n = 3; $('out').textContent = 'In ' + n; const t = setInterval(() => { if (--n === 0) { clearInterval(t); put('Result') } else $('out').textContent = 'In ' + n }, 500)`,
  ),
  click(
    'asynchronous loop over a response, 200 each',
    `const r = await fetch('/kind-parts'); let n = 0; for await (const _ of r.body) $('out').textContent = ++n + ' parts'; put('Result')`,
  ),
  click(
    'stream of its own, 250 each',
    `const s = new ReadableStream({ async pull(c) { await sleep(250); this.n = (this.n ?? 0) + 1; this.n < 5 ? c.enqueue(this.n) : c.close() } }); for await (const n of s) $('out').textContent = n; put('Result')`,
  ),
  click(
    'file of the page that is read, then 600',
    `const r = new FileReader(); r.onload = () => setTimeout(() => show('Result'), 600); r.readAsText(new Blob(['text']))`,
  ),
  click(
    'record of a database that is written and read, then fetch 400',
    `const r = indexedDB.open('kind' + Math.random(), 1); r.onupgradeneeded = () => r.result.createObjectStore('s');
     r.onsuccess = () => { const s = r.result.transaction('s', 'readwrite').objectStore('s'); s.put(1, 1).onsuccess = () => { s.get(1).onsuccess = async () => { await api(400); show('Result') } } }`,
  ),
  click(
    'worker that is a module and answers twice, 400 each',
    `const w = new Worker('/kind-worker', { type: 'module' }); w.onmessage = ({ data }) => { if (data === 'ready') w.postMessage({ ask: 1 }); else show('Result') }`,
  ),
  click(
    'broadcast that another frame answers after 700',
    `const b = new BroadcastChannel('kind'); b.onmessage = ({ data }) => { if (data === 'answer') show('Result') }; b.postMessage('ask')`,
    `${go}<iframe src="/kind-broadcast" hidden></iframe>`,
  ),
  click(
    'port of a worker through a channel, 800',
    `const c = new MessageChannel(); c.port1.onmessage = () => show('Result'); w.postMessage({ ask: 1 }, [c.port2])`,
    `${go}<script>const w = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ ports: [p] }) => setTimeout(() => p.postMessage(1), 800)'])))</script>`,
  ),
  click(
    'smooth scrolling to the end, then the end of scrolling',
    `addEventListener('scrollend', () => show('Result'), { once: true }); scrollTo({ top: 1500, behavior: 'smooth' })`,
    `${go}<div style="height:3000px"></div>`,
  ),
  click(
    'video of a canvas that plays for 800',
    `const v = document.createElement('video'); v.muted = true; const c = document.createElement('canvas'); c.getContext('2d').fillRect(0, 0, 9, 9); v.srcObject = c.captureStream(10); v.onplaying = () => setTimeout(() => show('Result'), 500); v.play(); $('out').append(v)`,
  ),
  click(
    'text that is written letter by letter, 40 each',
    `for (const l of 'This is the whole answer to the question') { $('out').append(l); await sleep(40) } show('Result')`,
  ),
  click(
    'fetch that is aborted and asked again, 300 and 900',
    `const a = new AbortController(); setTimeout(() => a.abort(), 300); try { await fetch('/api?ms=3000', { signal: a.signal }) } catch { await api(900, '&again'); show('Result') }`,
  ),
  click(
    'undo for 1000, then the request of 400',
    `$('out').innerHTML = '<p>Deleted. <button>Undo</button></p>'; await sleep(1000); await api(400); put('Result')`,
  ),
  click(
    'custom event after a timer of 300, whose listener fetches 500',
    `setTimeout(() => document.dispatchEvent(new CustomEvent('kind')), 300)`,
    `${go}<script>document.addEventListener('kind', async () => { await api(500); show('Result') })</script>`,
  ),
  click(
    'wait for a promise that an interval of 300 fulfils',
    `window.ready = false; setTimeout(() => { ready = true }, 900); await new Promise(r => { const t = setInterval(() => { if (ready) { clearInterval(t); r() } }, 300) }); show('Result')`,
  ),
  link('new document whose database is read before it shows anything', '/kind-database'),
  link('new document that waits for idle time, then 700', '/kind-idle'),
  link('new document of one sentence that a worker fills after 1100', '/kind-boot'),
  link('new document that shows nothing but animation frames for 1300', '/kind-frames'),
];

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const after =
  (ms: number, type: string, body: string | Buffer): Page =>
  (_, response) => {
    setTimeout(
      () => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      ms,
    );
  };
const filled = (text: string, script: string): string =>
  `<!doctype html><title>Application</title><body><div id="root">${text}</div><script>const fill = () => { root.innerHTML = '<button>Result</button>' }; ${script}</script>`;

/** Handlers of the paths that these pages request. */
export const LATE_KIND_PATHS: Readonly<Record<string, Page>> = {
  '/kind-image': after(600, 'image/png', PIXEL),
  '/kind-script': after(500, 'text/javascript', 'loaded()'),
  '/kind-style': after(800, 'text/css', 'p { color: red }'),
  '/kind-font': after(900, 'font/woff2', 'no font'),
  '/kind-posting': `<!doctype html><script>setTimeout(() => parent.postMessage(1, '*'), 700)</script>`,
  '/kind-parts': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (const n of [1, 2, 3, 4, 5, 6])
      setTimeout(() => (n === 6 ? response.end('.') : response.write('part ')), n * 200);
  },
  '/kind-worker': after(
    0,
    'text/javascript',
    `setTimeout(() => postMessage('ready'), 400); onmessage = () => setTimeout(() => postMessage('answer'), 400)`,
  ),
  '/kind-broadcast': `<!doctype html><script>const b = new BroadcastChannel('kind'); b.onmessage = ({ data }) => { if (data === 'ask') setTimeout(() => b.postMessage('answer'), 700) }</script>`,
  '/kind-database': filled(
    '',
    `const r = indexedDB.open('kind' + Math.random(), 1); r.onupgradeneeded = () => r.result.createObjectStore('s');
     r.onsuccess = () => { r.result.transaction('s').objectStore('s').getAll().onsuccess = () => setTimeout(fill, 600) }`,
  ),
  '/kind-idle': filled('One moment', `requestIdleCallback(() => setTimeout(fill, 700))`),
  '/kind-boot': filled(
    'We prepare your page.',
    `new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 1100)']))).onmessage = fill`,
  ),
  '/kind-frames': filled(
    '',
    `const f = () => performance.now() < 1300 ? requestAnimationFrame(f) : fill(); f()`,
  ),
};
