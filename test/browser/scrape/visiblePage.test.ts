import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const visiblePage = async (markup: string) =>
  (await harness.scrapeMarkup(markup, { onlyMainContent: false })).mainContent ?? '';

describe('mainContent with onlyMainContent: false', () => {
  it('keeps navigation, header and footer', async () => {
    const markup = await visiblePage(
      '<header>H</header><nav>N</nav><main>M</main><aside>A</aside><footer>F</footer>',
    );
    expect(markup).toBe('<header>H</header><nav>N</nav><main>M</main><aside>A</aside><footer>F</footer>');
  });

  it('keeps class, id, ARIA attributes and inline style', async () => {
    const markup = await visiblePage(
      '<p class="a b" id="i" aria-label="L" role="note" style="color: red">x</p>',
    );
    for (const part of ['class="a b"', 'id="i"', 'aria-label="L"', 'role="note"', 'style="color: red"'])
      expect(markup).toContain(part);
  });

  it('keeps SVG', async () => {
    expect(
      await visiblePage('<svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3" fill="red"></circle></svg>'),
    ).toContain('<circle cx="4" cy="4" r="3" fill="red">');
  });

  it('has the current state of form controls', async () => {
    const markup =
      await visiblePage(`<input id="t" value="old"><input id="c" type="checkbox"><select id="s"><option>a</option><option>b</option></select><textarea id="x">old</textarea>
      <script>t.value = 'new'; c.checked = true; s.selectedIndex = 1; x.value = 'typed'</script>`);
    expect(markup).toContain('<input id="t" value="new">');
    expect(markup).toMatch(/<input id="c" type="checkbox" checked="">/);
    expect(markup).toContain('<option>a</option><option selected="">b</option>');
    expect(markup).toContain('<textarea id="x">typed</textarea>');
  });

  it('never has the value of a password field', async () => {
    expect(await visiblePage('<input type="password" value="secret">')).not.toContain('secret');
  });

  it('has a div instead of a form', async () => {
    expect(await visiblePage('<form class="f" action="/send"><input name="q"></form>')).toBe(
      '<div class="f"><input name="q"></div>',
    );
  });

  it('has absolute URLs, resolved by the base of the page', async () => {
    const markup = await visiblePage(
      '<base href="https://base.example/a/"><a href="b">x</a><img src="../c.png" srcset="d.png 2x" alt="">',
    );
    expect(markup).toContain('href="https://base.example/a/b"');
    expect(markup).toContain('src="https://base.example/c.png"');
    expect(markup).toContain('srcset="https://base.example/a/d.png 2x"');
  });

  it('leaves out hidden elements', async () => {
    expect(await visiblePage('<p>seen</p><p hidden>no</p><p style="display:none">no</p>')).toBe(
      '<p>seen</p>',
    );
  });
});
