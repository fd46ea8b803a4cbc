import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

/** The field lies, transparent, on what is chosen. */
const UNDER = `<!doctype html><title>Under</title><style>.pick { position: relative; width: 220px; height: 32px; border: 1px solid } .search { position: absolute; inset: 0 } .search input { width: 100%; height: 30px; opacity: 0; border: 0 } .item, .placeholder { line-height: 30px; pointer-events: none }</style>
<h1>Order</h1>${[
  ['City', '<span class="item" title="Oslo">Oslo</span>'],
  ['Sort', '<span class="placeholder">Please choose</span>'],
  ['Size', '<span class="placeholder selected empty">Select one</span>'],
  ['Arrow', '<svg width="16" height="16" role="img"><title>Open the list</title><path d="M0 0h9v9z"/></svg>'],
]
  .map(
    ([name, shown]) =>
      `<div><label for="${name}">${name}</label><div class="pick"><div><span class="search"><input id="${name}" type="search" role="combobox" aria-haspopup="listbox" aria-expanded="false"></span>${shown}</div></div><small>Choose where you live</small></div>`,
  )
  .join('')}`;

/** Each chosen option is a web component of its own, in a list beside the field. */
const TOKENS = `<!doctype html><title>Tokens</title><h1>Tokens</h1><x-choices></x-choices><script>
const define = (name, html) => customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = html(this) } });
define('x-token', token => '<div role="option" tabindex="-1">' + token.getAttribute('text') + '<button tabindex="-1" title="Remove">x</button><svg width="9" height="9"><title>Deletable</title><path d="M0 0h9v9z"/></svg></div>');
define('x-tokens', () => '<div role="listbox" aria-label="Tokenizer" style="display:flex"><slot></slot></div>');
define('x-choices', () => '<div style="display:inline-flex;border:1px solid"><span style="position:absolute;clip:rect(0,0,0,0)">Contains 2 tokens</span><x-tokens><x-token text="Red"></x-token><x-token text="Blue"></x-token></x-tokens><input role="combobox" aria-label="Colours" aria-haspopup="listbox" aria-expanded="false"></div>');
</script>`;

describe('The list of choices that a page draws', () => {
  const { pages, agent } = pageHarness({ '/under': UNDER, '/tokens': TOKENS });

  it('tells what is chosen where its field lies on it, and no hint', async () => {
    await agent.observe(`${pages.url}/under`);
    expect(agent.find(/"City"/).value).toBe('Oslo');
    expect(agent.find(/"Sort"/).value).toBe('');
    expect(agent.find(/"Size"/).value).toBe('');
  });

  it('does not tell the name of a picture as chosen', async () => {
    await agent.observe(`${pages.url}/under`);
    expect(agent.find(/"Arrow"/).value).toBe('');
  });

  it('tells the options in it that are chosen, also those of web components', async () => {
    await agent.observe(`${pages.url}/tokens`);
    expect(agent.find(/combobox "Colours"/).value).toBe('Red, Blue');
  });
});
