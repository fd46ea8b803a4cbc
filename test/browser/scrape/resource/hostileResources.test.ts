import { describe, expect, it } from 'vitest';
import { scrapeResource } from '../../../../src/browser/scrape/resource/scrapeResource.ts';
import { ALL_PARTS } from '../../../support/scrapeHarness.ts';

const read = (contentType: string, body: string) =>
  scrapeResource(
    { contentType, body: Buffer.from(body), url: 'https://a.example/file' },
    ALL_PARTS,
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

  it('has its value left out, and its text told, where it is a JSON that takes long to hand on', async () => {
    const { text, structured, incomplete } = await read(
      'application/json',
      `[${'{"a":1},'.repeat(300_000)}1]`,
    );
    expect(structured).toEqual([]);
    expect(text).toHaveLength(2_400_003);
    expect(incomplete).toEqual(['structured']);
  });

  it('holds nobody up: whoever asked can still take it back', async () => {
    const asking = new AbortController();
    const source = {
      contentType: 'text/plain',
      body: Buffer.from('<&">'.repeat(2e6)),
      url: 'https://a.example/',
    };
    const reading = scrapeResource(source, ALL_PARTS, asking.signal);
    asking.abort(new Error('taken back'));
    await expect(reading).rejects.toThrow('taken back');
  });

  it('keeps what markup would take for marks', async () => {
    const { mainContent } = await read('text/plain', '<b> & "c"');
    expect(mainContent).toBe('<pre>&lt;b&gt; &amp; &quot;c&quot;</pre>');
  });
});
