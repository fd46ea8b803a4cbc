/** Pages whose steps have a late effect: what a first answer must show, for the bench and the tests. */
import { LATE_EVIDENCE_PAGES, LATE_EVIDENCE_PATHS } from './lateEvidencePages.ts';
import { LATE_FLOW_PAGES } from './lateFlowPages.ts';
import { LATE_KIND_PAGES, LATE_KIND_PATHS } from './lateKindPages.ts';
import { LATE_LEAVING_PAGES, LATE_LEAVING_PATHS } from './lateLeavingPages.ts';
import { LATE_MESSAGE_PAGES } from './lateMessagePages.ts';
import { LATE_MESSAGE_PATHS } from './lateMessagePaths.ts';
import { click, go, hover, type LatePage, page, type } from './latePage.ts';
import { LATE_SOURCE_PAGES, LATE_SOURCE_PATHS } from './lateSourcePages.ts';
import type { Page } from './servePages.ts';

export const LATE_PAGES: readonly LatePage[] = [
  ...[100, 300, 500, 800, 1_200, 2_000, 3_000].map(ms =>
    click(`timer ${ms}`, `setTimeout(() => show('Result'), ${ms})`),
  ),
  ...[200, 600, 1_500, 2_400, 3_000].map(ms => click(`fetch ${ms}`, `await api(${ms}); show('Result')`)),
  click(
    'XMLHttpRequest 900',
    `const x = new XMLHttpRequest(); x.open('GET', '/api?ms=900'); x.onload = () => show('Result'); x.send()`,
  ),
  click('timer 300, fetch 500', `setTimeout(async () => { await api(500); show('Result') }, 300)`),
  click('fetch 300, timer 400', `await api(300); setTimeout(() => show('Result'), 400)`),
  click(
    'timer 200, timer 300, timer 400',
    `await sleep(200); await sleep(300); await sleep(400); show('Result')`,
  ),
  click('fetch 300 three times', `for (let n = 0; n < 3; n++) await api(300, '&n=' + n); show('Result')`),
  click(
    'fetch 400, fetch 800, timer 200',
    `await api(400); await api(800); await sleep(200); show('Result')`,
  ),
  click('two fetches at once', `await Promise.all([api(300), api(1200)]); show('Result')`),
  click('fetch 2600, then again', `await api(2600); show('Result')`),
  click('timer by promise 700', `await sleep(700); show('Result')`),
  click(
    'interval of 200, five ticks',
    `let n = 0; const t = setInterval(() => { if (++n === 5) { clearInterval(t); show('Result') } }, 200)`,
  ),
  click(
    'poll by timers of 250 until done',
    `let n = 0; const ask = async () => { await api(50, '&n=' + n); if (++n < 4) setTimeout(ask, 250); else show('Result') }; ask()`,
  ),
  click(
    'animation frames for 400',
    `const end = performance.now() + 400; const f = () => performance.now() < end ? requestAnimationFrame(f) : show('Result'); f()`,
  ),
  click(
    'microtasks, then 150',
    `await Promise.resolve(); queueMicrotask(() => setTimeout(() => show('Result'), 150))`,
  ),
  click(
    'message channel, then 250',
    `const c = new MessageChannel(); c.port1.onmessage = () => setTimeout(() => show('Result'), 250); c.port2.postMessage(0)`,
  ),
  click(
    '"Loading…" for 700',
    `put('Loading…'); const p = document.createElement('p'); p.textContent = 'Loading…'; $('out').append(p); setTimeout(() => put('Result'), 700)`,
  ),
  click(
    '"Saving…" in the button for 1200',
    `$('go').textContent = 'Saving…'; await sleep(1200); $('go').textContent = 'Save'; show('Result')`,
  ),
  click(
    '"Please wait" for 2500',
    `$('out').innerHTML = '<p>Please wait</p>'; await sleep(2500); put('Result')`,
  ),
  click(
    'spinner for 900',
    `$('out').innerHTML = '<div class="spinner"></div>'; await sleep(900); put('Result')`,
  ),
  click(
    'spinner and fetch 1800',
    `$('out').innerHTML = '<div class="spinner"></div>'; await api(1800); put('Result')`,
  ),
  click(
    'skeleton for 1000',
    `$('out').innerHTML = '<div class="skeleton"></div><div class="skeleton"></div>'; await sleep(1000); put('Result')`,
  ),
  click(
    'skeleton and fetch 2000',
    `$('out').innerHTML = '<div class="skeleton"></div>'; await api(2000); put('Result')`,
  ),
  click(
    'aria-busy for 1500',
    `$('out').setAttribute('aria-busy', 'true'); $('out').textContent = 'Old rows'; await sleep(1500); $('out').removeAttribute('aria-busy'); put('Result')`,
  ),
  click(
    'progress bar by interval',
    `$('out').innerHTML = '<progress id=p max=10 value=0></progress>'; const t = setInterval(() => { if (++$('p').value >= 10) { clearInterval(t); put('Result') } }, 120)`,
  ),
  click(
    'role=progressbar for 2000',
    `$('out').innerHTML = '<div role="progressbar" aria-label="Upload" style="width:99px;height:9px;background:red"></div>'; await sleep(2000); put('Result')`,
  ),
  click(
    'toast after 400',
    `await sleep(400); const t = document.createElement('div'); t.setAttribute('role', 'status'); t.innerHTML = '<button>Result</button>'; document.body.append(t); setTimeout(() => t.remove(), 8000)`,
  ),
  click(
    'toast at once, gone after 8000',
    `const t = document.createElement('div'); t.innerHTML = '<button>Result</button>'; document.body.append(t); setTimeout(() => t.remove(), 8000)`,
  ),
  click(
    'toast after fetch 600, gone after 1500',
    `await api(600); const t = document.createElement('div'); t.innerHTML = '<button>Result</button>'; document.body.append(t); setTimeout(() => t.remove(), 1500)`,
  ),
  click('navigation by script after 500', `setTimeout(() => { location.href = '/result' }, 500)`),
  click('navigation by script after fetch 700', `await api(700); location.assign('/result')`),
  click(
    'navigation after "Redirecting" 1500',
    `$('out').textContent = 'Redirecting'; setTimeout(() => { location.href = '/result' }, 800)`,
  ),
  click(
    'route by pushState, fetch 500',
    `history.pushState({}, '', '/items'); put('Loading…'); await api(500); put('Result')`,
  ),
  click(
    'disabled button enabled after 600',
    `$('next').disabled = true; await sleep(600); $('next').disabled = false; $('next').textContent = 'Result'`,
    `${go}<button id="next">Next</button>`,
  ),
  click(
    'dialog after 350',
    `await sleep(350); const d = document.createElement('dialog'); d.innerHTML = '<button>Result</button>'; document.body.append(d); d.showModal()`,
  ),
  click(
    'expand by transition 400',
    `const d = $('panel'); d.style.height = '60px'; d.addEventListener('transitionend', () => show('Result'))`,
    `${go}<div id="panel" style="height:0;overflow:hidden;transition:height .4s"><button>Inside</button></div>`,
  ),
  click(
    'answer of a worker after 500',
    `const w = new Worker(URL.createObjectURL(new Blob(['onmessage = () => setTimeout(() => postMessage(1), 500)']))); w.onmessage = () => show('Result'); w.postMessage(0)`,
  ),
  click(
    'answers of a worker after 100 and 1400',
    `const w = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => setTimeout(() => postMessage(data), data)'])));
     w.onmessage = ({ data }) => { if (data > 1000) show('Result') }; w.postMessage(100); w.postMessage(1400)`,
  ),
  click(
    'answer of a shared worker after 600',
    `const w = new SharedWorker(URL.createObjectURL(new Blob(['onconnect = ({ ports: [p] }) => { p.onmessage = () => setTimeout(() => p.postMessage(1), 600) }'])));
     w.port.onmessage = () => show('Result'); w.port.postMessage(1)`,
  ),
  click(
    'screen that says "Making demo…" for 1200',
    `const w = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 1200)'])));
     $('go').remove(); $('out').textContent = 'Making demo…'; w.onmessage = () => put('Result')`,
  ),
  {
    ...click('handler on the document, timer 450', ''),
    html: page(
      go,
      `document.addEventListener('click', e => e.target.closest('#go') && setTimeout(() => show('Result'), 450))`,
    ),
  },
  click(
    'idle callback, timer 200',
    `requestIdleCallback(() => setTimeout(() => show('Result'), 200), { timeout: 500 })`,
  ),
  click('task of the scheduler after 500', `scheduler.postTask(() => show('Result'), { delay: 500 })`),
  click(
    'broadcast to itself, timer 300',
    `const b = new BroadcastChannel('x'); b.onmessage = () => setTimeout(() => show('Result'), 300); new BroadcastChannel('x').postMessage(1)`,
  ),
  click(
    'view transition of 300',
    `document.startViewTransition(async () => { await sleep(300); show('Result') })`,
  ),
  click(
    'dialog closed, timer 600',
    `$('dialog').onclose = () => setTimeout(() => show('Result'), 600); $('dialog').close()`,
    `<dialog open id="dialog"><button id="go">Go</button></dialog>`,
  ),
  click(
    'toast by class after 600',
    `setTimeout(() => $('toast').classList.add('on'), 600)`,
    `${go}<style>#toast { visibility: hidden } #toast.on { visibility: visible }</style><div id="toast"><button>Result</button></div>`,
  ),
  click(
    'toast by opacity after fetch 500',
    `await api(500); $('toast').className = 'on'`,
    `${go}<style>#toast { opacity: 0; transition: opacity .3s; pointer-events: none } #toast.on { opacity: 1; pointer-events: auto }</style><div id="toast"><button>Result</button></div>`,
  ),
  type('search debounced by 300', `$('q').oninput = debounce(() => put('Result'), 300)`),
  type(
    'search debounced by 300, fetch 400',
    `$('q').oninput = debounce(async () => { await api(400, '&q=' + $('q').value); put('Result') }, 300)`,
  ),
  type(
    'search debounced by 500, fetch 1200',
    `$('q').oninput = debounce(async () => { await api(1200); put('Result') }, 500)`,
  ),
  type('search by keyup, debounced by 400', `$('q').onkeyup = debounce(() => put('Result'), 400)`),
  type(
    'search fetches at each key',
    `$('q').oninput = async () => { const v = $('q').value; await api(300, '&q=' + v); if (v === $('q').value) put('Result') }`,
  ),
  type(
    'search with "Searching…"',
    `$('q').oninput = debounce(async () => { $('out').innerHTML = '<p>Searching…</p>'; await api(900); put('Result') }, 250)`,
  ),
  type(
    'validation after 600',
    `$('q').oninput = debounce(() => put('Result'), 600)`,
    '<input id="q" aria-label="Search">',
  ),
  type(
    'check on blur, fetch 500',
    `$('q').oninput = () => setTimeout(async () => { await api(500); put('Result') }, 0)`,
    '<input id="q" aria-label="Search">',
  ),
  hover('hover opens after 300', `$('go').onmouseenter = () => setTimeout(() => show('Result'), 300)`),
  hover(
    'hover opens after 500, fetch 300',
    `let t; $('go').onmouseover = () => { t = setTimeout(async () => { await api(300); show('Result') }, 500) }`,
  ),
  hover(
    'hover by pointerenter, 250',
    `$('go').addEventListener('pointerenter', () => setTimeout(() => show('Result'), 250))`,
  ),
  hover('tooltip after 700', `$('go').onmouseenter = () => setTimeout(() => show('Result'), 700)`),
  {
    name: 'select loads options, fetch 600',
    html: page(
      '<select id="go" aria-label="Country"><option>A</option><option>B</option></select>',
      `$('go').onchange = async () => { await api(600); show('Result') }`,
    ),
    action: '"Country"',
    value: 'B',
    shows: 'Result',
  },
  {
    name: 'checkbox, timer 400',
    html: page(
      '<label><input type="checkbox" id="go"> All</label>',
      `$('go').onchange = () => setTimeout(() => show('Result'), 400)`,
    ),
    action: 'All',
    value: 'true',
    shows: 'Result',
  },
  {
    name: 'scroll renders rows after 200',
    html: page(
      '<div style="height:4000px">Long</div>',
      `addEventListener('scroll', debounce(() => put('Result'), 200))`,
    ),
    action: 'S9',
    shows: 'Result',
  },
  {
    name: 'scroll loads rows, fetch 600',
    html: page(
      '<div style="height:1200px">Long</div><i id="end">end</i>',
      `new IntersectionObserver(async ([e]) => { if (e.isIntersecting) { await api(600); put('Result') } }).observe($('end'))`,
    ),
    action: 'S9',
    shows: 'Result',
  },
  {
    name: 'scroll shows rows after 400, and their names 400 later',
    html: page(
      '<div style="height:1200px">Long</div><i id="end">end</i>',
      `new IntersectionObserver(async ([e]) => { if (e.isIntersecting) { await sleep(400); $('out').append('Row'); await sleep(400); put('Result') } }).observe($('end'))`,
    ),
    action: 'S9',
    shows: 'Result',
  },
  {
    name: 'page says "Loading…" for 700',
    html: page('<p id="wait">Loading…</p>', `setTimeout(() => { $('wait').remove(); show('Result') }, 700)`),
    action: 'S6',
    shows: 'Result',
  },
  ...LATE_EVIDENCE_PAGES,
  ...LATE_SOURCE_PAGES,
  ...LATE_FLOW_PAGES,
  ...LATE_MESSAGE_PAGES,
  ...LATE_LEAVING_PAGES,
  ...LATE_KIND_PAGES,
];

/** Handlers of the paths that the pages request: `/api?ms=500` answers after that time. */
export const LATE_PATHS: Readonly<Record<string, Page>> = {
  '/api': (request, response) => {
    const ms = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('ms'));
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }, ms);
  },
  ...LATE_EVIDENCE_PATHS,
  ...LATE_SOURCE_PATHS,
  ...LATE_MESSAGE_PATHS,
  ...LATE_LEAVING_PATHS,
  ...LATE_KIND_PATHS,
  '/result': '<!doctype html><title>Result</title><button>Result</button>',
  ...Object.fromEntries(LATE_PAGES.map(({ html }, nth) => [`/late/${nth}`, html])),
};
