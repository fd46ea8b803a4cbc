import { describe, expect, it } from 'vitest';
import { scrapeResource } from '../../../../src/browser/scrape/resource/scrapeResource.ts';
import { ALL_PARTS } from '../../../support/scrapeHarness.ts';

const read = (contentType: string, body: string) =>
  scrapeResource(
    { contentType, body: Buffer.from(body), url: 'https://a.example/file' },
    ALL_PARTS,
    new AbortController().signal,
  );

describe('scrapeResource with large or hostile input', () => {
  it('fences text with more backticks than the longest run in it', async () => {
    const { markdown } = await read('text/plain', '` ````` '.repeat(300_000));
    expect(markdown).toMatch(/^``````\n/);
  });

  it('cuts text at 10 million characters and reports the parts as incomplete', async () => {
    const { text, incomplete } = await read('text/plain', 'x'.repeat(10_000_001));
    expect(text).toHaveLength(10_000_000);
    expect(incomplete).toEqual(['main_content', 'markdown', 'text', 'links']);
  });

  it('does not parse JSON that was cut', async () => {
    const { structured, incomplete } = await read('application/json', `"${'x'.repeat(10_000_001)}"`);
    expect(structured).toEqual([]);
    expect(incomplete).toContain('structured');
  });

  it('returns only the text of JSON above 2 million characters', async () => {
    const { text, structured, incomplete } = await read(
      'application/json',
      `[${'{"a":1},'.repeat(300_000)}1]`,
    );
    expect(structured).toEqual([]);
    expect(text).toHaveLength(2_400_003);
    expect(incomplete).toEqual(['structured']);
  });

  it('stops when the caller aborts', async () => {
    const caller = new AbortController();
    const source = {
      contentType: 'text/plain',
      body: Buffer.from('<&">'.repeat(2e6)),
      url: 'https://a.example/',
    };
    const reading = scrapeResource(source, ALL_PARTS, caller.signal);
    caller.abort(new Error('aborted'));
    await expect(reading).rejects.toThrow('aborted');
  });

  it('escapes HTML in text', async () => {
    const { mainContent } = await read('text/plain', '<b> & "c"');
    expect(mainContent).toBe('<pre>&lt;b&gt; &amp; &quot;c&quot;</pre>');
  });
});
