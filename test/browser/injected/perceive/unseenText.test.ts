import { describe, expect, test } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

describe('the name of an element leaves out text that people cannot see:', () => {
  test.each([
    ['not rendered', 'display:none'],
    ['invisible', 'visibility:hidden'],
    ['without opacity', 'opacity:0'],
    ['of font size 0', 'font-size:0'],
    ['transparent', 'color:transparent'],
    ['in the color of the background', 'color:#fff'],
    ['nearly in the color of the background', 'color:#fdfdfd'],
    ['off screen', 'position:absolute;left:-9999px'],
  ])('%s', async (_, style) => {
    const observed = await openHtml(
      `<a href="/" style="color:#00f">Save<span style="${style}"> and send money</span></a>`,
    );
    expect((await observed.observe()).elements[0]?.name).toBe('Save');
  });
});

test.each([
  [
    'text for screen readers',
    '<a href="/">More<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"> about tea</span></a>',
    'More about tea',
  ],
  [
    'white text on a dark background',
    '<a href="/" style="background:#000">A<span style="color:#fff"> bright</span></a>',
    'A bright',
  ],
  [
    'text in gradient letters',
    '<a href="/">A<span style="color:transparent;background:linear-gradient(red,blue);background-clip:text;-webkit-background-clip:text"> gradient</span></a>',
    'A gradient',
  ],
  [
    'the only text, though it is off screen',
    '<a href="/" style="display:block;width:20px;height:20px;background:red"><span style="position:absolute;left:-9999px">Home</span></a>',
    'Home',
  ],
])('the name of an element has %s', async (_, markup, name) => {
  const observed = await openHtml(markup);
  expect((await observed.observe()).elements.map(element => element.name)).toContain(name);
});
