import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

/** `name: status (layer)` of each listed element. */
async function layersOf(body: string): Promise<string[]> {
  const { elements } = await (await openHtml(body)).observe();
  return elements.map(
    ({ name, status, layer }) => `${name}: ${status}${layer === null ? '' : ` (${layer})`}`,
  );
}

const VEIL = 'position:fixed;inset:0;background:#0008;z-index:9';
const PAGE = '<button>Near</button><p style="height:2000px">Text</p><button>Far</button>';

describe('the layer of an element', () => {
  it.each([
    [
      'a dialog above a veil',
      `<div style="${VEIL}"></div><div role="dialog" style="position:fixed;top:90px;left:90px;z-index:10;background:#fff"><button>Yes</button></div>`,
    ],
    [
      'a dialog inside its veil',
      `<div class="modal" style="${VEIL}"><div role="dialog"><button>Yes</button></div></div>`,
    ],
    [
      'a modal dialog of the browser',
      '<dialog id="d"><button>Yes</button></dialog><script>d.showModal()</script>',
    ],
    [
      'a modal dialog of the browser in a shadow tree',
      `<x-dialog></x-dialog><script>const root = document.querySelector('x-dialog').attachShadow({ mode: 'open' });
       root.innerHTML = '<dialog><button>Yes</button></dialog>'; root.firstChild.showModal()</script>`,
    ],
    [
      'a dialog whose veil is in its shadow tree',
      `<x-dialog role="dialog" style="position:fixed;inset:0;z-index:9"><button>Yes</button></x-dialog><script>document.querySelector('x-dialog').attachShadow({ mode: 'open' }).innerHTML =
       '<div style="position:absolute;inset:0;background:#0008"></div><div style="position:absolute;top:90px;left:90px;background:#fff"><slot></slot></div>'</script>`,
    ],
    [
      'a menu above a transparent veil',
      `<div role="presentation" style="position:fixed;inset:0;z-index:9"><div style="position:fixed;inset:0"></div>
       <div style="position:absolute;top:5px;left:5px;background:#fff"><ul role="menu"><li role="menuitem">Yes</li></ul></div></div>`,
    ],
    [
      'a layer over the window that has no role',
      `<div class="modal in" style="${VEIL}"><div style="width:300px;height:200px;background:#fff"><button>Yes</button></div></div>`,
    ],
    [
      'a layer over the window that says nothing of itself',
      `<div style="${VEIL};display:flex"><div style="margin:auto;background:#fff"><button>Yes</button></div></div>`,
    ],
    [
      'a layer over the window in a shadow tree that has no role',
      `<x-consent></x-consent><script>document.querySelector('x-consent').attachShadow({ mode: 'open' }).innerHTML =
       '<div style="${VEIL}"><div style="position:absolute;bottom:0;width:100%;height:200px;background:#fff"><button>Yes</button></div></div>'</script>`,
    ],
    [
      'a menu of a page that takes no presses meanwhile',
      `<style>body { pointer-events:none }</style><div role="menu" style="position:fixed;top:90px;left:90px;background:#fff;pointer-events:auto"><div role="menuitem">Yes</div></div>`,
    ],
  ])('is top in %s, and below for what it covers', async (_kind, overlay) => {
    expect(await layersOf(PAGE + overlay)).toEqual([
      'Near: covered (below)',
      'Far: covered (below)',
      'Yes: valid (top)',
    ]);
  });

  it('is the normal one for what stands above the veil of a dialog in a shadow tree', async () => {
    const dialog = `<x-storage></x-storage><script>const root = document.querySelector('x-storage').attachShadow({ mode: 'open' });
      root.innerHTML = '<x-box role="dialog" style="position:fixed;inset:0;z-index:9"><button>Yes</button></x-box>'; root.firstChild.attachShadow({ mode: 'open' }).innerHTML =
      '<div style="position:relative;height:100%"><div style="position:absolute;top:90px;left:90px;background:#fff"><slot></slot></div></div>'</script>`;
    const palette = '<div style="position:fixed;bottom:9px;left:300px;z-index:10"><button>Red</button></div>';
    expect(await layersOf(PAGE + palette + dialog)).toEqual([
      'Near: covered (below)',
      'Far: covered (below)',
      'Red: valid',
      'Yes: valid (top)',
    ]);
  });

  it('is top in a menu and a box of suggestions over the page, whatever their classes', async () => {
    const text = '<main><p style="height:300px">Text of the page</p></main>';
    const menu =
      '<div style="position:absolute;top:20px;left:20px;width:200px;background:#fff"><ul role="listbox"><li role="option">One</li></ul></div>';
    const list =
      '<ul class="autocomplete-suggestions" style="position:absolute;top:120px;width:200px;background:#fff"><li><a href="/x">Two</a></li></ul>';
    expect(await layersOf(text + menu + list)).toEqual(['One: valid (top)', 'Two: valid (top)']);
    const inShadow = `<x-menu></x-menu><script>document.querySelector('x-menu').attachShadow({ mode: 'open' }).innerHTML = \`${menu}\`</script>`;
    expect(await layersOf(text + inShadow)).toEqual(['One: valid (top)']);
  });

  it('is not top for a menu that has its own place in the page', async () => {
    const menu =
      '<aside style="position:fixed;left:0;top:0;width:200px"><ul role="menu"><li role="menuitem">One</li></ul></aside>';
    expect(await layersOf(`${menu}<main style="margin-left:220px"><button>Two</button></main>`)).toEqual([
      'One: valid (fixed)',
      'Two: valid',
    ]);
  });

  it('is the normal one below a bar of the window from which scrolling brings it out', async () => {
    const bar = '<div style="position:fixed;left:0;right:0;height:80px;background:#ccc;bottom:0">Bar</div>';
    const page = (after: number) =>
      `<div style="height:calc(100vh - 60px)"></div><button>Save</button><div style="height:${after}px"></div>${bar}`;
    expect(await layersOf(page(500))).toEqual(['Save: valid']);
    const sticky = `<div style="height:calc(100vh - 60px)"></div><button>Save</button><div style="height:500px"></div><p style="position:sticky;margin:0;height:80px;background:#ccc;bottom:0">Bar</p>`;
    expect(await layersOf(sticky)).toEqual(['Save: valid']);
    expect(await layersOf(page(0))).toEqual(['Save: covered']);
  });

  it('is fixed in a box that stays in its place', async () => {
    const page = `<a href="/a">Link</a><p style="height:2000px"></p><div style="position:fixed;bottom:0"><button>Agree</button></div>`;
    expect(await layersOf(page)).toEqual(['Link: valid', 'Agree: valid (fixed)']);
  });

  it('is the normal one behind a background that fills the window', async () => {
    const picture = '<div style="width:100%;height:100%"></div>';
    const background = `<div style="position:fixed;inset:0;z-index:-1"><b>Brand</b>${picture}</div>`;
    const page = `<header style="margin:40px">Text</header>${background}<main style="margin:40px;height:900px">${PAGE}</main>`;
    expect(await layersOf(page)).toEqual(['Near: valid', 'Far: valid']);
  });

  it('is top in a layer that comes before the page, and below for what comes after it', async () => {
    const layer = `<div class="modal" style="${VEIL}"><p><button>Yes</button></p></div>`;
    expect(await layersOf(layer + PAGE)).toEqual([
      'Yes: valid (top)',
      'Near: covered (below)',
      'Far: covered (below)',
    ]);
  });

  it('is the normal one in a box that has its place outside of the hidden overflow around it', async () => {
    const inside = (style: string) =>
      `<div style="overflow:hidden;height:0;${style}"><nav style="position:absolute;top:50px"><p><button>Menu</button></p></nav></div>`;
    expect(await layersOf(inside(''))).toEqual(['Menu: valid']);
    expect(await layersOf(inside('position:relative'))).toEqual([]);
    expect(await layersOf(inside('transform:scale(1)'))).toEqual([]);
  });

  it('is the normal one in an application that fills the window', async () => {
    const page = `<div style="position:absolute;inset:0"><canvas onclick="x()" style="position:absolute;inset:0;width:100%;height:100%"></canvas>
      <div style="position:absolute;top:5px;left:5px"><button>Zoom</button></div></div>`;
    expect((await layersOf(page)).at(-1)).toBe('Zoom: valid');
  });
});

describe('a fixed panel beside the window', () => {
  const panel = (more: string) =>
    `<button>Page</button><div style="position:fixed;top:0;height:100%;width:300px;${more}"><div><button>In the panel</button></div></div>`;

  it.each([
    ['to the right', 'right:0;transform:translateX(306px)'],
    ['to the left', 'left:-320px'],
    ['to the right, with a box that scrolls', 'left:1300px;overflow:auto'],
    ['below', 'left:0;transform:translateY(110%)'],
  ])('is not listed: %s', async (_name, style) => {
    expect(await layersOf(panel(style))).toEqual(['Page: valid']);
  });

  it('is listed if it stays at its place of a transformed box, which scrolls', async () => {
    expect(
      await layersOf(`<div style="transform:scale(1);height:3000px">${panel('top:1500px')}</div>`),
    ).toEqual(['Page: valid', 'In the panel: valid']);
  });
});

describe('a box of a shadow tree around a slot', () => {
  const host = (inner: string, slotted: string) =>
    `<div id="host">${slotted}</div><script>{
      const root = document.getElementById('host').attachShadow({ mode: 'open' });
      root.innerHTML = ${JSON.stringify(inner)};
      root.querySelector('#box').addEventListener('click', () => {});
    }</script>`;

  it('is reached where its slotted content lies above it', async () => {
    expect(await layersOf(host('<div id="box"><slot></slot></div>', '<span>Notes</span>'))).toEqual([
      'Notes: valid',
    ]);
  });

  it('is not listed beside the controls in its slot', async () => {
    expect(
      await layersOf(
        host(
          '<div id="box"><slot name="nav"></slot></div>',
          '<i slot="nav"><a role="tab">One</a><a role="tab">Two</a></i>',
        ),
      ),
    ).toEqual(['One: valid', 'Two: valid']);
  });

  it('is a slot itself, and not listed beside its control', async () => {
    expect(await layersOf(host('<slot id="box"></slot>', '<button>Menu</button>'))).toEqual(['Menu: valid']);
  });

  it('is a control, and lends its cursor to no part in its slot', async () => {
    const item = '<div id="box" role="menuitem" tabindex="0" style="cursor:pointer"><slot></slot></div>';
    expect(await layersOf(host(item, '<div><span>Cut</span></div>'))).toEqual(['Cut: valid']);
  });

  it('is listed if the controls in its slot are not shown', async () => {
    const list = '<div id="box">Choose<div style="display:none"><slot></slot></div></div>';
    expect(await layersOf(host(list, '<div role="option">A</div><div role="option">B</div>'))).toEqual([
      'Choose: valid',
    ]);
  });
});
