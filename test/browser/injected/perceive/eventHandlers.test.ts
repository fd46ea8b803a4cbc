import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

describe('the handlers of an element', () => {
  it('name the only gesture that it reacts to', async () => {
    const observed = await openHtml(`<div id="a">File</div><div id="b">Folder</div><div id="c">Both</div>`);
    await observed.page.evaluate(() => {
      const listen = (id: string, ...types: string[]) => {
        for (const type of types) document.getElementById(id)?.addEventListener(type, () => {});
      };
      listen('a', 'dblclick');
      listen('b', 'contextmenu');
      listen('c', 'click', 'dblclick', 'contextmenu');
    });
    const { elements } = await observed.observe();
    expect(elements.map(({ description, gesture }) => [description, gesture])).toEqual([
      ['clickable "File", double click', 'double click'],
      ['clickable "Folder", right click', 'right click'],
      ['clickable "Both"', null],
    ]);
  });

  it('of every type are those of a framework, which say nothing about the element', async () => {
    const observed = await openHtml(`<div id="root"><p>Text</p><span class="rail"></span><a>Note</a>
      <button>Save</button><div id="card">Card</div></div>`);
    await observed.page.evaluate(() => {
      const types =
        `click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend
        mouseover mousemove dragstart drag dragover drop keydown keyup input change wheel`.split(/\s+/);
      for (const type of types) document.getElementById('root')?.addEventListener(type, () => {});
      // React marks what it handles clicks for with an empty handler.
      document.getElementById('card')?.addEventListener('click', () => {});
    });
    expect(await observed.lines()).toEqual(['button "Save"', 'clickable "Card"']);
  });
});

describe('style rules for :hover', () => {
  it('with lists inside of them are read', async () => {
    const observed =
      await openHtml(`<style>.a:not(.b, .c) .d:hover > .e, .f:is(.g:hover, .h) .i, li:hover > ul { display: block }
      ul ul { display: none }</style><ul><li>Menu<ul><li><a href="/x">Inner</a></li></ul></li></ul>`);
    expect(await observed.lines()).toEqual(['hoverable "Menu"']);
  });
});
