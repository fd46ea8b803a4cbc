import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let bench: ScrapeHarness;
beforeAll(async () => {
  bench = await ScrapeHarness.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const whole = async (markup: string) =>
  (await bench.scrapeMarkup(markup, { onlyMainContent: false })).mainContent ?? '';

describe('with only_main_content false', () => {
  it('navigation, header and footer stay', async () => {
    const markup = await whole(
      '<header>H</header><nav>N</nav><main>M</main><aside>A</aside><footer>F</footer>',
    );
    expect(markup).toBe('<header>H</header><nav>N</nav><main>M</main><aside>A</aside><footer>F</footer>');
  });

  it('class, id, ARIA and inline style stay', async () => {
    const markup = await whole('<p class="a b" id="i" aria-label="L" role="note" style="color: red">x</p>');
    for (const part of ['class="a b"', 'id="i"', 'aria-label="L"', 'role="note"', 'style="color: red"'])
      expect(markup).toContain(part);
  });

  it('SVG stays', async () => {
    expect(
      await whole('<svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3" fill="red"></circle></svg>'),
    ).toContain('<circle cx="4" cy="4" r="3" fill="red">');
  });

  it('controls carry what they hold now', async () => {
    const markup =
      await whole(`<input id="t" value="old"><input id="c" type="checkbox"><select id="s"><option>a</option><option>b</option></select><textarea id="x">old</textarea>
      <script>t.value = 'new'; c.checked = true; s.selectedIndex = 1; x.value = 'typed'</script>`);
    expect(markup).toContain('<input id="t" value="new">');
    expect(markup).toMatch(/<input id="c" type="checkbox" checked="">/);
    expect(markup).toContain('<option>a</option><option selected="">b</option>');
    expect(markup).toContain('<textarea id="x">typed</textarea>');
  });

  it('a password is not told', async () => {
    expect(await whole('<input type="password" value="secret">')).not.toContain('secret');
  });

  it('a form is a plain box that sends nothing', async () => {
    expect(await whole('<form class="f" action="/send"><input name="q"></form>')).toBe(
      '<div class="f"><input name="q"></div>',
    );
  });

  it('addresses are absolute, by the base of the page', async () => {
    const markup = await whole(
      '<base href="https://base.example/a/"><a href="b">x</a><img src="../c.png" srcset="d.png 2x" alt="">',
    );
    expect(markup).toContain('href="https://base.example/a/b"');
    expect(markup).toContain('src="https://base.example/c.png"');
    expect(markup).toContain('srcset="https://base.example/a/d.png 2x"');
  });

  it('what is hidden is not there', async () => {
    expect(await whole('<p>seen</p><p hidden>no</p><p style="display:none">no</p>')).toBe('<p>seen</p>');
  });
});
