/** The pages of keptValue.test.ts. */

/** One page with fields that keep, format, pass on or refuse what is entered. */
export const FIELDS = `<!doctype html><title>Fields</title><h1>Fields</h1>
<label>Price <input id="price"></label>
<label>Digits <input id="digits" oninput="this.value = this.value.replace(/\\D/g, '')"></label>
<label>Fixed <input id="fixed" value="12" onbeforeinput="event.preventDefault()"></label>
<label>Short <input maxlength="3"></label>
<label>Shifted <input onkeydown="if (event.shiftKey !== /^[A-Z!]$/.test(event.key)) event.preventDefault()"></label>
<div><label>Tags <input id="tags"></label><span id="chips"></span></div>
<div><label>Pieces, max 15 <input oninput="if (/[^0-9]/.test(this.value)) this.value = ''"></label></div>
<div><label>Language <input oninput="if (/#/.test(this.value)) this.value = ''"></label></div>
<div id="code">${[1, 2, 3, 4].map(n => `<input aria-label="Digit ${n}" maxlength="1" size="1">`).join('')}</div>
<label>Guests <input type="number" value="2" oninput="this.value = 2"></label>
<label>Level <input type="range" min="0" max="14" value="5"></label>
<label>Nothing <input type="range" min="0" max="0" value="0"></label>
<label>Even <input type="range" min="0" max="10" step="2" value="0"></label><p>5 of 10 stars</p>
<label>Locked <input type="range" min="0" max="100" value="5" oninput="this.value = 5"></label>
<div role="slider" tabindex="0" aria-label="Dial" aria-valuemin="0" aria-valuemax="0" aria-valuenow="0" style="width:90px;height:20px"></div>
<div role="slider" tabindex="0" aria-label="Coarse" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0" style="width:90px;height:20px"></div>
<div role="slider" tabindex="0" aria-label="Stuck" aria-valuemin="0" aria-valuemax="100" aria-valuenow="7" style="width:90px;height:20px"></div>
<div class="track" style="position:relative;width:240px;height:20px;margin:20px"><div role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="100" aria-valuenow="20" style="position:absolute;left:38px;width:20px;height:20px;background:red"></div></div>
<div class="track" style="position:relative;width:20px;height:200px;margin:20px"><div role="slider" tabindex="0" aria-label="Bass" aria-orientation="vertical" aria-valuemin="-10" aria-valuemax="10" aria-valuenow="-10" style="position:absolute;top:180px;width:20px;height:20px;background:red"></div></div>
<div role="slider" tabindex="0" aria-label="Whole" aria-valuenow="0" style="width:300px;height:16px;background:grey"></div>
<div dir="rtl" class="track" style="position:relative;width:240px;height:20px;margin:20px"><div role="slider" tabindex="0" aria-label="Reversed" aria-valuemin="0" aria-valuemax="100" aria-valuenow="20" style="position:absolute;left:180px;width:20px;height:20px;background:red"></div></div>
<div class="track" style="position:relative;width:240px;height:20px;margin:20px"><div role="slider" tabindex="0" aria-label="Snapped" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0" style="position:absolute;left:0px;width:20px;height:20px;background:red"></div></div>
<div style="position:relative;width:240px;height:20px"><div role="slider" tabindex="0" aria-label="Placed" style="position:absolute;left:0%;width:20px;height:20px"></div></div>
<div id="wide" role="slider" tabindex="0" aria-label="Wide" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="10" style="width:300px;height:20px"></div>
<div role="slider" tabindex="0" aria-label="Mute" style="width:90px;height:20px"></div>
<div role="slider" tabindex="0" aria-label="Upright" aria-valuemin="0" aria-valuemax="10" aria-valuenow="2" style="width:90px;height:20px"
  onkeydown="if (/Up|Down/.test(event.key)) this.ariaValueNow = +this.ariaValueNow + (event.key === 'ArrowUp' ? 1 : -1)"></div>
<iframe style="width:300px;height:80px" srcdoc="<div role=slider tabindex=0 aria-label=Framed aria-valuemin=0 aria-valuemax=200 aria-valuenow=0 style='width:200px;height:16px;background:grey'></div><script>const s = document.querySelector('div'); s.onpointerdown = e => { s.setPointerCapture(e.pointerId); s.onpointermove(e) }; s.onpointermove = e => { if (e.buttons) s.setAttribute('aria-valuenow', Math.round(e.clientX - s.getBoundingClientRect().left)) }</script>"></iframe>
<label>Masked <input onfocus="this.moves = 1" oninput="if (this.value.length === 2 && this.moves-- > 0) this.setSelectionRange(0, 0)"></label>
<label>Day <input type="date" value="2026-01-01" oninput="this.value = '2026-09-03'"></label>
<label>Hour <input type="time" value="08:00" oninput="this.value = ''; this.parentElement.append(' not 14:05')"></label>
<label>Paint <input type="color" value="#112233" oninput="this.value = '#112233'"></label>
<label>Party <input type="date" onchange="this.title = this.value"></label>
<label>Size <select onchange="this.selectedIndex = 0"><option>Small</option><option>Large</option></select></label>
<label>Jump <select onchange="where.textContent = this.value; this.selectedIndex = 0"><option>Go to…</option><option>Prices</option></select></label><p id="where"></p>
<label>Unit <select><option>Metre</option><option>Mile</option></select></label>
<div contenteditable="true" aria-label="Frozen" onbeforeinput="event.preventDefault()">as it was</div>
<label><input type="checkbox" onclick="event.preventDefault()"> Stubborn</label>
<div role="spinbutton" tabindex="0" aria-label="Rooms" aria-valuemin="0" aria-valuemax="9" aria-valuenow="2" style="width:60px">2</div>
<div role="spinbutton" tabindex="0" aria-label="Nights" style="width:60px">07</div>
<div role="spinbutton" tabindex="0" aria-label="Minute" aria-valuenow="3" style="width:60px">03</div>
<div role="spinbutton" tabindex="0" aria-label="Held" aria-valuenow="4" style="width:60px">4</div>
<label>Seat <select><option>Aisle</option><option disabled>Window</option><optgroup label="Front" disabled><option>First row</option></optgroup></select></label>
<svg width="60" height="60"><circle id="knob" role="slider" tabindex="0" aria-label="Knob" aria-valuenow="40" aria-valuemin="0" aria-valuemax="100" cx="30" cy="30" r="25" /></svg>
<iframe style="width:300px;height:60px" srcdoc="<body contenteditable aria-label=Letter style='margin:0;height:50px'>Draft</body>"></iframe>
<label><input type="radio" name="unmoved" onclick="event.preventDefault()"> Unmoved</label>
<button role="checkbox" aria-checked="false" aria-label="Agree" onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">☐</button>
<script>
price.oninput = () => { const n = Number(price.value.replace(/\\D/g, '')); price.value = '$' + n.toLocaleString('en-US') };
tags.oninput = () => { if (tags.value.endsWith(',')) { chips.append(tags.value.slice(0, -1)); tags.value = '' } };
wide.onkeydown = e => wide.setAttribute('aria-valuenow', +wide.getAttribute('aria-valuenow') + (e.key === 'ArrowRight' ? 1 : -1));
wide.onpointerdown = e => { wide.setPointerCapture(e.pointerId); wide.onpointermove(e) };
wide.onpointermove = e => { if (e.buttons) wide.setAttribute('aria-valuenow', Math.round((e.clientX - wide.getBoundingClientRect().left) / 0.3)) };
knob.onkeydown = e => knob.setAttribute('aria-valuenow', +knob.getAttribute('aria-valuenow') + (e.key === 'ArrowRight' ? 1 : -1));
let typed = '';
for (const spin of document.querySelectorAll('[role=spinbutton]:not([aria-label=Held])')) spin.onkeydown = e => {
  const step = e.key === 'ArrowUp' ? 1 : e.key === 'ArrowDown' ? -1 : 0;
  if (spin.ariaLabel === 'Minute' ? !/\\d/.test(e.key) : step === 0) return;
  const now = spin.ariaLabel === 'Minute' ? +(typed = (typed + e.key).slice(-2)) : +spin.textContent + step;
  spin.textContent = now; if (spin.hasAttribute('aria-valuenow')) spin.setAttribute('aria-valuenow', now) };
code.oninput = e => { e.target.nextElementSibling?.focus() };
document.querySelector('[aria-label=Coarse]').onkeydown = e => { const s = e.currentTarget; s.setAttribute('aria-valuenow', +s.getAttribute('aria-valuenow') + (e.key === 'ArrowRight' ? 25 : -25)) };
document.querySelector('[aria-label=Placed]').onkeydown = e => { const { style } = e.currentTarget; style.left = Math.min(100, parseFloat(style.left) + (e.key === 'ArrowRight' ? 10 : -10)) + '%' };
for (const [name, min, max, from, to, side] of [['Volume', 0, 100, 0, 220, 'left'], ['Bass', -10, 10, 180, 0, 'top']]) {
  const handle = document.querySelector('[aria-label=' + name + ']');
  handle.onpointerdown = down => { handle.setPointerCapture(down.pointerId);
    handle.onpointermove = move => { const box = handle.parentElement.getBoundingClientRect(); const at = (side === 'left' ? move.clientX - box.left : move.clientY - box.top) - 10;
      const part = Math.min(1, Math.max(0, (at - from) / (to - from))); handle.style[side] = from + part * (to - from) + 'px';
      requestAnimationFrame(() => handle.setAttribute('aria-valuenow', Math.round(min + part * (max - min)))); } };
  handle.onpointerup = () => { handle.onpointermove = null };
}
for (const [name, step, sign] of [['Reversed', 1, -1], ['Snapped', 5, 1]]) {
  const handle = document.querySelector('[aria-label=' + name + ']');
  handle.onmousedown = () => {
    const move = event => { const box = handle.parentElement.getBoundingClientRect(); const at = Math.min(220, Math.max(0, event.clientX - box.left - 10));
      handle.style.left = at + 'px'; const part = at / 220 * 100; handle.setAttribute('aria-valuenow', Math.round((sign > 0 ? part : 100 - part) / step) * step) };
    addEventListener('mousemove', move); addEventListener('mouseup', () => removeEventListener('mousemove', move), { once: true });
  };
}
const whole = document.querySelector('[aria-label=Whole]');
whole.onmousedown = whole.onmousemove = event => { if (event.buttons === 1) whole.setAttribute('aria-valuenow', ((event.clientX - whole.getBoundingClientRect().left) / 3).toFixed(2)) };
</script>`;

/** A slider in a popup that is open while its field has the focus. */
export const POPUP = `<!doctype html><title>Popup</title><label>Alarm <input id="hourText"></label>
<div id="popup" style="position:absolute"><input type="range" min="0" max="23" value="3" aria-label="Ring at"></div><script>
hourText.onfocus = () => { popup.hidden = false };
popup.onmousedown = () => { popup.held = true };
addEventListener('mouseup', () => { if (popup.held) hourText.focus(); popup.held = false });
hourText.onblur = () => { if (!popup.held) popup.hidden = true };
</script>`;

/** A menu whose entries can be checked. */
export const MENU = `<!doctype html><title>Menu</title><div role="menu" aria-label="View">
<div role="menuitemcheckbox" aria-checked="true" tabindex="0" onclick="turn(this)">Ruler</div>
<button role="menuitemcheckbox" aria-checked="false" onclick="turn(this)">Grid</button>
<a role="menuitemcheckbox" aria-checked="false" href="#" onclick="turn(this)"><span>Name</span></a></div>
<script>const turn = entry => entry.setAttribute('aria-checked', entry.getAttribute('aria-checked') !== 'true')</script>`;
