import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openPath, openHtml } = observerHarness();

/**
 * The descriptions of listed elements without `data-want` that are not below a dialog, and the HTML of elements with it that are
 * not listed.
 */
async function comparison(path: string): Promise<{ unwanted: string[]; missing: string[] }> {
  const observed = await openPath(path);
  const { elements } = await observed.observe();
  const wanted = await observed.attributes('data-want');
  const keys = elements.map(({ key }) => key);
  const missing = await observed.evaluate<string[]>(
    `(() => { const listed = new Set(${JSON.stringify(keys)}.map(key => __pagespace.element(key)));
      const wanted = Document.prototype.querySelectorAll.call(document, '[data-want]');
      return Array.from(wanted).filter(element => !listed.has(element)).map(element => element.outerHTML); })()`,
  );
  const unwanted = elements
    .filter(({ layer }, index) => wanted[index] === null && layer !== 'below')
    .map(({ description }) => description);
  return { unwanted, missing };
}

describe('observeDocument', () => {
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
    it(`lists every interactive element and nothing else on ${path}`, async () => {
      expect(await comparison(path)).toEqual({ unwanted: [], missing: [] });
    });

  it('lists elements in open and closed shadow trees', async () => {
    const observed = await openPath('/shadow');
    expect(await observed.lines()).toEqual([
      'button "Open shadow"',
      'clickable "open div"',
      'button "Slotted"',
      'button "Closed shadow"',
      'textbox "closed input"',
    ]);
  });

  it('reports where frames are in document order', async () => {
    const { frames } = await (await openPath('/frames')).observe();
    expect(frames.map(({ before, name, usable }) => ({ before, name, usable }))).toEqual([
      { before: 1, name: 'Same site', usable: true },
      { before: 2, name: 'Other site', usable: true },
    ]);
  });

  it('reports covered and clipped elements, and those that scrolling would show as valid', async () => {
    const { elements } = await (await openPath('/visibility')).observe();
    const statuses = Object.fromEntries(elements.map(({ name, status }) => [name, status]));
    expect(statuses).toMatchObject({
      'under a veil': 'covered',
      'cut off': 'clipped',
      'in the scroller': 'valid',
      'below the fold': 'valid',
    });
  });

  it('lists elements scrolled out of a region, at its top too', async () => {
    const observed = await openHtml(
      `<div id="list" style="height:60px;overflow-y:scroll">${[1, 2, 3, 4, 5, 6].map(n => `<p style="height:40px"><button>Part ${n}</button></p>`).join('')}</div>`,
    );
    await observed.page.evaluate(() => document.getElementById('list')?.scrollTo(0, 999));
    const { elements } = await observed.observe();
    const parts = elements.filter(({ name }) => /^Part/.test(name));
    expect(parts.map(({ status }) => status)).toEqual(Array(6).fill('valid'));
  });

  it('lists an entry with a drag icon as one element', async () => {
    const observed = await openHtml(
      '<ul id="list"><li class="ui-sortable-handle"><span class="arrow-sign" style="display:inline-block;width:9px;height:9px"></span>Tea</li></ul>',
    );
    await observed.page.evaluate(() =>
      document.getElementById('list')?.addEventListener('mousedown', () => {}),
    );
    expect(await observed.lines()).toEqual(['draggable "Tea"']);
  });

  it('lists the entries of a box with a pointer cursor, not the box', async () => {
    const observed = await openHtml(
      '<span style="cursor:pointer"><i class="more" style="display:inline-block;width:9px;height:9px"></i><ul><li>Share</li><li>Mute</li></ul></span>',
    );
    await observed.page.evaluate(() => {
      for (const entry of document.querySelectorAll('li, i')) entry.addEventListener('click', () => {});
    });
    expect(await observed.lines()).toEqual(['clickable "more"', 'clickable "Share"', 'clickable "Mute"']);
  });

  it('lists disabled elements as excluded', async () => {
    const { elements } = await (await openPath('/forms')).observe();
    const disabled = elements.filter(element => element.disabled);
    expect(disabled.map(({ name, status }) => [name, status])).toEqual([
      ['Not yet', 'excluded'],
      ['Never', 'excluded'],
    ]);
  });

  it('lists a box around one link as that link', async () => {
    const observed = await openHtml('<ul><li onclick="1"><a href="/x">Only this</a></li></ul>');
    expect(await observed.lines()).toEqual(['link "Only this"']);
  });

  it('lists a link without an address in a box with a click handler', async () => {
    const observed = await openHtml('<div id="box">Ann <a class="phone">Phone</a></div>');
    await observed.page.evaluate(() => document.getElementById('box')?.addEventListener('click', () => {}));
    expect(await observed.lines()).toContain('clickable "Phone"');
  });

  it('does not list the root element that handles clicks for a whole application', async () => {
    const observed = await openHtml(
      `<div id="app" style="min-height:700px">${'<p>text</p><button>Do</button>'.repeat(12)}</div>`,
    );
    await observed.page.evaluate(() => document.getElementById('app')?.addEventListener('click', () => {}));
    const { elements } = await observed.observe();
    expect(elements.every(({ role }) => role === 'button')).toBe(true);
  });

  // Reading the labels of each field by itself took time that grew with the square of their number: minutes for these.
  it('reads a document with 100,000 nodes and lists at most 25,000 elements, also of fields with labels', async () => {
    const observed = await openHtml('');
    await observed.page.evaluate(() => {
      document.body.innerHTML = '<label>Size <input type=checkbox></label> '.repeat(25_001);
    });
    const { elements } = await observed.observe();
    expect([elements.length, elements.at(-1)?.name]).toEqual([25_000, 'Size']);
  });

  it('finds the labels of a field wherever HTML lets them be', async () => {
    const observed = await openHtml(
      `<label for="a">First</label> <input id="a"> <label for="a">name</label> <p><label>Age <input></label>
      <p><label for="c">Save <b>it</b></label> <button id="c"></button> <p><label for="none">Nothing</label> <p><div id="host"></div>
      <p><label for="a2">Outside</label>`,
    );
    await observed.page.evaluate(() => {
      const root = document.getElementById('host')?.attachShadow({ mode: 'open' });
      if (root) root.innerHTML = '<label for="a2">In a shadow tree</label> <input id="a2">';
    });
    const { elements } = await observed.observe();
    expect(elements.map(({ name }) => name)).toEqual(['First name', 'Age', 'Save it', 'In a shadow tree']);
  });

  it('reads 1,500 levels of nesting', async () => {
    const observed = await openHtml('');
    await observed.page.evaluate(() => {
      let deepest: Element = document.body;
      for (let depth = 0; depth < 1500; depth++) deepest = deepest.appendChild(document.createElement('div'));
      deepest.appendChild(document.createElement('button')).textContent = 'Deep';
    });
    const { elements } = await observed.observe();
    expect(elements.map(({ name }) => name)).toEqual(['Deep']);
  });
});
