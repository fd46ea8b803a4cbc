/** Pages whose late effects leave little evidence: what is known of them is in the comment of each group. */
import { click, go, hover, type LatePage, page, type } from './latePage.ts';
import type { Page } from './servePages.ts';

/** The page keeps `setTimeout` before the service can record it. */
const kept = (each: LatePage): LatePage => ({
  ...each,
  name: `${each.name} by a kept setTimeout`,
  html: each.html.replace(
    '</style>',
    '</style><script>const later = window.setTimeout.bind(window)</script>',
  ),
});
const inMessages = (each: LatePage): LatePage => ({ ...each, inMessages: true });
const toast = (attributes: string): string =>
  `const t = document.createElement('div'); ${attributes}; t.textContent = 'Result'; document.body.append(t);`;
const image = (start: string): string =>
  `const i = new Image(); ${start}; i.src = '/image?ms=600&' + Math.random()`;
const addFrame = (source: string): string =>
  `const f = document.createElement('iframe'); ${source}; document.body.append(f)`;

/** Runs a script after `ms`. The second timer begins when the first has fired: also on a busy machine a text stands until the service has read it. */
const inTwoTimers = (ms: number, script: string): string =>
  `setTimeout(() => setTimeout(() => { ${script} }, ${ms / 2}), ${ms / 2})`;

export const LATE_EVIDENCE_PAGES: readonly LatePage[] = [
  // A second effect, long after the first, without a sign of business.
  click('timer 1200 after a first effect', `show('First'); setTimeout(() => show('Result'), 1200)`),
  click('await of 1500 after a first effect', `show('First'); await sleep(1500); show('Result')`),
  click('timer 2000 after a text', `$('out').textContent = 'Step 1'; setTimeout(() => put('Result'), 2000)`),
  click('await of 1400 after a reply', `await api(300); show('First'); await sleep(1400); show('Result')`),
  kept(click('timer 300', `later(() => show('Result'), 300)`)),
  kept(
    click(
      'timer 400 after work of 2500',
      `later(() => { const end = performance.now() + 2500; while (performance.now() < end); later(() => show('Result'), 400) })`,
    ),
  ),
  kept(click('timer 600', `later(() => show('Result'), 600)`)),
  kept(click('timer 1500', `later(() => show('Result'), 1500)`)),
  kept(click('timer 1500 after a text', `$('out').textContent = 'Asked'; later(() => put('Result'), 1500)`)),
  kept(
    type(
      'plain field, timer 500',
      `$('q').oninput = () => later(() => put('Result'), 500)`,
      '<input id="q" aria-label="Search">',
    ),
  ),
  kept({
    ...click('timer 400, handler on the document,', ''),
    html: page(go, `document.addEventListener('click', () => later(() => show('Result'), 400))`),
  }),
  kept({
    ...click('timer 400, first handler of the window,', ''),
    html: page(
      go,
      `addEventListener('click', () => Promise.resolve().then(() => later(() => show('Result'), 400)), true)`,
    ),
  }),
  click(
    'reset, timer 400',
    `$('f').onreset = () => setTimeout(() => show('Result'), 400)`,
    '<form id="f"><button id="go" type="reset">Go</button></form>',
  ),
  kept(hover('hover, timer 400', `$('go').onmouseenter = () => later(() => show('Result'), 400)`)),
  kept(type('suggestions, timer 400', `$('q').oninput = () => later(() => put('Result'), 400)`)),
  // The pressed control is disabled for as long as the work lasts.
  click(
    'own button disabled for 600',
    `$('go').disabled = true; setTimeout(() => { $('go').disabled = false; show('Result') }, 600)`,
  ),
  click(
    'own button disabled for 1500',
    `$('go').disabled = true; setTimeout(() => { $('go').disabled = false; show('Result') }, 1500)`,
  ),
  click(
    'own button disabled for good, timer 1200',
    `$('go').disabled = true; setTimeout(() => show('Result'), 1200)`,
  ),
  kept(
    click(
      'own button disabled for 600',
      `$('go').disabled = true; later(() => { $('go').disabled = false; show('Result') }, 600)`,
    ),
  ),
  kept(
    click(
      'own button aria-disabled for 1300',
      `$('go').ariaDisabled = 'true'; later(() => { $('go').ariaDisabled = null; show('Result') }, 1300)`,
    ),
  ),
  kept(
    click(
      'own button disabled for good, timer 600',
      `$('go').disabled = true; later(() => show('Result'), 600)`,
    ),
  ),
  kept(
    click(
      'own button in a disabled fieldset for 700',
      `$('f').disabled = true; later(() => { $('f').disabled = false; show('Result') }, 700)`,
      `<fieldset id="f">${go}</fieldset>`,
    ),
  ),
  // Images: the step loads them, and their loading has the effect.
  click('image that loads', image(`i.onload = () => show('Result')`)),
  click('image that loads in the page', image(`i.onload = () => show('Result'); $('out').append(i)`)),
  // Frames that the step makes.
  click(
    'frame by srcdoc, timer 500',
    addFrame(
      `f.srcdoc = '<body><script>setTimeout(() => { document.body.innerHTML = "<button>Result</button>" }, 500)<\\/script></body>'`,
    ),
  ),
  click(
    'frame that shows a text, timer 1200',
    addFrame(
      `f.srcdoc = '<body>Wait<script>setTimeout(() => { document.body.innerHTML = "<button>Result</button>" }, 1200)<\\/script></body>'`,
    ),
  ),
  click('timer 2500 after a text', `$('out').textContent = 'Step 1'; setTimeout(() => put('Result'), 2500)`),
  click('frame by address, timer 400', addFrame(`f.src = '/frame'`)),
  click(
    'hidden frame that posts after 500',
    addFrame(`f.hidden = true; f.src = '/posting'; onmessage = () => show('Result')`),
  ),
  // Texts that are gone when the step is answered.
  inMessages(
    click(
      'status gone after 400',
      `${toast(`t.setAttribute('role', 'status')`)} ${inTwoTimers(400, 't.remove()')}`,
    ),
  ),
  inMessages(
    click(
      'box without a role gone after 450',
      `${toast(`t.style.position = 'fixed'`)} ${inTwoTimers(450, 't.remove()')}`,
    ),
  ),
  inMessages(
    click(
      'toast by hidden gone after 400',
      `$('t').hidden = false; ${inTwoTimers(400, "$('t').hidden = true")}`,
      `${go}<div id="t" class="toast" hidden>Result</div>`,
    ),
  ),
  inMessages(click('text gone after 350', `$('out').textContent = 'Result'; ${inTwoTimers(350, 'clear()')}`)),
  inMessages(
    click(
      'label gone after 500',
      `$('go').textContent = 'Result'; ${inTwoTimers(500, "$('go').textContent = 'Go'")}`,
    ),
  ),
  inMessages(
    click(
      'label gone after 1500',
      `$('go').textContent = 'Result'; ${inTwoTimers(1500, "$('go').textContent = 'Go'")}`,
    ),
  ),
];

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Handlers of the paths that these pages request. */
export const LATE_EVIDENCE_PATHS: Readonly<Record<string, Page>> = {
  '/image': (_, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' }).end(PIXEL);
    }, 600);
  },
  '/frame': `<!doctype html><body><script>setTimeout(() => { document.body.innerHTML = '<button>Result</button>' }, 400)</script>`,
  '/posting': `<!doctype html><body><script>setTimeout(() => parent.postMessage(1, '*'), 500)</script>`,
};
