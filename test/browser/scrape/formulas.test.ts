import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const MATH =
  '<math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math>';
const CLIPPED = 'style="position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden"';

describe('Markdown has the TeX of a formula, once', () => {
  const formulas = [
    ['MathML with an annotation', MATH],
    ['MathML with alttext', '<math alttext="E=mc^2"><mi>E</mi></math>'],
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
    [
      'MediaWiki with a command',
      `<span><span style="display:none">${MATH}</span><img src="/f.svg" aria-hidden="true" alt="{\\displaystyle E=mc^2}"></span>`,
    ],
  ] as const;
  it('of MathML, KaTeX, MathJax and MediaWiki', async () => {
    const parts = await harness.scrapeParts(formulas.map(([, markup]) => `<p>Then ${markup} is famous.</p>`));
    for (const [at, [what]] of formulas.entries())
      expect(parts[at]?.markdown, what).toBe('Then $E=mc^2$ is famous.');
  });

  it('but not of a hidden formula without a visible drawing', async () => {
    const { text } = await harness.scrapeMarkup(`<main><p>Guess: <span hidden>${MATH}</span></p></main>`);
    expect(text).toBe('Guess:');
  });

  it('in $$ if the formula is displayed as a block', async () => {
    const { markdown } = await harness.scrapeMarkup(
      '<main><math display="block" alttext="a+b"><mi>a</mi></math></main>',
    );
    expect(markdown).toBe('$$a+b$$');
  });
});
