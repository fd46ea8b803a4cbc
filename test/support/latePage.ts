/** Builds pages whose steps have a late effect. */

export interface LatePage {
  readonly name: string;
  readonly html: string;
  /** The action: a part of its description, or the id of a special action. */
  readonly action: string;
  /** The value of the step; `{id}` stands for the id of the action whose description contains `target`. */
  readonly value?: string;
  readonly target?: string;
  /** Words that the first answer must list. */
  readonly shows: string;
  /** True if it is enough that a message of the answer has them. */
  readonly inMessages?: true;
}

const SCRIPT = `
const $ = id => document.getElementById(id);
const show = text => { const b = document.createElement('button'); b.textContent = text; $('out').append(b); };
const clear = () => { $('out').textContent = ''; };
const put = text => { clear(); show(text); };
const api = (ms, more = '') => fetch('/api?ms=' + ms + more).then(r => r.json());
const sleep = ms => new Promise(r => setTimeout(r, ms));
const debounce = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => f(...a), ms); }; };
`;
const STYLE = `<style>@keyframes turn { to { transform: rotate(1turn) } }
.spinner { width: 20px; height: 20px; border: 3px solid; animation: turn 1s linear infinite }
.skeleton { width: 200px; height: 20px; background: #ccc; animation: turn 1s linear infinite }</style>`;

export const page = (body: string, script: string): string =>
  `<!doctype html><html lang="en"><head><title>Late</title>${STYLE}</head><body>${body}<div id="out"></div><script>${SCRIPT}${script}</script></body></html>`;

export const go = '<button id="go">Go</button>';
/** A button whose click runs the script. */
export const click = (name: string, script: string, body = go): LatePage => ({
  name,
  html: page(body, `$('go').onclick = async () => { ${script} };`),
  action: '"Go"',
  shows: 'Result',
});
const search = '<input id="q" role="combobox" aria-autocomplete="list" aria-label="Search">';
/** A text field whose input event runs the script. */
export const type = (name: string, script: string, body = search): LatePage => ({
  name,
  html: page(body, script),
  action: '"Search"',
  value: 'lon',
  shows: 'Result',
});
export const hover = (name: string, script: string): LatePage => ({
  name,
  html: page('<button id="go">Menu</button>', script),
  action: 'S16',
  value: '{id}',
  target: '"Menu"',
  shows: 'Result',
});
