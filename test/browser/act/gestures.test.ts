import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const LISTENER = `<title>Pad</title><div id="pad" tabindex="0" aria-label="Pad" style="width:200px;height:100px;border:1px solid"></div><div style="height:40px"></div>
  <div aria-label="Spot" style="position:absolute;left:400px;top:300px;width:20px;height:20px;font-size:8px">Spot</div>
  <script>const keys = e => ['Control', 'Shift', 'Alt', 'Meta'].filter(k => e.getModifierState(k)).join('+');
  const say = (e, more = '') => { document.title = [e.type, keys(e), e.target.getAttribute('aria-label'), more].filter(Boolean).join(' ') };
  let pressed; let wheels = 0;
  addEventListener('click', e => say(e, e.detail)); addEventListener('dblclick', e => say(e));
  addEventListener('contextmenu', e => { e.preventDefault(); say(e) });
  addEventListener('mousedown', () => { pressed = e => e; pressed.at = performance.now() });
  addEventListener('mouseup', e => { if (performance.now() - pressed.at > 400) setTimeout(() => say(e, 'after a while')) });
  addEventListener('wheel', e => { wheels += e.deltaY; say(e, wheels + ',' + e.deltaX) });
  addEventListener('keydown', e => { if (e.key.length === 1 || e.key === 'Enter') document.title += e.key === 'Enter' ? '!' : e.key });</script>`;

const FRAMED = `<title>Framed</title><p style="height:60px"></p><iframe sandbox="allow-scripts" style="width:300px;height:200px" srcdoc="<button ondblclick=&quot;this.textContent='opened'&quot; style='height:40px'>Open</button><div draggable=true aria-label=Card style='height:40px'>Card</div>"></iframe>`;

/** A frame without scripts: the browser's own drag and drop of the link starts, and no script sees it. */
const WITHOUT_SCRIPTS = `<title>Without</title><iframe sandbox style="width:300px;height:200px" srcdoc="<a href='#here' aria-label=Card style='display:block;height:40px'>Card</a>"></iframe>`;

const CANVAS_APP = `<title></title><canvas width="300" height="200"></canvas><script>addEventListener('keydown', e => { if (e.key.length === 1) document.title += e.key })</script>`;

/** Rows with buttons that a style rule renders under the pointer, a list of choices behind its chosen value, and a list sorted by handles. */
const WIDGETS = `<title>Widgets</title><style>.acts{display:none}.row:hover .acts{display:inline}li{width:200px;height:30px}</style>
  <div class="row">Ann <span class="acts"><button onclick="document.title='Ann'">Delete</button></span></div>
  <div class="row">Bob <span class="acts"><button onclick="document.title='Bob'">Delete</button></span></div>
  <div onmousedown="document.title='list'" style="position:relative;width:200px;height:32px"><input role="combobox" aria-label="City" style="width:180px"><div style="position:absolute;inset:0;background:white">Oslo</div></div>
  <ul id="list"><li><i>≡</i> One</li><li><i>≡</i> Two</li><li><i>≡</i> Three</li></ul>
  <script>let held = null;
  list.addEventListener('dragstart', () => {}); list.addEventListener('pointerdown', e => { held = e.target.closest('i')?.parentNode ?? null });
  list.addEventListener('pointermove', e => { const over = e.target.closest('li'); if (held && over && over !== held) over[held.compareDocumentPosition(over) & 4 ? 'after' : 'before'](held) });
  addEventListener('pointerup', () => { held = null })</script>`;

/** A week: the rows of the times lie above the days, and the place of the press decides the day and the time. */
const WEEK = `<title>Week</title><div id="week" style="position:relative;width:300px;height:160px">
  <table role="grid" style="position:absolute;inset:0;border-spacing:0;width:300px;height:160px"><tr>${['10', '11', '12'].map(day => `<td role="gridcell" data-date="2026-03-${day}"></td>`).join('')}</tr></table>
  <table style="position:absolute;inset:0;border-spacing:0;width:300px">${[8, 9, 10, 11].map(hour => `<tr><td data-time="${hour}:00" style="height:40px;padding:0"></td></tr>`).join('')}</table></div>
  <script>week.addEventListener('mousedown', e => { const box = week.getBoundingClientRect(); document.title = 'day ' + Math.floor((e.clientX - box.left) / 100) + ', ' + (8 + Math.floor((e.clientY - box.top) / 20) / 2) })</script>`;

/** A week as some libraries draw it: neither the columns nor the axis state a day or a time, and an event lies beside the columns. */
const DRAWN_WEEK = `<title>Drawn week</title><div style="display:flex;margin-left:60px">${['8 Sun', '9 Mon', '10 Tue'].map(day => `<div style="width:100px">${day}</div>`).join('')}</div>
  <div style="height:300px;overflow:auto;display:flex"><div style="width:60px;position:relative;height:960px;flex:none">${Array.from({ length: 23 }, (_, n) => `<span style="position:absolute;top:${(n + 1) * 40 - 7}px">${(n % 12) + 1} ${n < 11 ? 'am' : 'pm'}</span>`).join('')}<span style="position:absolute;top:950px;visibility:hidden">12 am</span></div>
  <div id="drawn" style="position:relative;display:flex;height:960px;flex:none">${'<div class="kit-column" style="width:100px"></div>'.repeat(3)}<div style="position:absolute;left:110px;top:400px;width:80px;height:30px">Room 12</div></div></div>
  <script>drawn.addEventListener('mousedown', () => { const away = requestAnimationFrame(() => addEventListener('mouseup', pick, { once: true })); addEventListener('mouseup', () => cancelAnimationFrame(away), { once: true }) });
  const pick = e => { const box = drawn.getBoundingClientRect(); document.title = 'day ' + Math.floor((e.clientX - box.left) / 100) + ', ' + Math.floor((e.clientY - box.top) / 20) / 2 }</script>`;

/** A code: the focus goes to the next field in the frame after each key. */
const CODE = `<title></title><div>${'<input aria-label="Digit" style="width:30px">'.repeat(4)}</div><script>
  const fields = [...document.querySelectorAll('input')];
  for (const [nth, field] of fields.entries()) field.addEventListener('input', () => { field.value = field.value.slice(-1); document.title = fields.map(f => f.value).join(''); requestAnimationFrame(() => fields[nth + 1]?.focus()) });</script>`;

describe('A gesture', () => {
  const { pages, agent } = pageHarness({
    '/week': WEEK,
    '/drawn-week': DRAWN_WEEK,
    '/code': CODE,
    '/': LISTENER,
    '/widgets': WIDGETS,
    '/framed': FRAMED,
    '/without-scripts': WITHOUT_SCRIPTS,
    '/empty': '<title>Empty</title><script>document.documentElement.remove()</script>',
    '/bare': CANVAS_APP,
  });

  let opened: string | null = null;
  async function open(path = '/'): Promise<void> {
    opened = path;
    await agent.observe(pages.url + path);
  }
  const openOnce = async (): Promise<void> => {
    if (opened !== '/') await open();
  };

  it('on a button that is shown on hover moves the pointer over its row first', async () => {
    await open('/widgets');
    expect((await agent.step(/Delete.*Bob/)).metadata.title).toBe('Bob');
  });

  it('on the input of a list of choices presses what covers it in its widget', async () => {
    await open('/widgets');
    expect((await agent.step(/City/)).metadata.title).toBe('list');
  });

  it('on a day of a week view presses the time that is its value', async () => {
    await open('/week');
    expect((await agent.step(/2026-03-12/, '9:30')).metadata.title).toBe('day 2, 9.5');
    await expect(agent.step(/2026-03-12/, '17:00')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('on a day that only its place in a drawn week tells presses the time that is its value', async () => {
    await open('/drawn-week');
    expect(agent.find(/"9 Mon"/).description).toBe('clickable "9 Mon", takes a time');
    expect((await agent.step(/"10 Tue"/, '9:30')).metadata.title).toBe('day 2, 9.5');
    expect((await agent.step(/"9 Mon"/, '18:00')).metadata.title).toBe('day 1, 18');
  });

  it('enters a code whose characters have a field each', async () => {
    await open('/code');
    await agent.step(/1st of 4/, '1234');
    expect(agent.lastObservation.metadata.title).toBe('1234');
  });

  it('on an entry of a list takes the handle that only a symbol marks', async () => {
    await open('/widgets');
    await agent.step('S17', `${agent.find(/One/).id},${agent.find(/Three/).id}`);
    expect(await agent.text()).toMatch(/Two.*Three.*One/s);
  });
  const title = () => agent.lastObservation.metadata.title;
  const pad = () => agent.find(/Pad/).id;

  it.each([
    ['S18', (id: string) => id, 'dblclick Pad'],
    ['S18', (id: string) => `Shift+${id}`, 'dblclick Shift Pad'],
    ['S18', () => '@410,310', 'dblclick Spot'],
    ['S19', (id: string) => `${id}@5,5`, 'contextmenu Pad'],
    ['S19', () => '@410,310', 'contextmenu Spot'],
    ['S19', () => '"Spot"', 'contextmenu Spot'],
    ['S21', () => 'Shift + "Spot"', 'click Shift Spot 1'],
    ['S20', (id: string) => `${id} 0.5`, 'mouseup Pad after a while'],
    ['S20', () => '@410,310, 0.5s', 'mouseup Spot after a while'],
    ['S21', (id: string) => `Ctrl+Alt+${id}`, 'click Control+Alt Pad 1'],
    ['S21', () => 'shift + @410,310', 'click Shift Spot 1'],
    ['S22', (id: string) => `${id} 300`, 'wheel Pad 300,0'],
    ['S22', (id: string) => `Control+${id}@9,9 -120`, 'wheel Control Pad -120,0'],
    ['S22', () => '@410,310 50,0', 'wheel Spot 0,50'],
  ])(
    '%s acts on an element, on a point of it or of the page, with keys held',
    async (action, value, newTitle) => {
      // The page adds up the turns of the wheel.
      await (action === 'S22' ? open() : openOnce());
      await agent.step(action, value(pad()));
      expect(title()).toBe(newTitle);
    },
  );

  it('S23 types into whatever has the focus, with Enter for a line break and after the text', async () => {
    await open('/bare');
    await agent.step('S23', 'ab\nc', { enter: true });
    expect(title()).toBe('abc');
    await open();
    await agent.step(/Pad/);
    await agent.step('S23', 'go\n');
    expect(title()).toBe('click Pad 1go!');
  });

  it('reaches elements in frames', async () => {
    await open('/framed');
    await agent.step('S18', agent.find(/"Open"/).id);
    expect(agent.find(/button/).name).toBe('opened');
  });

  it.each(['/framed', '/without-scripts'])(
    'S17 onto the same element of a sandboxed frame ends: %s',
    async path => {
      await open(path);
      const { id } = agent.find(/Card/);
      await agent.step('S17', `${id},${id}`);
      expect(agent.find(/Card/).name).toBe('Card');
    },
  );

  it('is answered on a page without a document element, never with INTERNAL', async () => {
    await open('/empty');
    const gestures = [
      ['S9', null],
      ['S10', '300'],
      ['S11', 'a'],
      ['S16', '@5,5'],
      ['S17', '@5,5 -> @50,50'],
      ['S17', '"words"'],
      ['S18', '@5,5'],
      ['S19', '@5,5'],
      ['S20', '@5,5 0'],
      ['S22', '@5,5 100'],
      ['S23', 'a'],
    ] as const;
    for (const [action, value] of gestures)
      expect(
        await agent.step(action, value).then(
          () => 'done',
          ({ code }) => code,
        ),
      ).toMatch(/done|ACTION_BLOCKED/);
  });

  it.each([
    ['S18', 'somewhere', /B1@5,5.*@400,300.*Shift\+B1/],
    ['S18', 'B1 twice', /B1@5,5/],
    ['S19', '@9999,5', /outside of the visible page/],
    ['S20', '@5,5 long', /seconds from 0 to 10/],
    ['S22', '@5,5', /B1 300.*B1 -300.*B1 100,0/],
    ['S17', 'B1', /B1@5,5 -> B2@40,8.*U1 -> B2.*quoted text/],
    ['S17', 'U9 -> B1', /no upload "U9"/],
    ['S16', '', /B1@5,5/],
    ['S23', '', /text to type/],
    ['S11', '', /Control\+A/],
  ])('%s with the wrong value "%s" is told the grammar', async (action, value, grammar) => {
    await openOnce();
    await expect(agent.step(action, value)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(grammar),
    });
  });
});
