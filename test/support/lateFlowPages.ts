/** Pages whose late effects come by ways that applications use today: animations by script, routers, retries, permissions, databases. */
import { click, go, hover, type LatePage, page, type } from './latePage.ts';

const inMessages = (each: LatePage): LatePage => ({ ...each, inMessages: true });
/** A page with a link "Go". */
const link = (name: string, href: string, script = ''): LatePage => ({
  ...click(name, ''),
  html: page(`<a href="${href}">Go</a>`, script),
});

export const LATE_FLOW_PAGES: readonly LatePage[] = [
  click(
    'animation by script of 1200',
    `$('go').animate([{ opacity: 1 }, { opacity: 0.9 }], 1200).finished.then(() => show('Result'))`,
  ),
  click(
    'animation by script after a delay of 700',
    `$('go').animate([{ opacity: 1 }, { opacity: 0.9 }], { delay: 700, duration: 200 }).onfinish = () => show('Result')`,
  ),
  click(
    'three animations by script of 400',
    `for (const _ of [1, 2, 3]) await $('go').animate([{ opacity: 1 }, { opacity: 0.9 }], 400).finished; show('Result')`,
  ),
  click(
    'style after a transition delay of 1000',
    `$('p').className = 'on'`,
    `${go}<style>#p { visibility: hidden; transition: visibility 0s 1s } #p.on { visibility: visible }</style><div id="p"><button>Result</button></div>`,
  ),
  click(
    'end of a transition with a delay of 900',
    `$('p').className = 'on'; $('p').ontransitionend = () => show('Result')`,
    `${go}<style>#p { height: 9px; opacity: 1; transition: opacity .1s .9s } #p.on { opacity: .5 }</style><div id="p"></div>`,
  ),
  click(
    'toast that fades in after 1000',
    `const t = document.createElement('div'); t.className = 'in'; t.innerHTML = '<button>Result</button>'; document.body.append(t)`,
    `${go}<style>@keyframes in { from { opacity: 0; visibility: hidden } } .in { animation: in .2s 1s backwards }</style>`,
  ),
  click(
    'carousel whose scrolling ends',
    `$('c').scrollBy({ left: 300, behavior: 'smooth' })`,
    `${go}<div id="c" style="overflow-x:scroll;scroll-snap-type:x mandatory;display:flex;width:300px">${'<p style="flex:0 0 300px;scroll-snap-align:start">Slide</p>'.repeat(4)}</div>
     <script>addEventListener('load', () => document.getElementById('c').addEventListener('scrollend', () => show('Result')))</script>`,
  ),
  click(
    'carousel that snaps, fetch 500',
    `$('c').scrollBy({ left: 260, behavior: 'smooth' })`,
    `${go}<div id="c" style="overflow-x:scroll;scroll-snap-type:x mandatory;display:flex;width:300px">${'<p style="flex:0 0 300px;scroll-snap-align:start">Slide</p>'.repeat(4)}</div>
     <script>addEventListener('load', () => document.getElementById('c').addEventListener('scrollsnapchange', async () => { await api(500); show('Result') }))</script>`,
  ),
  click(
    'chain of idle callbacks',
    `let n = 0; const f = () => ++n < 12 ? requestIdleCallback(f, { timeout: 200 }) : show('Result'); f()`,
  ),
  click(
    'chain of yields to the scheduler',
    `const end = performance.now() + 900; while (performance.now() < end) await scheduler.yield(); show('Result')`,
  ),
  click(
    'modules that load one another, 500 each',
    `const m = await import('/module-a?' + Math.random()); m.show()`,
    `${go}<script>window.showResult = () => show('Result')</script>`,
  ),
  click(
    'script that calls back after 1100',
    `window.called = () => show('Result'); const s = document.createElement('script'); s.src = '/callback'; document.head.append(s)`,
  ),
  {
    ...click('popover that loads for 700', ''),
    html: page(
      `<button popovertarget="out2">Go</button><div popover id="out2"></div>`,
      `$('out2').ontoggle = async e => { if (e.newState === 'open') { await api(700); $('out2').innerHTML = '<button>Result</button>' } }`,
    ),
  },
  {
    ...click('details that load for 700', ''),
    html: page(
      `<details id="d"><summary>Go</summary></details>`,
      `$('d').ontoggle = async () => { if ($('d').open) { await api(700); $('d').insertAdjacentHTML('beforeend', '<button>Result</button>') } }`,
    ),
  },
  inMessages(
    type(
      'validation after 800 that marks the field',
      `$('q').oninput = debounce(() => { $('q').setAttribute('aria-invalid', 'true'); $('q').setAttribute('aria-describedby', 'e'); $('e').textContent = 'Result: too short' }, 800)`,
      '<input id="q" aria-label="Search"><p id="e"></p>',
    ),
  ),
  inMessages(
    type(
      'draft saved 1000 after typing, fetch 400',
      `$('q').oninput = debounce(async () => { await api(400); $('s').textContent = 'Result: saved' }, 1000)`,
      '<textarea id="q" aria-label="Search"></textarea><p id="s">Not saved</p>',
    ),
  ),
  inMessages(
    click(
      'star taken back after a request fails for 1500',
      `$('go').setAttribute('aria-pressed', 'true'); $('n').textContent = '1 star'; const r = await fetch('/failing'); if (!r.ok) { $('go').setAttribute('aria-pressed', 'false'); $('n').textContent = 'Result: not starred' }`,
      `<button id="go" aria-pressed="false">Go</button><p id="n">0 stars</p>`,
    ),
  ),
  click(
    'four tries with growing pauses',
    `for (const pause of [200, 400, 800, 0]) { if ((await fetch('/failing-once?' + pause)).ok) { show('Result'); break } await sleep(pause) }`,
  ),
  click(
    'counter that stops after 2000',
    `let n = 0; const t = setInterval(() => { $('n').textContent = ++n; if (n === 20) { clearInterval(t); show('Result') } }, 100)`,
    `${go}<p id="n">0</p>`,
  ),
  click(
    'progress by an interval of 250 for 2500',
    `let n = 0; const t = setInterval(() => { n += 10; $('out').textContent = n + ' %'; if (n === 100) { clearInterval(t); put('Result') } }, 250)`,
  ),
  {
    name: 'suggestions of a focused field, fetch 600',
    html: page(
      '<input id="q" role="combobox" aria-autocomplete="list" aria-label="Search">',
      `$('q').onfocus = async () => { await api(600); put('Result') }`,
    ),
    action: '"Search"',
    shows: 'Result',
  },
  {
    name: 'drop that moves into its place for 500',
    html: page(
      '<p id="a" draggable="true" style="transition:transform .5s">Card</p><p id="b" style="height:80px;background:#eee" onclick="1">Bin</p>',
      `$('b').ondragover = e => e.preventDefault(); $('b').ondrop = () => { $('a').style.transform = 'translateX(200px)'; $('a').ontransitionend = () => show('Result') }`,
    ),
    action: 'S17',
    value: '{id} -> @40,90',
    target: 'Card',
    shows: 'Result',
  },
  click(
    'clipboard that may not be read',
    `try { await navigator.clipboard.readText() } catch { await sleep(400); show('Result') }`,
  ),
  click(
    'place that is not told',
    `navigator.geolocation.getCurrentPosition(() => show('Result'), () => setTimeout(() => show('Result'), 300))`,
  ),
  click(
    'notifications that are not allowed',
    `await Notification.requestPermission(); await sleep(300); show('Result')`,
  ),
  click(
    'camera that is not there',
    `try { await navigator.mediaDevices.getUserMedia({ video: true }) } catch { await sleep(300); show('Result') }`,
  ),
  click(
    'route by pushState, old rows for 1100',
    `history.pushState({}, '', '/late-items'); await api(1100); $('rows').remove(); show('Result')`,
    `${go}<p id="rows">Old rows</p>`,
  ),
  link('route by hash, fetch 800', '#/items', `onhashchange = async () => { await api(800); put('Result') }`),
  link(
    'route by the Navigation API, fetch 700',
    '/late-route',
    `navigation.addEventListener('navigate', e => e.intercept({ handler: async () => { await api(700); put('Result') } }))`,
  ),
  link('page that refreshes itself after 1', '/refreshing'),
  link('page that the server refreshes after 2', '/refreshed'),
  link('page that comes in parts', '/streamed'),
  link('page whose part is filled after its load, 900', '/filled'),
  click(
    'back by script, fetch 500',
    `history.back()`,
    `${go}<script>history.replaceState({ n: 1 }, ''); history.pushState({ n: 2 }, ''); onpopstate = async () => { await api(500); show('Result') }</script>`,
  ),
  click(
    'observer of attributes, then 700',
    `$('p').dataset.open = '1'`,
    `${go}<p id="p"></p><script>addEventListener('load', () => new MutationObserver(() => setTimeout(() => show('Result'), 700)).observe(document.getElementById('p'), { attributes: true }))</script>`,
  ),
  click(
    'lock that another holds for 900',
    `navigator.locks.request('late', () => sleep(900)); navigator.locks.request('late', () => show('Result'))`,
  ),
  click(
    'request that is given up after 1000',
    `try { await fetch('/api?ms=6000', { signal: AbortSignal.timeout(1000) }) } catch { show('Result') }`,
  ),
  click(
    'program that is compiled after 700',
    `await WebAssembly.instantiateStreaming(fetch('/program')); show('Result')`,
  ),
  click(
    'key that is derived for some time',
    `const k = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']); await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8), iterations: 300000 }, k, 256); show('Result')`,
  ),
  click(
    'beacon, then the page again',
    `navigator.sendBeacon('/api?ms=100'); setTimeout(() => { location.hash = 'done'; location.reload() }, 400)`,
    `${go}<script>addEventListener('load', () => location.hash && show('Result'))</script>`,
  ),
  click(
    'picture of a canvas, then 500',
    `const c = document.createElement('canvas'); c.toBlob(() => setTimeout(() => show('Result'), 500))`,
  ),
  hover(
    'card of a link after 600, fetch 500',
    `$('go').onmouseenter = () => setTimeout(async () => { await api(500); show('Result') }, 600)`,
  ),
  {
    name: 'page shows a spinner for 1200',
    html: page(
      '<div class="spinner" id="wait"></div>',
      `setTimeout(() => { $('wait').remove(); show('Result') }, 1200)`,
    ),
    action: 'S6',
    shows: 'Result',
  },
];
