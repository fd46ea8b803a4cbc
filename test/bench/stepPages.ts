/** The pages and steps of the bench of a step. */
import type { Page } from 'playwright';

/** One step that is measured: on one page, the same for the service and for a bare script. */
export interface MeasuredStep {
  readonly name: string;
  readonly path: string;
  /** Name of the element in the list of actions. */
  readonly target: string;
  /** Role of the element for the bare script. */
  readonly role: 'button' | 'textbox';
  /** Text to enter; null to click. */
  readonly value: string | null;
  /** Waits, in the bare script, for what the step does late. The service does this by itself. */
  readonly awaits?: (page: Page) => Promise<unknown>;
}

const LINES = Array.from(
  { length: 40 },
  (_, n) =>
    `<p>Paragraph ${n} of plain text, long enough to be read as the content of a page. <a href="/p/${n}">Link ${n}</a></p>`,
).join('\n');

const page = (content: string, script = ''): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body>
<nav><a href="/">Home</a><a href="/about">About</a></nav><main><h1>A page</h1>${content}
${LINES}<button type="button">Last</button></main>${script === '' ? '' : `<script>${script}</script>`}</body></html>`;

const FORM = '<label>Name <input name="n"></label><button type="button">Press</button>';

const WITH_HANDLER = `const out = document.querySelector('output');
document.querySelector('main button').onclick = () => { out.value = Number(out.value) + 1; };
document.querySelector('input').oninput = ({ target }) => { out.value = target.value; };`;

const WITH_FETCH = `const out = document.querySelector('output');
document.querySelector('main button').onclick = async () => {
  const reply = await fetch('/reply');
  out.value = Number(out.value) + (await reply.text()).length;
};`;

/** Time after which the server answers `/reply`. Milliseconds. */
const REPLY_MS = 50;

/** The bodies of the pages by path, and the delay of each in milliseconds. */
export const STEP_PAGES: Readonly<Record<string, { readonly body: string; readonly delayMs: number }>> = {
  '/static': { body: page(FORM), delayMs: 0 },
  '/handler': { body: page(`${FORM}<output>0</output>`, WITH_HANDLER), delayMs: 0 },
  '/fetch': { body: page(`${FORM}<output>0</output>`, WITH_FETCH), delayMs: 0 },
  '/reply': { body: 'x', delayMs: REPLY_MS },
};

/** The measured steps. */
export const MEASURED_STEPS: readonly MeasuredStep[] = [
  { name: 'click, no scripts', path: '/static', target: 'Press', role: 'button', value: null },
  { name: 'click below the viewport', path: '/static', target: 'Last', role: 'button', value: null },
  { name: 'text entry, no scripts', path: '/static', target: 'Name', role: 'textbox', value: 'Ada L' },
  { name: 'click that changes the page', path: '/handler', target: 'Press', role: 'button', value: null },
  { name: 'text entry with listener', path: '/handler', target: 'Name', role: 'textbox', value: 'Ada L' },
  {
    name: `click that fetches (${REPLY_MS} ms)`,
    path: '/fetch',
    target: 'Press',
    role: 'button',
    value: null,
    awaits: page => page.waitForResponse(/\/reply$/),
  },
];
