import { expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();
const listen = (selector: string, ...types: string[]) =>
  `<script>for (const e of document.querySelectorAll('${selector}')) for (const t of ${JSON.stringify(types)}) e.addEventListener(t, () => {})</script>`;

it.each([
  [
    'a button whose icon has a text of size 0 is named by that text',
    '<button class="kit__chevron"><i style="font-size:0;display:block;width:9px;height:9px">Next week</i></button>',
    ['button "Next week"'],
  ],
  [
    'a button of one letter has its tooltip beside it',
    '<button title="Bold"><b>B</b></button><button title="X">X</button>',
    ['button "B" "Bold"', 'button "X"'],
  ],
  [
    'the stars of a drawn rating have neither the text before nor after them as their name',
    `<p>Rating</p><ul role="radiogroup">${'<li role="radio" aria-checked="false" tabindex="0">☆</li>'.repeat(2).replaceAll('☆', '<svg width="9" height="9"></svg>')}</ul><p>Stay</p>`,
    ['radio, not checked, 1st of 2', 'radio, not checked, 2nd of 2'],
  ],
  [
    'a list of choices that keeps its open list inside has the chosen text as its value, once',
    `<div role="combobox" aria-expanded="true" aria-label="Country" tabindex="0"><div class="shown" style="cursor:pointer">France</div><div role="listbox"><input placeholder="Search"><div role="option">Spain</div></div></div>${listen('.shown', 'click')}`,
    [
      'combobox "Country", value "France", expanded',
      'textbox "France", placeholder "Search"',
      'option "Spain"',
    ],
  ],
  [
    'the boxes around a list of choices with its label are no lines',
    `<div class="root"><div><label for="w">Words</label><div class="inner"><input id="w" role="combobox" aria-expanded="false"></div></div></div>${listen('.root, .inner', 'click', 'mousedown')}`,
    ['combobox "Words", collapsed'],
  ],
  [
    'a custom element around the button that it draws is one line, also where only a title names it',
    `<x-push style="cursor:pointer"></x-push><script>customElements.define('x-push', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<button title="Open menu" aria-label="" style="width:30px;height:30px"></button>'; this.onclick = () => {} } })</script>`,
    ['button "Open menu"'],
  ],
  [
    'boxes that take drops for the text editor in them are no lines',
    `<div class="o"><div class="o" data-id="1"><div contenteditable="true">First block</div></div><p></p></div>${listen('.o', 'drop', 'dragover')}`,
    ['text editor, value "First block"'],
  ],
  [
    'a file field is one line beside its labels, also that of a box which drops files',
    `<input type="file" id="f" style="position:absolute;opacity:0;width:1px"><div class="drop"><label for="f">Drop files or <span tabindex="0" style="cursor:pointer">Browse</span></label></div>${listen('.drop', 'click')}`,
    ['file field "Drop files or Browse"'],
  ],
  [
    'a field in a label whose first control is a button is named by the label',
    '<label>Phone <span><button type="button" aria-label="Country">US</button></span><input id="ph" type="tel"></label>',
    ['button "Country"', 'textbox "Phone"'],
  ],
  [
    'an icon that only screen readers do not find is listed, the arrow of a field is not',
    `<div style="display:flex"><span class="filter-button" aria-hidden="true" style="cursor:pointer;width:16px;height:16px"><i></i></span><b>Name</b></div>
     <div><input aria-label="City"><span class="arrow" aria-hidden="true" style="cursor:pointer;display:block;width:16px;height:16px"></span></div>${listen('[aria-hidden]', 'click')}`,
    ['clickable "filter"', 'textbox "City"'],
  ],
] as const)('%s', async (_, body, lines) => {
  expect(await (await openHtml(body)).lines()).toEqual(lines);
});
