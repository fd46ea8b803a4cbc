import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();
const linesOf = async (body: string) => (await openHtml(body)).lines();
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

describe('The list has', () => {
  it('the areas of an image map, where they are in the image', async () => {
    const page =
      await openHtml(`<div style="zoom:2"><img usemap="#plan" width="300" height="200" alt="Plan" src="${PIXEL}"></div>
      <map name="plan"><area shape="rect" coords="0,0,140,200" href="#kitchen" alt="Kitchen"><area shape="circle" coords="220,100,60" href="#hall" alt="Hall"></map>`);
    expect(await page.lines()).toEqual(['link "Kitchen"', 'link "Hall"']);
    expect((await page.find('Kitchen')).box.slice(2)).toEqual([280, 400]);
  });

  it('no area of a map that no visible image uses', async () => {
    expect(
      await linesOf('<map name="plan"><area shape="rect" coords="0,0,9,9" href="#a" alt="Kitchen"></map>'),
    ).toEqual([]);
  });

  it('a button without a box that a style rule draws', async () => {
    const style = '<style>.c{display:contents}.u::before{content:"U"}</style>';
    expect(
      await linesOf(
        `${style}<a><button class="c u" title="Underline"></button></a><button class="c" title="Nothing"></button>`,
      ),
    ).toEqual(['button "U" "Underline"']);
  });

  it('a checkbox without a size that a style rule draws', async () => {
    expect(
      await linesOf(
        `<style>input{appearance:none;width:0;height:0;margin:0}input::after{content:'';display:block;width:50px;height:24px;background:teal}</style><input type="checkbox" aria-label="Night mode">`,
      ),
    ).toEqual(['checkbox "Night mode", not checked']);
  });

  it('what a strip of entries has moved out at the left, but not what a closed panel holds', async () => {
    const tabs = ['One', 'Two', 'Six'].map(name => `<button style="width:150px">${name}</button>`).join('');
    const strip = `<div style="width:250px;overflow:hidden;white-space:nowrap"><span style="display:inline-block;transform:translateX(-200px)">${tabs}</span></div>`;
    const panel = `<div style="overflow:hidden;position:relative;height:40px"><div style="position:absolute;left:-300px;width:200px"><button>Closed</button></div></div>`;
    const { elements } = await (await openHtml(strip + panel)).observe();
    expect(elements.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'One clipped',
      'Two valid',
      'Six valid',
    ]);
  });

  it('each column of a board with its cards, but not the only list of a page', async () => {
    const column = (name: string, cards: readonly string[]) =>
      `<section ondrop="" ondragover="" style="width:200px;height:120px"><h2>${name}</h2>${cards.map(card => `<div draggable="true">${card}</div>`).join('')}</section>`;
    const draggable = ['draggable "Read"', 'draggable "Write"'];
    expect(await linesOf(column('Todo', ['Read', 'Write']) + column('Done', []))).toEqual([
      'drop target "Todo"',
      ...draggable,
      'drop target "Done"',
    ]);
    expect(await linesOf(column('Todo', ['Read', 'Write']))).toEqual(draggable);
  });

  it('a hidden file field with the name of its own button, and a zone as a drop target', async () => {
    expect(
      await linesOf(`<div id="zone" style="width:200px;height:60px">Drop here</div><input type="file" id="photos" style="display:none"><button>Add photos</button>
        <button>Attach</button><input type="file" hidden><button>Send</button>
        <p><input type="file" hidden><button>Photo</button><input type="file" hidden><button>CV</button></p>
        <script>zone.ondragover = event => event.preventDefault(); zone.ondrop = () => {}</script>`),
    ).toEqual([
      'drop target "Drop here"',
      'file field "Add photos"',
      'button "Add photos"',
      'button "Attach"',
      'file field "Attach"',
      'button "Send"',
      'file field "Photo"',
      'button "Photo"',
      'file field "CV"',
      'button "CV"',
    ]);
  });

  it('the button for screen readers beside a canvas in which an application draws all, but not beside other controls', async () => {
    const hidden =
      '<div role="button" tabindex="0" aria-label="Enable accessibility" style="position:absolute;left:-1px;top:-1px;width:1px;height:1px"></div>';
    const canvas = '<canvas width="90" height="90" tabindex="0"></canvas>';
    expect(await linesOf(canvas + hidden)).toEqual(['canvas', 'button "Enable accessibility"']);
    expect(await linesOf(`<canvas width="90" height="90"></canvas>${hidden}`)).toEqual([
      'button "Enable accessibility"',
    ]);
    expect(await linesOf(`${canvas + hidden}<button>Save</button>`)).toEqual(['canvas', 'button "Save"']);
  });

  it('a grid that takes keys only, with its active cell', async () => {
    const cells = ['A1', 'A2'].map(name => `<td role="gridcell" id="${name}">${name}</td>`).join('');
    const grid = (script: string) =>
      `<table role="grid" id="g" tabindex="0" aria-label="Seats" aria-activedescendant="A2"><tr role="row">${cells}</tr></table><script>${script}</script>`;
    expect(await linesOf(grid('g.onkeydown = () => {}'))).toEqual(['grid "Seats", value "A2", takes keys']);
    expect(await linesOf(grid('g.onkeydown = () => {}; g.onclick = () => {}'))).not.toContain(
      'grid "Seats", value "A2", takes keys',
    );
  });

  it('a box that shows more below the pointer, with its name at rest', async () => {
    const page =
      await openHtml(`<style>ul{list-style:none}ul ul{position:absolute;visibility:hidden}li.open ul{visibility:visible}</style>
      <ul><li id="menu">Women<ul><li><a href="#c">Coats</a></li></ul></li></ul><div id="row">Invoice 17 <span id="x" style="display:none"><button>Delete</button></span></div>
      <script>menu.onmouseenter = () => menu.classList.add('open'); row.onmouseenter = () => { x.style.display = '' }</script>`);
    expect(await page.lines()).toEqual(['hoverable "Women"', 'hoverable "Invoice 17"']);
    await page.evaluate(`menu.classList.add('open'); x.style.display = ''`);
    expect(await page.lines()).toEqual([
      'hoverable "Women"',
      'link "Coats"',
      'hoverable "Invoice 17"',
      'button "Delete"',
    ]);
  });
});
