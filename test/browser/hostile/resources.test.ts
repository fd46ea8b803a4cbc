import { describe, expect, it } from 'vitest';
import { scrapeResource } from '../../../src/browser/scrape/resource/scrapeResource.ts';
import { EVERYTHING } from '../../support/scrapeBench.ts';

const read = (contentType: string, body: string) =>
  scrapeResource(
    { contentType, body: Buffer.from(body), url: 'https://a.example/file' },
    EVERYTHING,
    new AbortController().signal,
  );

describe('an answer that is no page, and more than anybody reads', () => {
  it('is fenced in whatever number of fences it has in it', async () => {
    const { markdown } = await read('text/plain', '` ````` '.repeat(300_000));
    expect(markdown).toMatch(/^``````\n/);
  });

  it('has the beginning of its text read, and says so', async () => {
    const { text, incomplete } = await read('text/plain', 'x'.repeat(10_000_001));
    expect(text).toHaveLength(10_000_000);
    expect(incomplete).toEqual(['main_content', 'markdown', 'text', 'links']);
  });

  it('is not taken for JSON in part', async () => {
    const { structured, incomplete } = await read('application/json', `"${'x'.repeat(10_000_001)}"`);
    expect(structured).toEqual([]);
    expect(incomplete).toContain('structured');
  });

  it('keeps what markup would take for marks', async () => {
    const { mainContent } = await read('text/plain', '<b> & "c"');
    expect(mainContent).toBe('<pre>&lt;b&gt; &amp; &quot;c&quot;</pre>');
  });
});
