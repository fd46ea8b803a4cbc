import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { visit, show } = observerHarness();

/** Descriptions of what is listed though it must not be, and sources of what is missing. */
async function judged(path: string): Promise<{ unwanted: string[]; missing: string[] }> {
  const observed = await visit(path);
  const { elements } = await observed.observe();
  const wanted = await observed.attributes('data-want');
  const keys = elements.map(({ key }) => key);
  const missing = await observed.evaluate<string[]>(
    `(() => { const listed = new Set(${JSON.stringify(keys)}.map(key => __pagespace.element(key)));
      const wanted = Document.prototype.querySelectorAll.call(document, '[data-want]');
      return Array.from(wanted).filter(element => !listed.has(element)).map(element => element.outerHTML); })()`,
  );
  const unwanted = elements
    .filter((_, index) => wanted[index] === null)
    .map(({ description }) => description);
  return { unwanted, missing };
}

describe('what is listed', () => {
  for (const path of [
    '/forms',
    '/widgets',
    '/visibility',
    '/modal',
    '/dialog',
    '/hostile',
    '/frames',
    '/spa',
  ])
    it(`is all that can be acted on, and nothing else, on ${path}`, async () => {
      expect(await judged(path)).toEqual({ unwanted: [], missing: [] });
    });

  it('reaches into open and closed shadow trees', async () => {
    const observed = await visit('/shadow');
    expect(await observed.lines()).toEqual([
      'button "Open shadow"',
      'clickable "open div"',
      'button "Slotted"',
      'button "Closed shadow"',
      'textbox "closed input"',
    ]);
  });

  it('leaves frames their place in document order', async () => {
    const { frames } = await (await visit('/frames')).observe();
    expect(frames.map(({ before, name, usable }) => ({ before, name, usable }))).toEqual([
      { before: 1, name: 'Same site', usable: true },
      { before: 2, name: 'Other site', usable: true },
    ]);
  });

  it('says covered and clipped, and reaches what scrolling shows', async () => {
    const { elements } = await (await visit('/visibility')).observe();
    const statuses = Object.fromEntries(elements.map(({ name, status }) => [name, status]));
    expect(statuses).toMatchObject({
      'under a veil': 'covered',
      'cut off': 'clipped',
      'in the scroller': 'valid',
      'below the fold': 'valid',
    });
  });

  it('lists what was scrolled out of a region, above its top too', async () => {
    const observed = await show(
      `<div id="list" style="height:60px;overflow-y:scroll">${[1, 2, 3, 4, 5, 6].map(n => `<p style="height:40px"><button>Part ${n}</button></p>`).join('')}</div>`,
    );
    await observed.page.evaluate(() => document.getElementById('list')?.scrollTo(0, 999));
    const { elements } = await observed.observe();
    const parts = elements.filter(({ name }) => /^Part/.test(name));
    expect(parts.map(({ status }) => status)).toEqual(Array(6).fill('valid'));
  });

  it('takes the sign by which an entry is held for part of the entry', async () => {
    const observed = await show(
      '<ul id="list"><li class="ui-sortable-handle"><span class="arrow-sign" style="display:inline-block;width:9px;height:9px"></span>Tea</li></ul>',
    );
    await observed.page.evaluate(() =>
      document.getElementById('list')?.addEventListener('mousedown', () => {}),
    );
    expect(await observed.lines()).toEqual(['draggable "Tea"']);
  });

  it('takes a box of entries that only the cursor speaks for as those entries', async () => {
    const observed = await show(
      '<span style="cursor:pointer"><i class="more" style="display:inline-block;width:9px;height:9px"></i><ul><li>Share</li><li>Mute</li></ul></span>',
    );
    await observed.page.evaluate(() => {
      for (const entry of document.querySelectorAll('li, i')) entry.addEventListener('click', () => {});
    });
    expect(await observed.lines()).toEqual(['clickable more', 'clickable "Share"', 'clickable "Mute"']);
  });

  it('lists the disabled as excluded', async () => {
    const { elements } = await (await visit('/forms')).observe();
    const disabled = elements.filter(element => element.disabled);
    expect(disabled.map(({ name, status }) => [name, status])).toEqual([
      ['Not yet', 'excluded'],
      ['Never', 'excluded'],
    ]);
  });

  it('takes a box around one action for that action', async () => {
    const observed = await show('<ul><li onclick="1"><a href="/x">Only this</a></li></ul>');
    expect(await observed.lines()).toEqual(['link "Only this"']);
  });

  it('takes a link without an address in a handling box for an action', async () => {
    const observed = await show('<div id="box">Ann <a class="phone">Phone</a></div>');
    await observed.page.evaluate(() => document.getElementById('box')?.addEventListener('click', () => {}));
    expect(await observed.lines()).toContain('clickable "Phone"');
  });

  it('does not list the root that handles for a whole application', async () => {
    const observed = await show(
      `<div id="app" style="min-height:700px">${'<p>text</p><button>Do</button>'.repeat(12)}</div>`,
    );
    await observed.page.evaluate(() => document.getElementById('app')?.addEventListener('click', () => {}));
    const { elements } = await observed.observe();
    expect(elements.every(({ role }) => role === 'button')).toBe(true);
  });

  it('reads 50,000 nodes', async () => {
    const { elements } = await (await visit('/nodes?n=50000')).observe();
    expect(elements).toHaveLength(2500);
  });

  it('looks at no more than 25,000 elements that can be acted on', async () => {
    const observed = await show('');
    await observed.page.evaluate(() => {
      document.body.innerHTML = '<a href="/">x</a> '.repeat(26_000);
    });
    expect((await observed.observe()).elements).toHaveLength(25_000);
  });

  it('survives nesting that would exhaust the stack', async () => {
    const observed = await show('');
    await observed.page.evaluate(() => {
      let at: Element = document.body;
      for (let depth = 0; depth < 1500; depth++) at = at.appendChild(document.createElement('div'));
      at.appendChild(document.createElement('button')).textContent = 'Deep';
    });
    const { elements } = await observed.observe();
    expect(elements.map(({ name }) => name)).toEqual(['Deep']);
  });
});
