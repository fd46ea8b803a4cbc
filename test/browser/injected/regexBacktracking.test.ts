import { beforeAll, describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

/** Long runs of one character wherever a pattern is applied. A careless pattern would match from each character again: quadratic time. */
const RUNS = `
  const run = (text, end = '') => text.repeat(60_000) + end;
  const add = (name, properties, text = '') => document.querySelector('article').append(
    Object.assign(document.createElement(name), properties, text === '' ? {} : { textContent: text }));
  add('pre', {}, 'code' + run('\\n', 'x') + run('\\n'));
  add('pre', {}, run(' ', 'x') + run('\\u00a0', 'y') + run(' \\t', 'z'));
  add('p', {}, run('follow us ', '\\n!') + run(':', 'x'));
  add('img', { alt: 'A', srcset: run('a', ' b') }); add('img', { alt: 'B', srcset: run(',', ' b') }); add('img', { alt: 'C', srcset: 'a' + run(' ', 'b') });
  add('img', { alt: 'D', src: '/' + 'a'.repeat(2_000) + '/' + 'b'.repeat(2_000) + '/', className: run('icon'), id: run('-decor', '!') });
  add('script', { type: 'application/ld+json' }, '{"a":"-->' + run(' ', 'x') + '/*' + run(' ') + '"}');
  document.head.append(Object.assign(document.createElement('meta'), { content: run('og:') }));
  document.querySelector('meta').setAttribute('property', 'og:type');
  document.querySelector('label').append(run(':', 'x'));
  add('input', { type: 'text' }); add('b', {}, run(': ', 'x')); add('input', { title: '' });
`;
const SENTENCE =
  'A sentence with enough words, commas, and clauses, that a reader takes it for a paragraph. ';
const PAGES = {
  '/': `<title>Runs</title><article><h1>Runs</h1>${`<p>${SENTENCE.repeat(3)}</p>`.repeat(6)}<label>Field</label><button>Press</button></article><script>${RUNS}</script>`,
};

const { pages, agent } = pageHarness(PAGES, { operationTimeoutMs: 8_000 });
beforeAll(async () => {
  await agent.observe(`${pages.url}/`);
});

describe('with runs of 60,000 equal characters in the page', () => {
  it('scrape finishes within the deadline', async () => {
    const { data } = await agent.step('S2');
    expect(data?.markdown).toContain('takes it for a paragraph');
    expect(data?.structured).toHaveLength(2);
  });

  it('observe finishes within the deadline and limits the descriptions', async () => {
    const { space } = await agent.observe();
    expect(space?.actions.filter(({ description }) => description.length > 1_000)).toEqual([]);
  });

  it('a step with a value of 900,000 spaces fails at once with VALIDATION_ERROR', async () => {
    await expect(agent.step(/Press/, `1${' '.repeat(900_000)}x`)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
