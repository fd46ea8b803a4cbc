/** The script of the home page and of /docs: copies, search, and requests that a reader sends. */

const search = document.querySelector<HTMLInputElement>('#search');
const key = document.querySelector<HTMLInputElement>('#key');
const KEY_NAME = 'pagespace-key';

/** The entries that the search shows or hides: one operation, how-to or type each. */
const entries = [...document.querySelectorAll<HTMLDetailsElement>('details.op, details.howto, details.type')];
const types = document.querySelector<HTMLDetailsElement>('#types');

function showMatches(text: string): void {
  const wanted = text.trim().toLowerCase();
  for (const entry of entries)
    entry.hidden = wanted !== '' && !(entry.textContent ?? '').toLowerCase().includes(wanted);
  if (types !== null && wanted !== '')
    types.open = entries.some(entry => types.contains(entry) && !entry.hidden);
}

function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let each: Element | null = target; each !== null; each = each.parentElement)
    if (each instanceof HTMLDetailsElement) each.open = true;
  if (target instanceof HTMLDetailsElement) target.scrollIntoView();
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.setAttribute('aria-label', 'Copy these calls');
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.textContent ?? '').then(
      () => {
        button.textContent = 'Copied';
      },
      () => {
        button.textContent = 'Copy failed: select the text';
      },
    );
  });
  return button;
}

async function send(form: HTMLFormElement, output: HTMLOutputElement): Promise<void> {
  const { method = 'get', path = '/' } = form.dataset;
  const body = form.querySelector('textarea')?.value;
  output.textContent = 'Waiting …';
  try {
    const response = await fetch(path, {
      method: method.toUpperCase(),
      headers: {
        'x-pagespace-caller': 'person',
        ...(key?.value && { authorization: `Bearer ${key.value}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
    output.textContent = `HTTP ${response.status}\n${shown}`;
  } catch (error) {
    output.textContent = error instanceof Error ? error.message : String(error);
  }
}

for (const block of document.querySelectorAll<HTMLElement>('[data-copy]')) block.before(copyButton(block));
for (const form of document.querySelectorAll<HTMLFormElement>('form.try'))
  form.addEventListener('submit', event => {
    event.preventDefault();
    const output = form.querySelector('output');
    if (output !== null) void send(form, output);
  });
search?.addEventListener('input', () => showMatches(search.value));
if (key !== null) {
  key.value = sessionStorage.getItem(KEY_NAME) ?? '';
  key.addEventListener('change', () => sessionStorage.setItem(KEY_NAME, key.value));
}
addEventListener('hashchange', openTarget);
openTarget();
