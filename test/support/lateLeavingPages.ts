/** Pages whose late effects come from documents that are left, from new documents that their scripts fill, and from news on channels that stood before. */
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { click, go, type LatePage, page, type } from './latePage.ts';
import type { Page } from './servePages.ts';

const inMessages = (each: LatePage): LatePage => ({ ...each, inMessages: true });
/** A page with a link "Go". */
const link = (name: string, href: string): LatePage => ({
  ...click(name, ''),
  html: page(`<a href="${href}">Go</a>`, ''),
});
const OTHER = `'http://localhost:' + location.port + '/elsewhere'`;

export const LATE_LEAVING_PAGES: readonly LatePage[] = [
  // What a page says just before it is left.
  ...[0, 200, 500].map(ms =>
    inMessages(
      click(
        `text ${ms} before a navigation`,
        `$('out').textContent = 'Result: saved'; setTimeout(() => location.assign('/elsewhere'), ${ms})`,
      ),
    ),
  ),
  inMessages(
    click(
      'text before a navigation at once',
      `$('out').textContent = 'Result'; location.assign('/elsewhere')`,
    ),
  ),
  inMessages(
    click(
      'status 300 before a navigation to another site',
      `$('out').innerHTML = '<p role="status">Result: saved</p>'; setTimeout(() => location.assign(${OTHER}), 300)`,
    ),
  ),
  inMessages(
    click(
      'toast after fetch 400, and the page again after 300',
      `await api(400); const t = document.createElement('div'); t.className = 'toast'; t.textContent = 'Result: saved'; document.body.append(t); setTimeout(() => location.reload(), 300)`,
    ),
  ),
  inMessages({
    ...click('text of a form that is sent', ''),
    html: page(
      '<form action="/elsewhere" id="f"><button>Go</button></form>',
      `$('f').onsubmit = () => { $('out').textContent = 'Result: sending' }`,
    ),
  }),
  // New documents that their scripts fill, or leave.
  ...[900, 1_800].map(ms => link(`new document filled after ${ms}`, `/unfilled?ms=${ms}`)),
  link('empty main part beside a menu filled after 900', '/unfilled-main'),
  link('empty list filled by a fetch after 500', '/unfilled-list'),
  link('new document that its script leaves after 800', '/leaving'),
  link('"Thank you" that its script leaves after 1500', '/thanks'),
  link('element of its own filled by a module after 1200', '/own-element'),
  link('form that sends itself', '/sending-itself'),
  {
    ...click('signing in over three pages', ''),
    html: page('<form action="/signing-in" method="post"><button>Go</button></form>', ''),
  },
  link('parts of a page after 900 and 1800', '/in-two-parts'),
  // News on channels that stood before.
  click(
    'message of a socket 1300 after a post',
    `await fetch('/socket-push?k=' + location.pathname, { method: 'POST' })`,
    `${go}<script>new WebSocket('ws://' + location.host + '/socket?k=' + location.pathname).onmessage = () => show('Result')</script>`,
  ),
  click(
    'news in a response that a script reads 900 after a post',
    `await fetch('/open-push?k=' + location.pathname, { method: 'POST' })`,
    `${go}<script>addEventListener('load', async () => { const r = (await fetch('/open?k=' + location.pathname)).body.getReader(); const d = new TextDecoder();
     for (;;) { const { value, done } = await r.read(); if (done) break; if (d.decode(value).includes('news')) show('Result') } })</script>`,
  ),
  click(
    'socket that acknowledges after 1100 what is shown already',
    `const p = document.createElement('p'); p.textContent = 'Hello (not sent yet)'; $('out').append(p); s.onmessage = () => { p.textContent = 'Hello'; show('Result') }; s.send('{"ms":1100}')`,
    `${go}<script>const s = new WebSocket('ws://' + location.host + '/socket')</script>`,
  ),
  click(
    'fetch 1200 of a path that the page asks every 20',
    `await api(1200); show('Result')`,
    `${go}<script>addEventListener('load', () => setInterval(() => api(2, '&t=' + Math.random()), 20))</script>`,
  ),
  // Flows of applications.
  click(
    'job that is asked for every 800, "Queued"',
    `const k = Math.random(); $('out').innerHTML = '<p>Queued</p>'; const ask = async () => (await (await fetch('/job?n=3&k=' + k)).json()).done ? put('Result') : setTimeout(ask, 800); ask()`,
  ),
  click(
    'countdown of 2 before a navigation',
    `let n = 2; $('out').textContent = 'Redirecting in 2…'; const t = setInterval(() => { if (--n > 0) $('out').textContent = 'Redirecting in ' + n + '…'; else { clearInterval(t); location.href = '/result' } }, 1000)`,
  ),
  inMessages({
    ...click('toast in the document around a frame after 700', ''),
    html: page(
      `<iframe srcdoc="<button onclick='setTimeout(() => parent.say(), 700)'>Go</button>"></iframe>`,
      `window.say = () => { const d = document.createElement('div'); d.className = 'toast'; d.textContent = 'Result saved'; document.body.append(d) }`,
    ),
  }),
  inMessages(
    click(
      'toast in a popover after 600',
      `await sleep(600); $('p').textContent = 'Result saved'; $('p').showPopover()`,
      `${go}<div popover="manual" id="p"></div>`,
    ),
  ),
  inMessages({
    ...click('validation by the server after 2500', ''),
    html: page(
      '<form id="f"><label>Mail <input id="m"></label><button>Go</button><p id="e"></p></form>',
      `$('f').onsubmit = async e => { e.preventDefault(); await api(2500); $('m').setAttribute('aria-invalid', 'true'); $('e').textContent = 'Result: taken' }`,
    ),
  }),
  type(
    'suggestions whose earlier requests are given up',
    `let c; $('q').oninput = async () => { c?.abort(); c = new AbortController(); try { await fetch('/api?ms=700&q=' + $('q').value, { signal: c.signal }); put('Result') } catch {} }`,
  ),
  click(
    'body that a router replaces after fetch 900',
    `const h = await (await fetch('/fragment')).text(); history.pushState({}, '', '/fragment'); await new Promise(requestAnimationFrame);
     document.body.replaceWith(new DOMParser().parseFromString(h, 'text/html').body)`,
  ),
  inMessages(
    click(
      'row that moves away for 900 and is gone, then a status',
      `$('r').classList.add('away'); $('r').onanimationend = () => { $('r').remove(); $('s').textContent = 'Result: deleted' }`,
      `<style>@keyframes away { to { transform: translateX(500px) } } .away { animation: away .9s forwards }</style><p id="r">Row</p>${go}<p id="s" role="status"></p>`,
    ),
  ),
];

const HTML = { 'content-type': 'text/html', 'cache-control': 'no-store' };
const after =
  (ms: number, html: string): Page =>
  (_, response) => {
    setTimeout(() => response.writeHead(200, HTML).end(html), ms);
  };
const parameter = (url: string | undefined, name: string): string =>
  new URL(url ?? '', 'http://x').searchParams.get(name) ?? '';
/** The open responses and sockets of the pages, by their paths. */
const channels = new Map<string, (news: string) => void>();
const push =
  (ms: number): Page =>
  ({ url }, response) => {
    response.writeHead(202).end();
    setTimeout(() => channels.get(parameter(url, 'k'))?.('news'), ms);
  };
const asked = new Map<string, number>();
const unfilled = (ms: number, html: string): string =>
  `<!doctype html><title>Orders</title>${html}<script>setTimeout(() => { document.getElementById('m').innerHTML = '<button>Result</button>' }, ${ms})</script>`;

/** Keeps the socket of a page, so that a post of the page brings it news. */
export function keepLateSocket(socket: WebSocket, query: string): void {
  const key = parameter(query, 'k');
  if (key !== '') channels.set(key, news => socket.send(news));
}

/** Handlers of the paths that these pages request. */
export const LATE_LEAVING_PATHS: Readonly<Record<string, Page>> = {
  '/elsewhere': '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1><button>On</button>',
  '/unfilled': ({ url }, response) => {
    response
      .writeHead(200, HTML)
      .end(unfilled(Number(parameter(url, 'ms')), '<h1>Orders</h1><div id="m"></div>'));
  },
  '/unfilled-main': unfilled(900, '<nav><a href="/">Home</a></nav><main id="m"><h1>Orders</h1></main>'),
  '/unfilled-list': `<!doctype html><title>Orders</title><h1>Orders</h1><ul id="m"></ul><script>setTimeout(() => fetch('/api?ms=500').then(() => { m.innerHTML = '<li><button>Result</button></li>' }), 500)</script>`,
  '/leaving': `<!doctype html><title>Leaving</title><p>You are being redirected.</p><script>setTimeout(() => location.replace('/result'), 800)</script>`,
  '/thanks': `<!doctype html><title>Thanks</title><h1>Thank you</h1><p>Your order is on its way.</p><script>setTimeout(() => location.replace('/result'), 1500)</script>`,
  '/own-element': `<!doctype html><title>App</title><my-app></my-app><script type="module">setTimeout(() => { document.querySelector('my-app').innerHTML = '<button>Result</button>' }, 1200)</script>`,
  '/sending-itself': `<!doctype html><body onload="setTimeout(() => document.forms[0].submit(), 50)"><form method="post" action="/sent"><input type="hidden" name="a" value="1"></form>`,
  '/sent': after(500, '<!doctype html><button>Result</button>'),
  '/signing-in': (_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/signing-in-2' }).end(), 300);
  },
  '/signing-in-2': `<!doctype html><title>Wait</title><p>Signing you in</p><script>setTimeout(() => location.replace('/signing-in-3'), 300)</script>`,
  '/signing-in-3': '<!doctype html><meta http-equiv="refresh" content="0;url=/sent"><p>One moment</p>',
  '/in-two-parts': (_, response) => {
    response.writeHead(200, HTML);
    response.write(
      `<!doctype html><title>Shop</title><h1>Shop</h1><div id="a"><p>…</p></div><div id="b"></div>${' '.repeat(2_000)}`,
    );
    setTimeout(() => response.write('<p>Part</p>'), 900);
    setTimeout(
      () =>
        response.end(
          '<template id="t"><button>Result</button></template><script>b.replaceChildren(t.content)</script>',
        ),
      1_800,
    );
  },
  '/socket-push': push(1_300),
  '/open': ({ url }, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"open":1}\n');
    channels.set(parameter(url, 'k'), news => response.write(`{"${news}":1}\n`));
  },
  '/open-push': push(900),
  '/job': ({ url }, response) => {
    const key = parameter(url, 'k');
    asked.set(key, (asked.get(key) ?? 0) + 1);
    response.end(JSON.stringify({ done: (asked.get(key) ?? 0) >= Number(parameter(url, 'n')) }));
  },
  '/fragment': after(900, '<!doctype html><body><button>Result</button></body>'),
};
