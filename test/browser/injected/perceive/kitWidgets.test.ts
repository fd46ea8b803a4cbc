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
  [
    'the drawn buttons of a stepper beside its read-only field are listed',
    `<div class="stepper" style="display:flex">${['minus', 'plus'].map(c => `<div class="stepper-button-${c}" style="cursor:pointer;width:40px;height:40px"></div>`).join('<input aria-label="Nights" value="1" readonly>')}</div>`,
    ['clickable "stepper minus"', 'textbox "Nights", value "1", read-only', 'clickable "stepper plus"'],
  ],
  [
    'a button of a symbol has the text for screen readers beside it, not its class words',
    '<button class="orbit-previous"><span style="font-size:0">Previous slide</span>◀</button>',
    ['button "◀" "Previous slide"'],
  ],
  [
    'the word that an icon font draws as an icon is no part of a name',
    '<style>i::after { content:"checkbox_md" }</style><label><input type="checkbox"><i></i>Books</label>',
    ['checkbox "Books", not checked'],
  ],
  [
    'ids that a kit generates and the sizes of an icon are no names',
    '<div id="bits-c2"><span role="slider" tabindex="0" aria-valuenow="3">o</span></div><a href="#"><svg class="w-4 h-4 rotate-180" width="9" height="9"></svg></a>',
    ['slider, value "3"', 'link'],
  ],
  [
    'a row that is a link has its own words as its name, without the controls in it',
    ['Ann', 'Bob']
      .map(
        name =>
          `<a href="/${name}" style="display:flex"><span role="checkbox" aria-checked="false" tabindex="0" aria-label="Select">☐</span><label><input type="checkbox"> Flag</label><button aria-label="Star ${name}">☆</button><b>${name}</b><i>Lunch</i></a>`,
      )
      .join(''),
    ['Ann', 'Bob'].flatMap(name => [
      `link "${name} Lunch"`,
      `checkbox "Select", not checked, in "${name} Lunch"`,
      `checkbox "Flag", not checked, in "${name} Lunch"`,
      `button "Star ${name}"`,
    ]),
  ],
  [
    'a tab has no close button in its name, and a link of nothing but a button has that',
    '<div role="tab" tabindex="0">Notes <button aria-label="Close tab">×</button></div><a href="/buy"><button>Buy now</button></a>',
    ['tab "Notes"', 'button "Close tab"', 'link "Buy now"', 'button "Buy now"'],
  ],
  [
    'a list of choices that shows the chosen entry in a list of its own has it as its value, open or not',
    [true, false]
      .map(
        isOpen =>
          `<div role="combobox" aria-expanded="${isOpen}" aria-label="${isOpen ? 'City' : 'Town'}" tabindex="0"><div role="listbox"><div role="option" aria-selected="true">Rome</div></div><div${isOpen ? '' : ' hidden'}><div role="listbox"><div role="option">Oslo</div></div></div></div>`,
      )
      .join(''),
    [
      'combobox "City", value "Rome", expanded',
      'option "Rome", selected, in "City"',
      'option "Oslo"',
      'combobox "Town", value "Rome", collapsed',
      'option "Rome", selected, in "Town"',
    ],
  ],
  [
    'a state that an attribute says is not said otherwise by a class',
    '<div role="tab" tabindex="0" aria-selected="false" class="active">One</div><div role="checkbox" tabindex="0" aria-checked="true" class="checked">Agree</div><div role="tab" tabindex="0" class="active">Two</div>',
    ['tab "One"', 'checkbox "Agree", checked', 'tab "Two", selected'],
  ],
  [
    'the header of the column by which a table is sorted says so, and so does the first control in it',
    `<table><tr><th aria-sort="ascending" tabindex="0">Age</th><th aria-sort="descending"><button>Name</button><button>Filter</button></th><th aria-sort="none"><button>City</button></th></tr><tr><td>1</td></tr></table>${listen('[tabindex]', 'click')}`,
    [
      'clickable "Age", sorted ascending',
      'button "Name", sorted descending',
      'button "Filter"',
      'button "City"',
    ],
  ],
  [
    'the colors of a palette are told by their values, not by their places',
    `<div style="width:60px;line-height:0">${['#e60000', '#ff9900', '#ffff00', '#008a00', '#0066cc', '#9933ff'].map(color => `<span role="button" tabindex="0" data-value="${color}" style="display:inline-block;width:16px;height:16px"></span>`).join('')}</div>`,
    ['#e60000', '#ff9900', '#ffff00', '#008a00', '#0066cc', '#9933ff'].map(color => `button "${color}"`),
  ],
  [
    'the number in the day of a calendar that does nothing by itself is no line',
    `<table role="grid" id="g"><tr>${[1, 2, 3, 4, 5, 6, 7].map(day => `<td role="gridcell" data-date="2026-03-0${day}" style="height:60px"><a aria-label="March ${day}, 2026">${day}</a></td>`).join('')}</tr></table>${listen('#g', 'mousedown', 'click')}`,
    [1, 2, 3, 4, 5, 6, 7].map(day => `clickable "March ${day}, 2026"`),
  ],
  [
    'a switch without a name has the first text of the box in which it is the only control',
    `<div style="display:flex"><div><b>Wifi</b><p>Connects to known networks by itself.</p></div><div><button role="switch" aria-checked="true" class="knob-root"></button></div></div>
     <div><h3>Sound</h3><div><div role="checkbox" tabindex="0" aria-checked="false" class="kit-toggle" style="width:9px;height:9px"></div></div></div>
     <div style="display:flex"><span>Bold</span><button aria-pressed="false" class="knob-root"></button></div>
     <div><b>Rights</b><i role="switch" tabindex="0" aria-checked="false" style="display:block;width:9px;height:9px"></i><i role="switch" tabindex="0" aria-checked="false" style="display:block;width:9px;height:9px"></i></div>`,
    [
      'switch "Wifi", checked',
      'checkbox "Sound", not checked',
      'button "Bold", not pressed',
      'switch, not checked, 1st of 2',
      'switch, not checked, 2nd of 2',
    ],
  ],
  [
    'a list of choices is its whole box where what is chosen lies on its field, and its label has no marks',
    `<style>label::before { content: "*" } label::after { content: ":" }</style><label for="c">City</label><div style="position:relative;width:200px;height:30px"><span style="position:absolute;inset:0"><input id="c" role="combobox" readonly style="width:100%;opacity:0"></span><span style="position:relative;display:block">Oslo</span></div>`,
    ['combobox "City", value "Oslo", read-only'],
  ],
  [
    'a list of choices that is labelled by its value too has it once, without its arrow',
    '<label id="l">Food</label><div role="combobox" tabindex="0" aria-labelledby="l v"><span id="v">Steak</span><i>▾</i></div>',
    ['combobox "Food", value "Steak"'],
  ],
  [
    'so is one whose value ends with no letter of English',
    '<label id="l">Город</label><div role="combobox" tabindex="0" aria-labelledby="l v"><span id="v">Москва</span></div><label id="m">Share</label><div role="combobox" tabindex="0" aria-labelledby="m w"><span id="w">50%</span></div>',
    ['combobox "Город", value "Москва"', 'combobox "Share", value "50%"'],
  ],
  [
    'the chosen tags stay the value while the list shows them as options too',
    `<div style="position:relative"><span>Ann <button aria-label="Remove Ann">×</button></span><input role="combobox" aria-label="To" aria-expanded="true"><div role="listbox" style="position:absolute"><div role="option">Ann</div><div role="option">Bea</div></div></div>`,
    ['button "Remove Ann"', 'combobox "To", value "Ann", expanded', 'option "Ann"', 'option "Bea"'],
  ],
  [
    'an entry of a tree with a box to tick is one line beside the box',
    `<div role="tree"><div role="treeitem" aria-expanded="false"><span role="checkbox" aria-checked="false" aria-label="Select src" style="display:inline-block;width:9px;height:9px"></span><span class="t" style="cursor:pointer">src</span></div></div>${listen('.t', 'click')}`,
    ['checkbox "Select src", not checked', 'treeitem "src", collapsed'],
  ],
  [
    'an icon with a handler of its own in a button with words is listed apart',
    `<div role="button" tabindex="0">Lime<svg class="remove" aria-hidden="true" width="16" height="16" style="cursor:pointer"><path d="M0 0h9v9z"/></svg></div>${listen('svg', 'click')}`,
    ['button "Lime"', 'clickable "remove"'],
  ],
  [
    'the hidden radio button behind a drawn star, and an announcement under the pointer, are no lines',
    `<label for="s"><button aria-label="1 star">★</button></label><input type="radio" id="s" tabindex="-1" style="position:absolute;width:0;height:0;opacity:0"><div role="status">Saved</div>${listen('[role=status]', 'mouseover')}`,
    ['button "1 star"'],
  ],
  [
    'a tab with a button beside its link is the link and the button',
    '<div role="tablist"><div role="tab" aria-selected="true"><a href="#1">One</a> <button aria-label="Close One">×</button></div></div>',
    ['tab "One", selected', 'button "Close One"'],
  ],
  [
    'a card that is dragged is one line without its handle and its buttons, and each column of a board is a place for drops',
    `${['One', 'Two'].map(name => `<div class="col" style="min-height:20px"><div draggable="true"><div style="cursor:grab">${name}</div><button aria-label="Menu of ${name}">⋯</button></div></div>`).join('')}${listen('.col', 'dragover', 'drop')}`,
    ['One', 'Two'].flatMap((name, nth) => [
      `drop target, ${nth + 1}${nth === 0 ? 'st' : 'nd'} of 2`,
      `draggable "${name}"`,
      `button "Menu of ${name}"`,
    ]),
  ],
  [
    'the handles of several parts of a box that is dragged are listed',
    `<div draggable="true">Todo${['Read', 'Write'].map(name => `<div><i class="grip" aria-label="Move ${name}" style="cursor:grab;display:inline-block;width:20px;height:20px"></i>${name}</div>`).join('')}</div>${listen('.grip', 'mousedown')}`,
    ['draggable "Todo Move Read Read Move Write Write"', 'draggable "Move Read"', 'draggable "Move Write"'],
  ],
  [
    'a box with the cursor of its buttons is not listed beside them',
    '<div style="cursor:pointer;width:600px;height:90px"><button>Yes</button><button>No</button></div>',
    ['button "Yes"', 'button "No"'],
  ],
  [
    'a box that takes the presses of its only field is not listed beside it',
    `<div class="row" style="cursor:pointer;width:600px;height:90px"><input type="checkbox" id="c"><label for="c">Remember</label></div>${listen('.row', 'click')}`,
    ['checkbox "Remember", not checked'],
  ],
  [
    'the rows of a timetable, one below the other, are no days of a week view',
    `<style>div { position: absolute } .day { position: static; height: 250px }</style><div style="left:60px;top:0;width:200px">Week 9</div>${Array.from({ length: 7 }, (_, nth) => `<div style="top:${nth * 35 + 40}px">${nth + 9}:00</div>`).join('')}<div style="left:60px;top:40px;width:200px"><div class="day"></div><div class="day"></div></div><script>document.addEventListener('mousedown', () => {})</script>`,
    [],
  ],
  [
    'the label around a list of choices with a name of its own is not its value',
    '<label>User <input type="password" role="combobox" aria-label="Pass phrase"></label>',
    ['password field "Pass phrase"'],
  ],
  [
    'an empty editor has the words that it draws as its placeholder',
    '<div contenteditable="true"><p data-placeholder="Compose"><br></p></div>',
    ['text editor, placeholder "Compose"'],
  ],
] as const)('%s', async (_, body, lines) => {
  expect(await (await openHtml(body)).lines()).toEqual(lines);
});
