import { describe, expect, test } from 'vitest';
import { diffMarkdown } from '../../../src/domain/space/diffMarkdown.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import type { Page } from '../../support/servePages.ts';

const page = (body: string): Page =>
  `<!doctype html><html lang="en"><title>t</title><body>${body}</body></html>`;

const LOGIN = (
  error: string,
): string => `<!doctype html><html lang="en"><title>Sign in</title><body><h1>Sign in</h1>
${error}<form method="post" action="/login"><label>Name <input name="n"></label><label>Password <input type="password" name="p"></label>
<button>Sign in</button></form><p>No account? Ask us.</p></body></html>`;

const { pages, agent } = pageHarness({
  '/login': LOGIN('<p>The name or the password is wrong.</p>'),
  '/start': LOGIN(''),
  '/script':
    page(`<form onsubmit="event.preventDefault(); e.hidden = false"><input aria-label="Password" type="password"><button>Sign in</button></form>
    <p id="e" hidden>Wrong <b>password</b>.</p>`),
  '/alerts':
    page(`<div role="alert">Disk <b>full</b></div><div role="status">3 items</div><p class="errornote">Please correct the <b>error</b>.</p><small class="err">No name.</small>
    <div role="alert" style="display:none">hidden</div><div role="alert" style="opacity:0">unseen</div><div role="status" aria-hidden="true">decor</div>
    <div role="alert" style="position:absolute;left:-9999px">off screen</div><div role="alert" style="color:#fff">white</div>
    <div role="alert" style="font-size:0">small</div><div role="alert"></div><ul>${['Ann', 'Bob', 'Cy'].map(name => `<li>${name} <span role="status">online</span></li>`).join('')}</ul><button class="btn-danger">Delete</button>`),
  '/fields': page(`<form><label>Mail <input type="email" required></label><button>Send</button></form>
    <input aria-label="Age" aria-invalid="true" aria-describedby="why"><p id="why" role="alert">At most 120.</p>
    <input aria-label="City" aria-describedby="hint"><p id="hint">Where you live.</p>
    <input aria-label="Zip" aria-invalid="true" aria-errormessage="zip"><p id="zip">Five digits.</p>`),
  '/toast':
    page(`<main><p>Text</p></main><button onclick="add()">Save</button><button onclick="rows()">Load</button><button onclick="gone()">Remove</button>
    <button onclick="n.textContent = Number(n.textContent) + 1">Count</button><button onclick="rendered()">Render</button><button onclick="week()">Week</button><button onclick="month()">Month</button><button onclick="field()">Form</button><button onclick="slid.style.transform = 'none'">Slide</button><button onclick="fold.style.height = 'auto'">Unfold</button><button onclick="live.innerHTML = '<div role=alert><button aria-label=close>x</button>Not sent: <label for=zip>Zip is missing</label></div>'">Send</button>
    <div id="fold" style="height:0;overflow:hidden"><p>In the fold</p></div><div id="live" aria-live="polite"></div><span>Total: <b id="n">1</b></span>
    <ul id="list"></ul><p id="old">An old line</p><p id="said">An error</p><button onclick="empty()">Empty</button><details><summary>More</summary>In the details</details><div id="again"><p>Same text</p></div><script>
    const add = () => { const t = document.createElement('div'); t.className = 'toast-body'; t.textContent = 'Saved!'; document.body.append(t); };
    const rows = () => { list.innerHTML = '<li>First row</li><li>Second row <a href="/start">Open first</a></li>'; };
    const field = () => { list.innerHTML = list.innerHTML ? '' : '<li><label for="n1">Name: *</label> <input id="n1"><p>required for bills</p></li><li><label>From <input></label> <label>To <input></label></li>'; };
    const month = () => { again.innerHTML = '<span><b>May 2026</b></span> <span><b>June 2026</b></span>'; };
    const week = () => { list.innerHTML = ['Mon', 'Tue', 'Wed'].map(day => '<li style="float:left">' + day + '</li>').join(''); };
    const gone = () => old.remove();
    const empty = () => { said.textContent = ''; };
    const slid = document.createElement('div'); slid.textContent = 'Slid in'; document.body.append(slid);
    slid.style.cssText = 'position:fixed;top:0;right:0;transform:translateX(500px)';
    const rendered = () => { const html = again.innerHTML; again.innerHTML = html; };
    </script>`),
  '/tray':
    page(`<button onclick="add('Saved', 'Ann')">Save</button><button onclick="add('Copied'); add('Expires')">Copy</button><div id="tray" aria-live="polite"></div><div role="log" id="log"><p>Hi</p><p>Hello</p></div>
    <button onclick="log.insertAdjacentHTML('beforeend', '<p>New line</p>')">Talk</button><button onclick="list.remove()">Close</button><div role="listbox" aria-live="polite" id="list"><div role="option">One</div></div>
    <script>const add = (...texts) => { const t = document.createElement('div'); for (const text of texts) t.append(Object.assign(document.createElement('p'), { textContent: text })); tray.append(t) }</script>`),
  '/log':
    page(`<div role="log" id="log"></div><button onclick="log.lastChild.remove()">Close</button><button onclick="draw(1_001)">Draw</button>
    <button onclick="log.insertAdjacentHTML('afterbegin', '<p>First of all</p>')">Top</button>
    <script>const draw = count => { log.innerHTML = Array.from({ length: count }, (_, nth) => '<p>Line no. ' + nth + '</p>').join('') }; draw(1_000)</script>`),
  '/long-log':
    page(`<button onclick="log.lastChild.remove()">Close</button><button onclick="log.insertAdjacentHTML('beforeend', '<p>The newest</p>')">Talk</button><div role="log" id="log"></div>
    <script>log.innerHTML = Array.from({ length: 5_000 }, (_, nth) => '<p>Line no. ' + nth + '</p>').join('')</script>`),
  '/shadow':
    page(`<x-box></x-box><button onclick="document.querySelector('x-box').show()">Show</button><x-fold>Own text<p>Folded part</p></x-fold><script>
    customElements.define('x-fold', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button>Unfold</button><div style="height:0;overflow:hidden"><slot></slot></div>';
        this.shadowRoot.querySelector('button').onclick = event => { event.target.nextSibling.style.height = 'auto' } }
    });
    customElements.define('x-box', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }); }
      show() { this.shadowRoot.innerHTML = '<p>Inside the shadow</p>'; }
    });</script>`),
  '/limits': page(
    '<form><label>Mail <input type="email"></label><label>Stars <input type="number" max="5"></label></form>',
  ),
  '/clickable-toast':
    page(`<button onclick="add()">Save</button><button>Cart <span role="status">3 items</span></button><script>
    const add = () => { const t = document.createElement('div'); t.innerHTML = '<div role="alert">Wrong password</div>'; t.onclick = () => t.remove(); document.body.append(t); };
    </script>`),
  '/styled': page(`<style>#more { visibility: hidden } #c:checked ~ #more { visibility: visible }</style>
    <input type="checkbox" id="c" aria-label="More"><p id="more">All the details</p>`),
  '/busy':
    page(`<x-list></x-list><button onclick="document.querySelector('x-list').ready()">Refresh</button><script>
    customElements.define('x-list', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<p>Loading…</p>'; }
      ready() { this.shadowRoot.innerHTML = '<p>3 rows</p>'; }
    });</script>`),
  '/busy-quotes': page(
    '<progress value="40" max="100" aria-label=\'Up" , B9 "Load\'></progress><p>Loading "x", spinner…</p>',
  ),
  '/saved': page(
    '<div class="message">Item has been updated.</div><div class="alert alert-info">Draft kept.</div><p id="footer-info-date">Edited today</p><div class="info">Pets 1.0</div>',
  ),
  '/chat': page(
    '<div class="message">Hi</div><div class="message">Hello</div><div class="message">Bye</div>',
  ),
  '/choice':
    page(`<div><div><span id="chosen">Pick</span><input role="combobox" aria-label="City" aria-controls="cities" aria-expanded="true" onclick="cities.hidden = false"></div></div>
    <ul id="cities" role="listbox" hidden><li role="option" onclick="chosen.textContent = 'Rome'; cities.hidden = true"><span>Ro</span><span>me</span></li></ul>
    <div class="input-error"><label style="color:red">Name of the shop <input></label></div><button onclick="this.closest('body').querySelector('table').hidden ^= 1">Week</button>
    <table hidden><tr><th><a>Mon</a></th><th><a>Tue</a></th></tr><tr><td>:</td></tr></table>`),
  '/frame': page('<iframe src="/alerts" title="Inner"></iframe>'),
});

const open = (path: string) => agent.observe(`${pages.url}${path}`);
const messages = () =>
  (agent.lastObservation.space?.messages ?? []).map(({ kind, text, action }) =>
    [kind, action, text].filter(part => part !== null).join(' '),
  );

describe('a wrong password is told', () => {
  test('when the page shows a text that was hidden', async () => {
    await open('/script');
    await agent.step(/Sign in/);
    expect(messages()).toEqual(['appeared Wrong password.']);
  });

  test('when the server sends the same page again with another text', async () => {
    await open('/start');
    expect(messages()).toEqual([]);
    await agent.step(/button "Sign in"/);
    expect(messages()).toEqual(['appeared The name or the password is wrong.']);
  });
});

test('alerts, status texts and texts marked as errors are told as long as they stand, unless people cannot see them', async () => {
  await open('/alerts');
  const all = ['alert Disk full', 'status 3 items', 'alert Please correct the error.', 'alert No name.'];
  expect(messages()).toEqual(all);
  await agent.observe();
  expect(messages()).toEqual(all);
  expect(agent.lastObservation.space?.messages.every(({ isNew }) => !isNew)).toBe(true);
});

test('each node of a region that is not atomic is one message, and again if another one has the same text', async () => {
  await open('/tray');
  expect(messages()).toEqual(['status Hi', 'status Hello']);
  const told = async (button: RegExp): Promise<readonly string[]> => {
    const { diff } = await agent.step(button, null, { diffSince: 'last' });
    return (diff?.messages ?? []).map(({ kind, text }) => `${kind} ${text}`);
  };
  expect(await told(/Save/)).toEqual(['status Saved Ann']);
  expect(await told(/Copy/)).toEqual(['status Copied', 'status Expires']);
  expect(await told(/Save/)).toEqual(['status Saved Ann']);
  expect(await told(/Talk/)).toEqual(['status New line']);
  expect(await told(/Close/)).toEqual([]);
});

test('of a long log the last lines are told, and then new ones only: not those that others uncover, nor the same ones drawn again', async () => {
  await open('/log');
  const lines = (from: number, length = 5) =>
    Array.from({ length }, (_, nth) => `status Line no. ${from + nth}`);
  expect(messages()).toEqual(lines(990, 10));
  const told = async (button: RegExp): Promise<readonly string[]> => {
    const { diff } = await agent.step(button, null, { diffSince: 'last' });
    return (diff?.messages ?? []).map(({ kind, text }) => `${kind} ${text}`);
  };
  expect(await told(/Close/)).toEqual([]);
  expect(messages()).toEqual(lines(994));
  expect(await told(/Draw/)).toEqual(['status Line no. 999', 'status Line no. 1000']);
  expect(await told(/Top/)).toEqual(['status First of all']);
});

test('of a log that is too long to be compared, lines that the removal of others brings into the compared part are not new', async () => {
  await open('/long-log');
  const told = async (button: RegExp): Promise<readonly string[]> => {
    const { diff } = await agent.step(button, null, { diffSince: 'last' });
    return (diff?.messages ?? []).map(({ kind, text }) => `${kind} ${text}`);
  };
  expect(await told(/Close/)).toEqual([]);
  expect(await told(/Talk/)).toEqual(['status The newest']);
});

test('notices that one common word marks are told; the entries of a conversation, and other uses of the word, are not', async () => {
  await open('/saved');
  expect(messages()).toEqual(['status Item has been updated.', 'status Draft kept.']);
  await open('/chat');
  expect(messages()).toEqual([]);
});

test('what the line of an action tells is no message, and the cells of one row are one line', async () => {
  await open('/choice');
  expect(messages()).toEqual([]);
  await agent.step(/combobox "City"/);
  await agent.step(/option "Rome"/);
  expect(messages()).toEqual([]);
  await agent.step(/Week/);
  expect(messages()).toEqual(['appeared Mon | Tue']);
  await agent.step(/Week/);
  expect(messages()).toEqual(['disappeared Mon | Tue']);
});

test('a text that says that the page is busy cannot end the quotation in which it stands', async () => {
  await open('/busy-quotes');
  expect(agent.lastObservation.space?.pending.busy).toEqual([
    'progressbar "Up\' , B9 \'Load" 40 %',
    '"Loading \'x\', spinner…"',
  ]);
});

test('the messages of frames are told', async () => {
  await open('/frame');
  expect(messages()).toContain('alert Disk full');
});

test('an invalid field is told with the text that says why, and its action', async () => {
  await open('/fields');
  const [age, zip] = [agent.find(/Age/).id, agent.find(/Zip/).id];
  expect(messages()).toEqual([`validation ${age} At most 120.`, `validation ${zip} Five digits.`]);
  await agent.step(/Send/);
  expect(messages()).toEqual([
    `validation ${agent.find(/Mail/).id} Please fill out this field.`,
    `validation ${age} At most 120.`,
    `validation ${zip} Five digits.`,
  ]);
});

test.each([
  [/Mail/, 'ada', "Please include an '@' in the email address. 'ada' is missing an '@'."],
  [/Stars/, '9', 'Value must be less than or equal to 5.'],
])(
  'a value that the browser calls invalid is told by the step that enters it: %s',
  async (field, value, text) => {
    await open('/limits');
    await agent.step(field, value);
    expect(messages()).toEqual([`validation ${agent.find(field).id} ${text}`]);
  },
);

describe('text that a step changes is told:', () => {
  test.each([
    ['a toast', /Save/, ['status Saved!']],
    ['rows, without the names of actions', /Load/, ['appeared First row', 'appeared Second row Open first']],
    ['a line that goes away', /Remove/, ['disappeared An old line']],
    ['a text whose element stays', /"Empty"/, ['disappeared An error']],
    ['the text of a disclosure', /More/, ['appeared In the details']],
    ['a number inside a line', /Count/, ['appeared Total: 2']],
    ['short texts of one row, as one line', /Week/, ['appeared Mon | Tue | Wed']],
    ['a new field, without its label', /"Form"/, ['appeared required for bills']],
    ['a toast that moves into the window', /Slide/, ['appeared Slid in']],
    ['a text in a box that was closed to no height', /Unfold/, ['appeared In the fold']],
    ['an alert in a polite region, without its button', /Send/, ['alert Not sent: Zip is missing']],
    ['nothing, when the same text is rendered again', /Render/, []],
  ])('%s', async (_, button, expected) => {
    await open('/toast');
    await agent.step(button);
    expect(messages()).toEqual(expected);
  });

  test('nothing, when parts of one line are rendered again', async () => {
    await open('/toast');
    await agent.step(/Month/);
    await agent.step(/Month/);
    expect(messages()).toEqual([]);
  });

  test('an alert that a click closes, and not the status in the name of a button', async () => {
    await open('/clickable-toast');
    await agent.step(/Save/);
    expect(messages()).toEqual(['alert Wrong password']);
    expect(agent.find(/clickable "Wrong password"/)).toBeDefined();
  });

  test('a text that only a style rule shows, in a document whose tree stays the same', async () => {
    await open('/styled');
    await agent.step(/More/, 'true');
    expect(messages()).toEqual(['appeared All the details']);
  });

  test('a text in a shadow tree, and one that the tree shows in a slot', async () => {
    await open('/shadow');
    await agent.step(/Show/);
    expect(messages()).toEqual(['appeared Inside the shadow']);
    await agent.step(/Unfold/);
    expect(messages()).toEqual(['appeared Own text', 'appeared Folded part']);
  });
});

test('a sign of business in a shadow tree is pending until it goes', async () => {
  await open('/busy');
  expect(agent.lastObservation.space?.pending.busy).toEqual(['"Loading…"']);
  await agent.step(/Refresh/);
  expect(agent.lastObservation.space?.pending.busy).toEqual([]);
});

test('diffMarkdown() tells messages in place of "Nothing has changed."', async () => {
  await open('/script');
  await agent.step(/Sign in/);
  const messagesOfStep = agent.lastObservation.space?.messages ?? [];
  expect(diffMarkdown({ added: [], removed: [], changed: [], messages: messagesOfStep })).toBe(
    '! appeared "Wrong password."',
  );
});
