import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let bench: ScrapeHarness;
beforeAll(async () => {
  bench = await ScrapeHarness.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const MATH =
  '<math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math>';
const CLIPPED = 'style="position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden"';

describe('a formula is told in TeX, once', () => {
  it.each([
    ['by itself', MATH],
    ['in alttext', '<math alttext="E=mc^2"><mi>E</mi></math>'],
    [
      'KaTeX',
      `<span class="katex"><span ${CLIPPED}>${MATH}</span><span aria-hidden="true">E=mc2</span></span>`,
    ],
    [
      'MathJax',
      `<mjx-container><mjx-math aria-hidden="true">E=mc2</mjx-math><mjx-assistive-mml ${CLIPPED}>${MATH}</mjx-assistive-mml></mjx-container>`,
    ],
    [
      'MediaWiki',
      `<span><span style="display:none">${MATH}</span><img src="/f.svg" aria-hidden="true" alt="E=mc^2"></span>`,
    ],
  ])('%s', async (_, markup) => {
    const { markdown } = await bench.scrapeMarkup(`<main><p>Then ${markup} is famous.</p></main>`);
    expect(markdown).toBe('Then $E=mc^2$ is famous.');
  });

  it('and one that is hidden without being drawn stays hidden', async () => {
    const { text } = await bench.scrapeMarkup(`<main><p>Guess: <span hidden>${MATH}</span></p></main>`);
    expect(text).toBe('Guess:');
  });

  it('displayed ones in a block of their own', async () => {
    const { markdown } = await bench.scrapeMarkup(
      '<main><math display="block" alttext="a+b"><mi>a</mi></math></main>',
    );
    expect(markdown).toBe('$$a+b$$');
  });
});
