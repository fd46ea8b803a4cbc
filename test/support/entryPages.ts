/** Pages whose fields tell how a step enters its value. */

/** A field that counts what a person does before typing. */
export const WATCHED = `<!doctype html><title>Watched</title><input aria-label="Watched" style="margin-top:40px"><div style="height:2000px"></div><input aria-label="Below">
<script>const seen = []; for (const type of ['pointermove', 'pointerdown', 'focus', 'click', 'keydown']) addEventListener(type, e => { if (e.target.tagName === 'INPUT' && seen.at(-1) !== type) seen.push(type); document.title = seen.join(' ') }, true)</script>`;

/** Fields that open a dialog while they are filled: its button takes the focus. */
export const TAKEN = `<!doctype html><title>Taken</title><label>Note <input id="note"></label><label>Trap <input id="trap"></label>
<div contenteditable="true" aria-label="Essay" id="essay"></div><label>Query <input id="query"></label><label>Amount <input id="amount" type="number"></label>
<label>Loose <input id="loose"></label><label>Find <input id="lookup"></label><dialog id="palette"><input aria-label="Everywhere" id="everywhere"></dialog>
<form onsubmit="document.title += ' sent'; return false"><label>Pin <input id="pin"></label><button id="send">Send</button></form>
<dialog id="welcome"><button id="start" onclick="document.title += ' pressed'" onkeyup="document.title += ' heard'">Start editing</button></dialog>
<script>const ask = () => { welcome.show(); start.focus() };
note.oninput = () => { if (note.value.length === 2) ask() };
essay.oninput = () => { if (essay.textContent.length === 2) ask() };
trap.onfocus = ask; query.oninput = () => { if (query.value === 'go') ask() }; amount.oninput = ask;
loose.oninput = () => { if (loose.value.length === 3) loose.blur() };
onkeydown = e => { if (e.target === document.body) document.title += ' shortcut' };
lookup.oninput = () => { palette.showModal(); everywhere.value = lookup.value; lookup.value = ''; everywhere.focus() };
pin.oninput = () => { if (pin.value.length === 4) send.focus() };
</script>`;

/** Custom elements that state what they are only to the browser; the second one keeps its internals where nothing finds them. */
export const STATED = `<!doctype html><title>Stated</title><label>Night <x-switch></x-switch></label><x-tick>Blue</x-tick><x-push></x-push><x-plain tabindex="0">Plain</x-plain><script>
const internals = new WeakMap();
const define = (name, traits) => customElements.define(name, class extends HTMLElement { static formAssociated = true;
  constructor() { super(); const own = this.attachInternals(); internals.set(this, own); Object.assign(own, traits);
    this.onclick = () => { own.ariaChecked = String(own.ariaChecked !== 'true'); document.title += ' ' + name } }
  connectedCallback() { this.tabIndex = 0; this.style.cssText = 'display:inline-block;width:60px;height:20px' } });
define('x-switch', { role: 'switch', ariaChecked: 'false' });
define('x-tick', { role: 'checkbox', ariaChecked: 'true' });
define('x-push', { role: 'button', ariaLabel: 'Close the panel', ariaExpanded: 'true', ariaDisabled: 'true' });
</script>`;
