import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const FIELDS = `<!doctype html><title>Fields</title><h1>Fields</h1>
<label>Phone <input id="phone" type="tel" value="+47 "></label>
<label>Domain <input id="domain" value=".example.com"></label>
<label>Page <input id="page" value="https://"></label>
<label>Once <input value="old " onbeforeinput="if (event.data) { event.preventDefault(); this.value += event.data }"></label>
<label>Adds <input value="5" onbeforeinput="event.preventDefault(); if (event.data) this.value += event.data"></label>
<label>Other <input value="6"></label>
<label>Zero <input value="1.0" oninput="if (this.value === '') this.value = '0'"></label>
<label>Stars <input value="***" oninput="this.value = '***'"></label>
<label>Mask <input value="(12_) ___" oninput="if (this.value === '') this.value = '(___) ___'"></label>
<label>Site <input id="site" value="https://"></label>
<script>
let last = site.value; site.oninput = () => { if (!site.value.startsWith('https://')) site.value = last; last = site.value };
phone.oninput = () => { let d = phone.value.replace(/\\D/g, ''); if (d.startsWith('47')) d = d.slice(2);
  phone.value = '+47 ' + d.slice(0, 8).replace(/(\\d{3})(?=\\d)/, '$1 ').replace(/(\\d{3} \\d{2})(?=\\d)/, '$1 ') };
domain.oninput = () => { if (!domain.value.endsWith('.example.com')) { const at = domain.value.length; domain.value += '.example.com'; domain.setSelectionRange(at, at) } };
page.oninput = () => { if (!page.value.startsWith('https://')) page.value = 'https://' + page.value.replace(/^[htps:/]*/, '') };
</script>`;

describe('A part of a value that the page fixes', () => {
  const { pages, agent } = pageHarness({ '/': FIELDS });

  it.each([
    [/"Phone"/, '98765432', '+47 987 65 432'],
    [/"Phone"/, '+47 98765432', '+47 987 65 432'],
    [/"Domain"/, 'shop', 'shop.example.com'],
    [/"Page"/, 'a.org', 'https://a.org'],
    [/"Page"/, 'https://a.org/x', 'https://a.org/x'],
    [/"Site"/, 'a.org', 'https://a.org'],
  ])('is formatting: %s %s', async (field, value, held) => {
    await agent.observe(pages.url);
    await agent.step(field, value);
    expect(agent.find(field).value).toBe(held);
    await agent.step(field, value);
    expect(agent.find(field).value).toBe(held);
  });

  it('is all that is left of a value that is cleared', async () => {
    await agent.observe(pages.url);
    await agent.step(/"Domain"/, 'shop');
    await agent.step(/"Domain"/, '');
    expect(agent.find(/"Domain"/).value).toBe('.example.com');
    await agent.step(/"Mask"/, '');
    expect(agent.find(/"Mask"/).value).toBe('(___) ___');
  });

  it.each([
    [/"Zero"/, '0'],
    [/"Stars"/, '***'],
  ])('is not what the page puts in place of a value that is cleared: %s', async (field, held) => {
    await agent.observe(pages.url);
    await expect(agent.step(field, '')).rejects.toMatchObject({
      code: 'VALUE_REFUSED',
      message: expect.stringContaining(`It holds "${held}" now.`),
    });
  });

  it('is removed first if the page keeps it only because a key did not replace it', async () => {
    await agent.observe(pages.url);
    await agent.step(/"Once"/, 'new');
    expect(agent.find(/"Once"/).value).toBe('new');
  });

  it('is not what a value was added to, even if another field holds the value', async () => {
    await agent.observe(pages.url);
    await expect(agent.step(/"Adds"/, '6')).rejects.toMatchObject({
      code: 'VALUE_REFUSED',
      message: expect.stringContaining('holds "56" now'),
    });
  });
});
