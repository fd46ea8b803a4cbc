import { describe, expect, it } from 'vitest';
import { MASK } from '../../../../src/domain/space/pageText.ts';
import { STATED, TAKEN, WATCHED } from '../../../support/entryPages.ts';
import { pageHarness } from '../../../support/pageHarness.ts';
import { FIELDS, MENU, POPUP } from './fieldPages.ts';

const HEAR = `for (const type of ['mousedown', 'keydown']) window.addEventListener(type, () => { document.title += ' ' + type })`;

describe('A value that a step enters', () => {
  const { pages, agent } = pageHarness({
    '/': FIELDS,
    '/late': `<title>Late</title><label>Late <input onchange="" oninput="setTimeout(() => { this.value = '' }, 20)"></label>`,
    '/popup': POPUP,
    '/watched': WATCHED,
    '/taken': TAKEN,
    '/stated': STATED,
    '/menu': MENU,
    '/static': `<title>Static</title><style>button { display: none } input:user-invalid ~ button { display: block }</style>
      <form><input type="email" aria-label="Mail"><button type="button">Why</button></form><input aria-label="Other">`,
    '/popover': `<title>Page</title><button popovertarget="more">More</button><div popover id="more"><button>Inside</button></div><input aria-label="Beside"><script>${HEAR}; document.currentScript.remove()</script>`,
    '/svg': `<title>Page</title><input aria-label="Beside"><svg><script>${HEAR}</script></svg>`,
    '/shadow': `<title>Page</title><input aria-label="Beside"><div><template shadowrootmode="open"><script>${HEAR}</script></template></div>`,
    '/handler': `<title>Page</title><input aria-label="Beside"><svg onload="${HEAR}; this.remove()"></svg>`,
    '/frame': `<title>Page</title><input aria-label="Beside"><iframe srcdoc="<script>${HEAR.replaceAll('window', 'parent').replaceAll('document', 'parent.document')}</script>"></iframe>`,
  });

  let opened: string | null = null;
  /** Opens the page of the fields once for all tests, since each one has fields of its own; the others in each test. */
  async function open(path = '/'): Promise<void> {
    if (path !== '/' || opened !== path) await agent.observe(pages.url + path);
    opened = path;
  }
  const refusal = (code: string, held: RegExp) => ({ code, message: expect.stringMatching(held) });

  it.each([
    [/"Price"/, '1234', '$1,234'],
    [/"Digits"/, '555-123', '555123'],
    [/"Level"/, '14', '14'],
    [/"Party"/, '2026-03-09', '2026-03-09'],
    [/"Shifted"/, 'aB!', 'aB!'],
    [/"Unit"/, 'Mile', 'Mile'],
    [/"Masked"/, '1234', '1234'],
  ])('may be formatted by the page: %s %s', async (field, value, held) => {
    await open();
    await agent.step(field, value);
    expect(agent.find(field).value).toBe(held);
  });

  it('counts as entered by a person, also in a page without scripts: the page marks what is malformed', async () => {
    await open('/static');
    await agent.step(/"Mail"/, 'nobody');
    await agent.step(/"Other"/, 'other');
    expect(agent.find(/"Why"/).status).toBe('valid');
  });

  it('is entered after a press and with keys: the page hears them, and a popover closes', async () => {
    await open('/popover');
    await agent.step(/"More"/);
    expect(agent.find(/"Inside"/).status).toBe('valid');
    const { metadata } = await agent.step(/"Beside"/, 'ok');
    expect(metadata.title).toBe('Page mousedown mousedown keydown keydown');
    expect(agent.find(/"Beside"/).value).toBe('ok');
    expect(() => agent.find(/"Inside"/)).toThrow();
  });

  it.each(['svg', 'shadow', 'handler', 'frame'])(
    'is entered with keys if a script can hear them that the document does not show: %s',
    async path => {
      await open(`/${path}`);
      const { metadata } = await agent.step(/"Beside"/, 'k');
      expect(metadata.title).toBe('Page mousedown keydown');
    },
  );

  it('may be passed on, to a tag or to the next fields of a code', async () => {
    await open();
    await agent.step(/"Tags"/, 'red,');
    await agent.step(/"Tags"/, '👍,');
    await agent.step(/"Digit 1"/, '1234');
    expect(agent.find(/"Digit 4"/).value).toBe(MASK);
  });

  it.each([
    [/"Digits"/, 'abc', /holds "" now/],
    [/"Pieces/, '1.5', /holds "5?" now/],
    [/"Language"/, 'C#', /holds "" now/],
    [/"Fixed"/, '60', /did not keep "60".*holds "12" now/],
    [/"Short"/, 'abcdef', /holds "abc" now/],
    [/"Guests"/, '86', /holds "2" now/],
    [/"Even"/, '5', /holds "6" now/],
    [/"Locked"/, '60', /holds "5" now/],
    [/"Coarse"/, '60', /holds "75" now|holds "50" now/],
    [/"Stuck"/, '60', /holds "7" now/],
    [/"Held"/, '6', /holds "4" now/],
    [/"Snapped"/, '62', /holds "6[05]" now/],
    [/"Mute"/, '12', /holds "" now/],
    [/"Day"/, '2026-03-09', /holds "2026-09-03" now/],
    [/"Hour"/, '14:05', /holds "" now/],
    [/"Paint"/, '#ff8800', /holds "#112233" now/],
    [/"Size"/, 'Large', /holds "Small" now/],
    [/"Frozen"/, 'new text', /holds "as it was" now/],
    [/"Stubborn"/, 'true', /holds "not checked" now/],
  ])('answers VALUE_REFUSED with what the element holds, and the list: %s %s', async (field, value, held) => {
    await open();
    const { id } = agent.find(field);
    await expect(agent.step(field, value)).rejects.toMatchObject({
      ...refusal('VALUE_REFUSED', held),
      context: { space: { actions: expect.arrayContaining([expect.objectContaining({ id })]) } },
    });
  });

  it('is kept by a slider of a drawing and by the editable body of a frame', async () => {
    await open();
    await agent.step(/"Knob"/, '43');
    expect(agent.find(/"Knob"/).value).toBe('43');
    await agent.step(/"Letter"/, 'Dear reader');
    expect(agent.find(/"Letter"/).value).toBe('Dear reader');
  });

  it('is told by a note where a radio button does not say that it is checked', async () => {
    await open();
    const { id } = agent.find(/"Unmoved"/);
    await agent.step(id);
    expect(agent.lastObservation.space?.messages).toContainEqual(
      expect.objectContaining({ kind: 'note', text: `${id} does not say that it is checked now.` }),
    );
  });

  it('answers VALUE_REFUSED also if the page takes it back a moment later', async () => {
    await open('/late');
    await expect(agent.step(/"Late"/, 'word')).rejects.toMatchObject(
      refusal('VALUE_REFUSED', /holds "" now/),
    );
  });

  it('sets a slider in a popup that closes when the focus goes to it without a press', async () => {
    await open('/popup');
    await agent.step(/"Alarm"/);
    await agent.step(/"Ring at"/, '14');
    expect(agent.find(/"Ring at"/)).toMatchObject({ value: '14', status: 'valid' });
  });

  it.each([
    [
      /"Note"/,
      'a b c d',
      false,
      'VALUE_REFUSED',
      /holds "a.?" now. The focus went to button "Start editing"/,
    ],
    [/"Trap"/, 'a b c d', false, 'VALUE_REFUSED', /holds "" now. The focus went to button "Start editing"/],
    [/"Essay"/, 'a b c d', false, 'VALUE_REFUSED', /holds "a.?" now. The focus went to button "Start/],
    [/"Loose"/, 'a b c', false, 'VALUE_REFUSED', /holds "a b" now. It lost the focus/],
    [/"Query"/, 'go', true, 'ACTION_BLOCKED', /^Enter was not pressed .* The focus went to button "Start/],
    [/"Amount"/, '7', true, 'ACTION_BLOCKED', /^Enter was not pressed .* The focus went to button "Start/],
  ])('is not typed into what takes the focus meanwhile: %s', async (field, value, enter, code, reason) => {
    await open('/taken');
    await expect(agent.step(field, value, { enter })).rejects.toMatchObject(refusal(code, reason));
    expect((await agent.observe()).metadata.title).toBe('Taken');
  });

  it('may go on in a field that the page opens for it, and be sent by the button that gets the focus', async () => {
    await open('/taken');
    await agent.step(/"Pin"/, '1234', { enter: true });
    expect(agent.lastObservation.metadata.title).toBe('Taken sent');
    await agent.step(/"Find"/, 'all of it');
    expect(agent.find(/"Everywhere"/).value).toBe('all of it');
  });

  it('answers VALUE_REFUSED before Enter is pressed', async () => {
    await open();
    await expect(agent.step(/"Digits"/, 'abc', { enter: true })).rejects.toMatchObject({
      code: 'VALUE_REFUSED',
    });
  });

  it.each([
    [/"Level"/, '60', /from 0 to 14.*holds "\d+" now/],
    [/"Nothing"/, '14', /from 0 to 0.*holds "0" now/],
    [/"Dial"/, '14', /from 0 to 0.*holds "0" now/],
  ])('answers VALIDATION_ERROR and moves nothing outside of a slider: %s %s', async (field, value, held) => {
    await open();
    await expect(agent.step(field, value)).rejects.toMatchObject(refusal('VALIDATION_ERROR', held));
  });

  it.each([
    [/"Upright"/, '5', '5'],
    [/"Volume"/, '65', '65'],
    [/"Bass"/, '4', '4'],
    [/"Whole"/, '30', '30.00'],
    [/"Reversed"/, '70', '70'],
    [/"Snapped"/, '30', '30'],
    [/"Framed"/, '150', '150'],
    [/"Wide"/, '870', '870'],
  ])(
    'moves a slider that ignores the arrows to its sides, or is too long for them, by dragging or by the other arrows: %s %s',
    async (field, value, held) => {
      await open();
      await agent.step(field, value);
      expect(agent.find(field).value).toBe(held);
    },
  );

  it.each([
    [/"Rooms"/, '5', '5'],
    [/"Nights"/, '4', '4'],
    [/"Minute"/, '42', '42'],
  ])(
    'is set in a spinbutton by arrow keys, or by typing where they do nothing: %s %s',
    async (field, value, held) => {
      await open();
      await agent.step(field, value);
      expect(agent.find(field).value).toBe(held);
    },
  );

  it.each([
    ['Window', 'The option "Window" of'],
    ['First row', 'The option "Front: First row" of'],
    ['Wing', 'has no option "Wing"'],
  ])('is refused with the reason if it is a disabled option, or none: %s', async (value, reason) => {
    await open();
    await expect(agent.step(/"Seat"/, value)).rejects.toMatchObject(
      refusal('VALIDATION_ERROR', new RegExp(`${reason}.*It has: "Aisle"\\.`)),
    );
    expect(agent.find(/"Seat"/).params[0]?.values).toEqual(['Aisle']);
  });

  it('moves a slider without a value to the position that its list states', async () => {
    await open();
    expect(agent.find(/"Placed"/).value).toBe('0%');
    await agent.step(/"Placed"/, '70');
    expect(agent.find(/"Placed"/).value).toBe('70%');
    await expect(agent.step(/"Placed"/, '45')).rejects.toMatchObject({ code: 'VALUE_REFUSED' });
  });

  it('may be put back by a menu of places to go', async () => {
    await open();
    await agent.step(/"Jump"/, 'Prices');
    expect(agent.find(/"Jump"/).value).toBe('Go to…');
  });

  it('sets custom elements that state role, name and state only to the browser', async () => {
    await open('/stated');
    const lines = () => agent.lastObservation.space?.actions.map(({ description }) => description);
    const others = ['button "Close the panel", expanded, disabled', 'clickable "Plain"'];
    expect(lines()).toEqual(['switch "Night", not checked', 'checkbox "Blue", checked', ...others]);
    await agent.step(/"Night"/, 'true');
    await agent.step(/"Blue"/, 'true');
    await agent.step(/"Blue"/, 'false');
    expect(lines()).toEqual(['switch "Night", checked', 'checkbox "Blue", not checked', ...others]);
    expect(agent.lastObservation.metadata.title).toBe('Stated x-switch x-tick');
  });

  it('sets a button with the role of a checkbox', async () => {
    await open();
    await agent.step(/checkbox "Agree"/, 'true');
    expect(agent.find(/"Agree"/).checked).toBe(true);
    await agent.step(/checkbox "Agree"/, 'true');
    expect(agent.find(/"Agree"/).checked).toBe(true);
  });

  it('sets the entry of a menu that can be checked, whatever its tag is', async () => {
    await open('/menu');
    for (const entry of [/"Ruler"/, /"Grid"/, /"Name"/]) {
      await agent.step(entry, 'true');
      expect(agent.find(entry).checked).toBe(true);
      await agent.step(entry, 'true');
      expect(agent.find(entry).checked).toBe(true);
      await agent.step(entry, 'false');
      expect(agent.find(entry).checked).toBe(false);
    }
  });

  it.each([/"Watched"/, /"Below"/])(
    'is entered after the pointer has moved to %s and clicked it',
    async field => {
      await open('/watched');
      await agent.step(field, 'a');
      expect(agent.lastObservation.metadata.title).toMatch(/pointermove.* pointerdown focus click keydown/);
    },
  );
});
