/** Pages whose late effects come from sources other than timers and requests of their own: streams, frames, observers, databases. */
import { click, go, type LatePage, page, type } from './latePage.ts';
import type { Page } from './servePages.ts';

const inMessages = (each: LatePage): LatePage => ({ ...each, inMessages: true });
const TICKER =
  '<p id="tick"></p><script>let ticks = 0; (function tick() { document.getElementById("tick").textContent = ticks++; setTimeout(tick, 500) })()</script>';

export const LATE_SOURCE_PAGES: readonly LatePage[] = [
  click(
    'progress on an event stream for 1500',
    `const s = new EventSource('/progress'); s.onmessage = ({ data }) => { if (data === 'done') { s.close(); put('Result') } else $('out').textContent = data + ' %' }`,
  ),
  click(
    'news on an event stream 1500 after a post',
    `await fetch('/push?k=' + location.pathname, { method: 'POST' })`,
    `${go}<script>new EventSource('/news?k=' + location.pathname).onmessage = () => show('Result')</script>`,
  ),
  click(
    'transaction of a database, then 1200',
    `const r = indexedDB.open('late' + Math.random(), 1); r.onupgradeneeded = () => r.result.createObjectStore('s');
     r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); t.objectStore('s').put('x', 1); t.oncomplete = () => setTimeout(() => show('Result'), 1200) }`,
  ),
  click(
    'cursor of a database over 150 records',
    `const r = indexedDB.open('late' + Math.random(), 1); r.onupgradeneeded = () => r.result.createObjectStore('s', { autoIncrement: true });
     r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); for (let n = 0; n < 150; n++) t.objectStore('s').put('x'.repeat(99));
       t.oncomplete = () => { r.result.transaction('s').objectStore('s').openCursor().onsuccess = e => { const c = e.target.result; if (c) c.continue(); else show('Result') } } }`,
  ),
  click(
    'progress of a worker for 1400',
    `const w = new Worker(URL.createObjectURL(new Blob(['onmessage = async () => { for (const part of ["Part 1", "Part 2", "Part 3", "Result"]) { await new Promise(r => setTimeout(r, 350)); postMessage(part) } }'])));
     w.onmessage = ({ data }) => put(data); w.postMessage(1)`,
  ),
  click(
    'boxes that pulse for 1700',
    `$('out').innerHTML = '<div class="animate-pulse" style="height:20px;background:#ccc"></div>'; const end = performance.now() + 1700;
     const f = () => performance.now() < end ? requestAnimationFrame(f) : put('Result'); f()`,
    `${go}<style>.animate-pulse { animation: turn 2s infinite }</style>`,
  ),
  {
    ...click('broadcast of a frame, then 700', ''),
    html: page(
      `<iframe srcdoc="<button onclick='new BroadcastChannel(\`late\`).postMessage(1)'>Go</button>"></iframe>`,
      `new BroadcastChannel('late').onmessage = () => setTimeout(() => show('Result'), 700)`,
    ),
  },
  click(
    'work in parts for 1200',
    `const c = new MessageChannel(); const end = performance.now() + 1200;
     c.port1.onmessage = () => { const e = performance.now() + 5; while (performance.now() < e); if (performance.now() < end) c.port2.postMessage(null); else show('Result') };
     c.port2.postMessage(null)`,
  ),
  click(
    'observer of sizes, then 1200',
    `$('box').style.width = '200px'`,
    `${go}<div id="box" style="width:100px;height:20px;transition:width .2s"></div><script>addEventListener('load', () => new ResizeObserver((_, o) => {
     if (document.getElementById('box').offsetWidth > 190) { o.disconnect(); setTimeout(() => show('Result'), 1200) } }).observe(document.getElementById('box')))</script>`,
  ),
  click(
    'part whose observer loads it, 300 and fetch 400',
    `$('more').hidden = false`,
    `${go}<div id="more" hidden>More</div><script>addEventListener('load', () => new IntersectionObserver(async ([e], o) => {
     if (e.isIntersecting) { o.disconnect(); await sleep(300); await api(400); show('Result') } }).observe(document.getElementById('more')))</script>`,
  ),
  click(
    'smooth scrolling, then 300 of an observer',
    `$('far').scrollIntoView({ behavior: 'smooth' })`,
    `${go}<div style="height:3000px"></div><i id="far">far</i><script>addEventListener('load', () => new IntersectionObserver(([e], o) => {
     if (e.isIntersecting) { o.disconnect(); setTimeout(() => show('Result'), 300) } }).observe(document.getElementById('far')))</script>`,
  ),
  click(
    'dialog that closes for 1300',
    `$('d').classList.add('out'); $('d').onanimationend = () => { $('d').close(); show('Result') }`,
    `<style>@keyframes out { to { opacity: 0 } } .out { animation: out 1.3s forwards }</style><dialog id="d" open>Sure? <button id="go">Go</button></dialog>`,
  ),
  {
    ...click('panel that fades in for 1300', ''),
    html: page(
      '<style>#p { visibility: hidden; opacity: 0; transition: opacity 1.3s, visibility 0s 1.3s } #p:target { visibility: visible; opacity: 1 }</style><a href="#p">Go</a><div id="p"><button>Result</button></div>',
      '',
    ),
  },
  click(
    'answer of a frame after 1300',
    `$('f').contentWindow.postMessage('ask', '*')`,
    `${go}<iframe id="f" src="/answering" style="width:9px;height:9px"></iframe><script>onmessage = ({ data }) => data === 'answer' && show('Result')</script>`,
  ),
  click(
    'timer 1300 of the window of a frame',
    `$('f').contentWindow.setTimeout(() => show('Result'), 1300)`,
    `${go}<iframe id="f" hidden></iframe>`,
  ),
  click(
    'sound that loads',
    `const a = document.createElement('audio'); a.onloadedmetadata = () => show('Result'); a.src = '/sound'; $('out').append(a)`,
  ),
  click(
    'font that loads',
    `const f = new FontFace('Late', 'url(/font)'); f.load().then(() => show('Result'), () => show('Result'))`,
  ),
  click(
    'part of the program that loads',
    `history.pushState({}, '', '/part'); const m = await import('/chunk?' + Math.random()); m.show()`,
    `${go}<script>window.showResult = () => show('Result')</script>`,
  ),
  click(
    'element that is defined later',
    `$('out').innerHTML = '<late-box></late-box>'; const s = document.createElement('script'); s.src = '/component'; document.head.append(s)`,
  ),
  click(
    'form sent into a hidden frame',
    `$('form').submit()`,
    `<form id="form" method="post" action="/posted" target="hid"><input name="a" value="1"><button type="button" id="go">Go</button></form><iframe name="hid" hidden></iframe><script>window.posted = () => show('Result')</script>`,
  ),
  click(
    'second try 900 after 503',
    `let n = 0; const ask = async () => { const r = await fetch('/flaky?' + n++); if (r.ok) show('Result'); else setTimeout(ask, 900) }; ask()`,
  ),
  inMessages(
    click(
      'item taken back, with a toast, after a failed request',
      `const i = document.createElement('p'); i.textContent = 'New item'; $('out').append(i); const r = await fetch('/refused'); if (!r.ok) { i.remove();
       const t = document.createElement('div'); t.style.position = 'fixed'; t.textContent = 'Result: not saved'; document.body.append(t) }`,
    ),
  ),
  inMessages(
    click(
      'toast in a closed shadow root after 700',
      `setTimeout(() => toasts.add('Result saved'), 700)`,
      `${go}<toast-box></toast-box><script>customElements.define('toast-box', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({ mode: 'closed' });
       window.toasts = { add: text => { const d = document.createElement('div'); d.textContent = text; d.style.position = 'fixed'; r.append(d) } } } })</script>`,
    ),
  ),
  click('timer 900 beside a clock', `setTimeout(() => show('Result'), 900)`, `${go}${TICKER}`),
  click('fetch 800 beside a clock', `await api(800); show('Result')`, `${go}${TICKER}`),
  type(
    'two debounces of 300 and 900',
    `const inner = debounce(() => put('Result'), 900); $('q').oninput = debounce(() => inner(), 300)`,
  ),
];

const after =
  (ms: number, type: string, body: string | Buffer, status = 200): Page =>
  (_, response) => {
    setTimeout(
      () => response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      ms,
    );
  };

/** 0.1 s of silence, 8,000 samples of one byte a second. */
function silence(): Buffer {
  const bytes = Buffer.alloc(844, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(836, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    bytes.writeUInt16LE(value, at);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(8_000, 28);
  bytes.write('data', 36);
  bytes.writeUInt32LE(800, 40);
  return bytes;
}

const STREAM = { 'content-type': 'text/event-stream' };
/** Sends the news of each page, by its path. */
const readers = new Map<string, () => void>();
const keyOf = (url = ''): string => new URL(url, 'http://x').searchParams.get('k') ?? '';

/** Handlers of the paths that these pages request. */
export const LATE_SOURCE_PATHS: Readonly<Record<string, Page>> = {
  '/progress': (_, response) => {
    response.writeHead(200, STREAM);
    for (const n of [1, 2, 3, 4, 5])
      setTimeout(() => response.write(`data: ${n === 5 ? 'done' : n * 20}\n\n`), n * 300);
  },
  '/news': ({ url }, response) => {
    response.writeHead(200, STREAM).write(': open\n\n');
    readers.set(keyOf(url), () => response.write('data: 1\n\n'));
  },
  '/push': ({ url }, response) => {
    response.writeHead(202).end();
    setTimeout(() => readers.get(keyOf(url))?.(), 1_500);
  },
  '/answering': `<!doctype html><p>f</p><script>onmessage = () => setTimeout(() => parent.postMessage('answer', '*'), 1300)</script>`,
  '/sound': after(1_200, 'audio/wav', silence()),
  '/font': after(1_200, 'font/woff2', 'no font'),
  '/chunk': after(700, 'text/javascript', 'export const show = () => window.showResult()'),
  '/component': after(
    600,
    'text/javascript',
    `customElements.define('late-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button>Result</button>' } })`,
  ),
  '/posted': after(800, 'text/html', '<!doctype html><script>parent.posted()</script>'),
  '/flaky': ({ url }, response) => {
    response.writeHead(url?.endsWith('?0') ? 503 : 200).end('{}');
  },
  '/refused': after(600, 'application/json', '{}', 500),
};
