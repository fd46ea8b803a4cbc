import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { groupMembers, processorMs } from '../../../src/browser/limits/processTable.ts';
import { SecretMask } from '../../../src/domain/secretMask.ts';
import { registeredBrowsers } from '../../support/browserProcesses.ts';
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

/** Processor time of an operation on the page, which a linear pattern leaves nearly unused and a careless one exceeds. */
const MAX_PROCESSOR_MS = 3_000;

const registryPath = mkdtempSync(join(tmpdir(), 'pagespace-runs-'));
const { pages, agent } = pageHarness(PAGES, { operationTimeoutMs: 60_000, registryPath });
afterAll(() => rmSync(registryPath, { recursive: true, force: true }));

/** Returns the result of an operation. @throws AssertionError when the browser used too much processor time for it */
async function cheaply<T>(operation: () => Promise<T>): Promise<T> {
  const usedMs = (): number =>
    registeredBrowsers(registryPath)
      .flatMap(({ group }) => groupMembers(group))
      .reduce((sum, { pid }) => sum + processorMs(pid), 0);
  const before = usedMs();
  const result = await operation();
  expect(usedMs() - before).toBeLessThan(MAX_PROCESSOR_MS);
  return result;
}

describe('with runs of 60,000 equal characters in the page', () => {
  let opening: ReturnType<typeof agent.observe> | null = null;
  beforeEach(async () => {
    opening ??= cheaply(() => agent.observe(`${pages.url}/`));
    await opening;
  });

  it('scrape takes little processor time', async () => {
    const { data } = await cheaply(() => agent.step('S2'));
    expect(data?.markdown).toContain('takes it for a paragraph');
    expect(data?.structured).toHaveLength(2);
  });

  it('observe takes little processor time and limits the descriptions', async () => {
    const { space } = (await opening) ?? { space: null };
    expect(space?.actions.length).toBeGreaterThan(0);
    expect(space?.actions.filter(({ description }) => description.length > 1_000)).toEqual([]);
  });

  it('the mask of secrets of several words takes little processor time for the text of the page', () => {
    const mask = new SecretMask();
    for (const secret of ['river abcde', 'river b abcd', 'a b c d e f']) mask.add(secret);
    const before = process.cpuUsage();
    mask.mask(`x${' '.repeat(60_000)}y${'\u00a0'.repeat(60_000)}z`);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(MAX_PROCESSOR_MS);
  });

  it('a step with a value of 900,000 spaces fails at once with VALIDATION_ERROR', async () => {
    await expect(cheaply(() => agent.step(/Press/, `1${' '.repeat(900_000)}x`))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
