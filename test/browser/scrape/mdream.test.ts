import { expect, it } from 'vitest';
import { htmlToMarkdown, loadWebAssembly } from '../../../src/browser/scrape/mdream.ts';

const HTML = `<h1><a href="#top">Papers</a></h1><table><tr><th>Weight</th></tr><tr><td>90 g</td></tr></table>
<p>Read <a href="https://example.com/"><b>more</b></a> <a href="https://example.com/x"></a></p><ul><li>one<ul><li>two</li></ul></li></ul>
<pre><code class="language-js">a();</code></pre>`;

it("mdream's WebAssembly, which replaces a missing native form, makes the same Markdown", async () => {
  const options = {
    clean: { emptyLinks: true, emptyLinkText: true, blankLines: true, selfLinkHeadings: true },
  };
  const convert = await loadWebAssembly();
  expect(convert(HTML, options)).toBe(htmlToMarkdown(HTML, options));
  expect(convert(HTML, options)).toContain('| 90 g |');
});
