/** A part of the text is told by its own evidence, not by its name. The pages are written for these tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentence } from '../../support/pageProse.ts';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const OPENING = ['old boat', 'harbour', 'sail'].map(thing => `<p>${sentence(thing).repeat(2)}</p>`).join('');
const CLOSING = `<p>At the end: ${sentence('rope')}</p>`;
const page = (body: string): string =>
  `<!doctype html><title>The old boat</title><header><nav><a href=/>Home</a> <a href=/a>About</a></nav></header><main><article><h1>The old boat</h1>${body}</article></main><footer>© Boats</footer>`;
const textOf = async (body: string): Promise<string> => (await harness.scrapeMarkup(page(body))).text ?? '';

const NAMES =
  'cookies sharing printing comments tags menus related-work ads-policy rating-scale subscriptions newsletters widgets screenreaders sponsors social-life bio topics consent promotion share-prices vote community-guidelines hidden-fees sidebar-notes header-fields footer-text advert breadcrumbs pagination popup extra media-types contact'.split(
    ' ',
  );
const PROSE =
  'Everything that stands here belongs to the text, since it has a heading and a sentence of its own.';

describe('a box with a heading and sentences is content', () => {
  it.each(['id', 'class'])('whose %s is an everyday word', async attribute => {
    const sections = NAMES.map(
      name => `<section ${attribute}="${name}"><h2>Part ${name}</h2><p>${PROSE} Of ${name}.</p></section>`,
    );
    const text = await textOf(OPENING + sections.join('') + CLOSING);
    expect(NAMES.filter(name => !text.includes(`Part ${name}\n\n${PROSE} Of ${name}.`))).toEqual([]);
  });

  it.each([
    [
      'an aside with facts',
      '<aside><h3>Key facts</h3><ul><li>Built in 1931</li><li>40 m long</li></ul></aside>',
      '40 m long',
    ],
    [
      'the footer of a section',
      `<section><h2>Crew</h2><p>${PROSE}</p><footer><p>Remark: the crew of the year 1931 had no cook of its own.</p></footer></section>${CLOSING}`,
      'no cook',
    ],
    [
      'prose in a form',
      `<form action=/x><p>${PROSE}</p><p>${sentence('oar')}</p><input type=hidden name=a></form>`,
      PROSE,
    ],
    [
      'steps in a nav of the article',
      '<nav><h3>Steps</h3><ol><li>Untie the rope at the old quay.</li><li>Push the boat off with an oar.</li></ol></nav>',
      'Push the boat off',
    ],
    [
      'the source of a quotation',
      '<blockquote><p>The sea is wide.</p><footer>Ada Berg in <cite>Notes</cite></footer></blockquote>',
      'Ada Berg',
    ],
    [
      'items of a menu that a manual describes',
      '<h2>Menu</h2><ul><li>Share</li><li>Print</li><li>Save</li><li>Comments</li><li>Advertisement</li></ul>',
      '- Share\n- Print\n- Save\n- Comments\n- Advertisement',
    ],
    ['a heading called Share above sentences', `<h2>Share</h2><p>${PROSE}</p>`, `Share\n\n${PROSE}`],
    [
      'footnotes',
      '<section class=footnotes role=doc-endnotes><ol><li id=a>The steel was late. <a href="#b">↩</a></li><li id=c>Second, <a href=/s>source</a>. <a href="#d">↩</a></li></ol></section>',
      'Second, source.',
    ],
    [
      'a section of code whose name and first words are those of a notice',
      `<section id=message-share><h2>message-share</h2><p>Set it in the file of options.</p><pre>share on</pre></section>${CLOSING}`,
      'share on',
    ],
    [
      'links that a sentence introduces',
      `<p>The toolbar has these parts:</p><ul><li><a href=/share>Share</a></li><li><a href=/print>Print</a></li></ul>${CLOSING}`,
      '- Share\n- Print',
    ],
    ['a heading called Share above a short sentence', '<h3>Share</h3><p>Sends it.</p>', 'Share\n\nSends it.'],
    [
      'notes whose items are paragraphs',
      '<section data-footnotes class=footnotes><h2 class=sr-only>Footnotes</h2><ol><li><p>See p. 3. <a href="#r">↩</a></p></li></ol></section>',
      'See p. 3.',
    ],
    [
      'sources that are links',
      '<h2>Sources</h2><ul><li><a href=/t>Tides of the North Sea</a>, 1931</li><li><a href=/l>Harbour law</a></li></ul>',
      '- Tides of the North Sea, 1931\n- Harbour law',
    ],
    [
      'values with names in a box whose name means data about the page',
      `<h2>Eel</h2><div class=post-meta><div><b>Prep time</b> <span>10 minutes</span></div><div><b>Servings</b> <span>4</span></div></div><p>${PROSE}</p>${CLOSING}`,
      '10 minutes',
    ],
    [
      'a remark without a sentence below a section',
      `<section><h2>Crew</h2><p>${PROSE}</p><footer><small>Figures of May 2026.</small></footer></section>${CLOSING}`,
      'Figures of May 2026.',
    ],
    [
      'steps in a nav without a heading and without links',
      `<nav aria-label=Procedure><ol><li>Lift the mast with two people.</li><li>Tie it.</li></ol></nav>${CLOSING}`,
      'Tie it.',
    ],
    [
      'a state with a link',
      `<div><a href=/i>Stability: 2</a> - Stable</div>${CLOSING}`,
      'Stability: 2 - Stable',
    ],
    [
      'what it is compatible with, which is a link',
      `<p><a href=/i>Compatibility: ropes of 8 mm</a></p>${CLOSING}`,
      'Compatibility: ropes of 8 mm',
    ],
    [
      'a task in a cell of a table',
      `<table><tr><th>Task</th><th>Done</th></tr><tr><td>Oil</td><td><input type=checkbox checked disabled></td></tr></table>${CLOSING}`,
      'Oil\t☑',
    ],
    [
      'a section called Comments whose heading says whose they are',
      '<section class=comments><h2>Comments of the jury</h2><p>The jury liked the boat for its sails and its quiet.</p></section>',
      'Comments of the jury',
    ],
    [
      'the states of boxes by their role',
      '<ul><li><i role=checkbox aria-checked=true></i> Rope</li></ul>',
      '[x] Rope',
    ],
    ['a text to copy', `<p>Copy:</p><textarea readonly>One\ntwo</textarea>${CLOSING}`, 'One\ntwo'],
    ['the numbers of a list', `<ol reversed><li>c</li><li>b</li></ol>${CLOSING}`, '2. c\n1. b'],
    [
      'a list of short items below a heading, in a box whose name is that of a notice',
      '<div class=newsletter><h2>Kinds</h2><ul><li>Oat</li><li>Rye</li></ul></div>',
      '- Oat\n- Rye',
    ],
    [
      'titles of pages with only spaces between them',
      '<p><a href=/r>The report of the office</a> <a href=/d>All tables of the year</a></p>',
      'The report of the office All tables of the year',
    ],
    [
      'short links with only spaces between them, below a heading',
      '<h2>Ports</h2><p><a href=/l>Lind</a> <a href=/r>Rasted</a> <a href=/h>Holm</a></p>',
      'Lind Rasted Holm',
    ],
    [
      'a line that only begins like a byline',
      '<p>12 hours later it rained.</p>',
      '12 hours later it rained.',
    ],
  ])('%s', async (_, part, kept) => {
    expect(await textOf(OPENING + part + CLOSING)).toContain(kept);
  });

  it('in each of many boxes of lists alone', async () => {
    const boxes = NAMES.map(
      name => `<div class="${name}"><ul><li>Oat of ${name}</li><li>Ginger</li></ul></div>`,
    ).join('');
    for (const markup of [page(OPENING + boxes + CLOSING), `<header>Menu</header><h1>Bakery</h1>${boxes}`]) {
      const { text } = await harness.scrapeMarkup(markup);
      expect(NAMES.filter(name => text?.includes(`Oat of ${name}`) !== true)).toEqual([]);
    }
  });
});

describe('short facts stay', () => {
  it.each([
    [
      'at the end, below headings',
      '<h2>Opening hours</h2><p>Mon–Fri 7:00–15:00</p><p>Sat 8:00–12:00</p><h2>Price</h2><p>€ 12 for adults</p>',
      ['Sat 8:00–12:00', '€ 12 for adults'],
    ],
    [
      'at the end, in a definition list',
      '<h2>Data</h2><dl><dt>Weight</dt><dd>2 kg</dd><dt>Colour</dt><dd>Red</dd></dl>',
      ['Weight', '2 kg', 'Colour', 'Red'],
    ],
    [
      'at the end, as an address',
      '<h2>Address</h2><p>1 Quay Road</p><p>Port Town</p>',
      ['1 Quay Road', 'Port Town'],
    ],
    [
      'at the end, as a limit',
      '<h2>Rate limit</h2><p>60 requests/min</p><h2>Version</h2><p>v2.1</p>',
      ['60 requests/min', 'v2.1'],
    ],
    ['at the end, with a label', '<p>Entry: 8 €, children 4 €</p><p><b>License:</b> MIT</p>', ['8 €', 'MIT']],
    [
      'at the end, as a signature',
      '<p>Ada Berg<br>Keeper of the boat</p>',
      ['Ada Berg', 'Keeper of the boat'],
    ],
    [
      'at the end, in the footer of the article',
      `${CLOSING}<footer><p>Measured in June.</p><address>Boat office, 1 Quay Road</address></footer>`,
      ['Measured in June.', '1 Quay Road'],
    ],
    ['at the beginning, as rows', '', ['Photo | JPEG', 'Icon | PNG'], '<p>Photo | JPEG</p><p>Icon | PNG</p>'],
    ['at the end, as lines', '<div>One<br>two</div><ul><li>Three</li></ul>', ['One\ntwo', '- Three']],
    [
      'at the end, in an aside without a heading',
      '<aside><p><b>Did you know?</b> The boat weighs 800 kg without its mast.</p></aside>',
      ['800 kg'],
    ],
    [
      'at the end, as a quotation with its source',
      '<blockquote><p>The sea is wide.</p><footer>Eva Holm</footer></blockquote>',
      ['Eva Holm'],
    ],
    [
      'at the end, as sources that are links in a box of their own',
      '<h2>References</h2><div class=reflist><ol><li><a href=/u>Town register</a></li></ol></div>',
      ['Town register'],
    ],
    [
      'at the end, in a definition list named as data about the page',
      '<dl class=meta-list><dt>Weight</dt><dd>2 kg</dd><dt>Colour</dt><dd>Red</dd></dl>',
      ['Weight', '2 kg', 'Colour', 'Red'],
    ],
    [
      'at the end, as a sentence that begins like a date',
      '<p>Updated in spring.</p>',
      ['Updated in spring.'],
    ],
    [
      'at the end, as sentences with the words of an invitation',
      '<p>You can sign up for the tour at the desk.</p><p>Follow us along the path.</p><p>Contact us at the gate.</p>',
      ['sign up for the tour', 'Follow us along', 'Contact us at the gate.'],
    ],
    ...[
      'Use the plus sign to add another row, as <a href=/r>Rows</a> tells.',
      'Set the log to write less with <a href=/l>level</a>.',
      'Clients subscribe to a topic with <a href=/s>SUB</a>; the broker answers OK.',
      'Contact the author, <a href=/k>K. Ost</a>, room 12, Mondays 9 to 11.',
      '<em>Ada was a writer of letters, and the village has kept them.</em>',
      '<em>My sister is a journalist.</em>',
      '<b>Subscribe to the <a href=/n>newsletter</a>: closures of the quay are told there only.</b>',
      '<em>The quay closes in spring. Sign up for the <a href=/n>newsletter</a> for the date.</em>',
      'The full rules are in these documents.</p><ul><li><a href=/m>Mooring rules</a></li><li><a href=/w>Waste</a></li></ul><p>',
    ].map((line): [string, string, string[]] => [
      `at the end, as a line: ${line}`,
      `<p>${line}</p>`,
      [
        line.replace(/<\/p>.*<p>/, '').replace(/<[^>]*>/g, ''),
        ...(line.includes('<ul>') ? ['Mooring rules'] : []),
      ],
    ]),
    ...[
      '<h2>How do I hear of gulls?</h2><p>Subscribe to <a href=/n>the newsletter</a>.</p>',
      '<blockquote><p>Subscribe to <a href=/n>the newsletter</a>, or the gulls will die.</p></blockquote>',
    ].map((part): [string, string, string[]] => [`at the end: ${part}`, part, ['gulls', 'Subscribe to']]),
    [
      'at the beginning, in bold before an invitation',
      '',
      ['three boats are gone', 'By train: 2 hours'],
      '<p><b>Since the storm of the night three boats are gone and the quay is closed until further notice. Sign up for <a href=/n>our newsletter</a>.</b></p><p>By train: 2 hours</p>',
    ],
    [
      'at the end, as a paragraph of links',
      '<p><a href=/r>Full report</a> · <a href=/d>Data tables</a></p>',
      ['Full report · Data tables'],
    ],
    [
      'at the end, as a list of links below a heading',
      '<h2>Downloads</h2><ul><li><a href=/r>Full report</a></li><li><a href=/d>Data tables</a></li></ul>',
      ['Downloads', '- Full report\n- Data tables'],
    ],
  ] as [string, string, string[], string?][])('%s', async (_, part, kept, first = '') => {
    const text = await textOf(OPENING.replace('</p>', `</p>${first}`) + part);
    for (const fact of kept) expect(text).toContain(fact);
  });

  it('at the beginning: a version and a small table', async () => {
    const table =
      '<table><tr><th>Difficulty</th><td>Easy</td></tr><tr><th>Time</th><td>2 hours</td></tr></table>';
    const text = await textOf(`<p>Version 2.1, May 2026</p>${table}${OPENING}`);
    expect(text).toContain('Version 2.1, May 2026');
    expect(text).toMatch(/Difficulty\tEasy\s+Time\t2 hours/);
  });
});

describe('everyday words in the middle of a text take nothing away', () => {
  const person = (name: string): string =>
    `<section><h2><a rel=author href=/p>${name}</a></h2><p>To ${name} the sea is a sound of its own. ${PROSE}</p></section>`;
  const PARTS: readonly (readonly [markup: string, kept: string])[] = [
    [
      '<p>It adds two numbers<sup>1</sup> and returns the sum<sup>2</sup>.</p><pre>add(1, 2)\nend</pre>',
      'It adds two',
    ],
    ['<p>Do step <b>1</b>, then step <b>2</b>.</p><section><pre>ls\npwd</pre></section>', 'Do step 1, then'],
    ['<pre>echo 1\necho 2</pre><ul><li>1</li><li>2</li></ul>', '- 1\n- 2'],
    ['<p>You can <a href=/d>subscribe</a> to one kind of rope in your inbox.</p>', 'to one kind of rope'],
    ['<section><h3>Plasma</h3><p>To <a href=/d>donate</a>, bring a gift.</p></section>', 'bring a gift'],
    [
      '<div><h2>Prices</h2><p>12 ropes in one year for 48 €, with a bag as a gift for each who takes them all. It ends by itself.</p><p><a href=/s>Subscribe now</a></p></div>',
      '48 €',
    ],
    ['<dl><dt><a href="#s">subscribe</a></dt><dd>Opens an inbox.</dd></dl>', 'Opens an inbox.'],
    [
      '<h2>Most popular</h2><ul><li><a href=/1>Collie</a>: 14 kg</li><li><a href=/2>Poodle</a>: 20 kg</li></ul>',
      '14 kg',
    ],
    [
      '<h2>How to subscribe</h2><ol><li>Open <a href=/1>the start</a>.</li><li>Press <a href=/2>Join</a>.</li></ol>',
      'Press Join.',
    ],
    [
      '<h2>Latest news</h2><p>May: <a href=/1>version 2</a> has sails; <a href=/2>version 1</a> is gone.</p>',
      'has sails',
    ],
    [
      `<div><h2>Most viewed</h2>${[1, 2].map(at => `<h3><a href=/${at}>The boat number ${at}</a></h3><p>${sentence(`boat ${at}`)}</p>`).join('')}</div>`,
      'The boat number 2',
    ],
    [person('Ada Ost') + person('Ben Kern'), 'To Ben Kern the sea'],
    [
      '<h2>Resources</h2><ul><li><a href=/u>Users</a></li><li><a href=/c>Comments</a></li><li><a href=/p>Plans</a></li></ul>',
      '- Users\n- Comments',
    ],
    ['<p>Like this:</p><pre>tie(rope)</pre>', 'Like this:'],
    ['<table><tr><td><p>Print this page</p></td><td>Ctrl+P</td></tr></table>', 'Print this page'],
    ['<p>(See: <a href=/5>Article 5</a>)</p>', '(See: Article 5)'],
    [
      '<table><tr><td>2021</td><td>640</td></tr></table><p>(Source: <a href=/w>Weather office</a>)</p>',
      '(Source: Weather',
    ],
    [
      '<blockquote><p>We shall build it.</p><p>[Source: <a href=/s>speech of 4 May 1901</a>]</p></blockquote>',
      'speech of 4 May',
    ],
    ['<p>Source | <a href=/d>Destination</a></p>', 'Source | Destination'],
    [
      '<p>Plan B<sup>1</sup>, vitamin C<sup>2</sup>, 12 m<sup>2</sup>, 3 km<sup>2</sup>.</p>',
      'Plan B1, vitamin C2, 12 m2, 3 km2.',
    ],
    [
      '<p>E = m c<sup>2</sup>, E<sup>2</sup> = x<sup>2</sup>, 10<sup>.5</sup></p>',
      'E = m c^2, E^2 = x^2, 10^.5',
    ],
    [
      '<div><p><a href=/c><b>On Friday the three men who had taken the boat to sea at night denied it in court.</b></a></p></div>',
      'denied it in court',
    ],
    ['<div class=download><a href=/r.pdf>All measures of the boat (PDF, 2 MB)</a></div>', 'All measures'],
    ['<div><a href=/s.pdf><b>Sails</b><p>PDF, 4 MB</p></a></div>', 'Sails PDF, 4 MB'],
    ['<div><h2>Old anchors</h2><a name=anchors></a></div>', 'Old anchors'],
    ['<div><h2>Copied links</h2><a role=button>Copy link</a></div>', 'Copied links'],
    ['<div><h3>Dated parts</h3><span>4 May</span> <a href=/d>edit</a></div>', 'Dated parts\n\n4 May'],
    ['<p>The ferries call at</p><p><a href=/l>Lind</a> <a href=/r>Rasted</a></p>', 'Lind Rasted'],
    ...[
      'Source: Harbour office, yearbook 2022, table 4.',
      'See also: part 3 of the yearbook.',
      'Contact us at the gate, room 12.',
    ].map((line): [string, string] => [
      `<section><h2>Tides</h2><p>${PROSE}</p><footer><p>${line}</p></footer></section>`,
      line,
    ]),
    ['<p>Ports:</p><p><a href=/l>Holm</a> <a href=/r>Quay</a></p>', 'Holm Quay'],
    [
      '<p><b>Tools</b></p><p>An oar.</p><p><b>Share</b></p><p>Give half to the crew.</p>',
      'Share\n\nGive half',
    ],
    [
      [...'abc']
        .map(
          (name, at) =>
            `<div><span class=who>${name.toUpperCase()}</span> <span class=timestamp><a href=/v?t=${at}>(00:1${at})</a></span> <span class=said>${at === 1 ? 'Why?' : sentence('sail')}</span></div>`,
        )
        .join(''),
      'B (00:11) Why?',
    ],
    [
      '<figure><div></div><noscript><img src=/crane.jpg alt="A crane"></noscript><figcaption>The crane</figcaption></figure>',
      'The crane',
    ],
    ['<p>A <q>«go»</q>, <q>stay</q> <img src=/e.svg alt=🎉> there.</p>', 'A «go», "stay" 🎉 there'],
    [
      '<p><span style="display:block">The first line,</span> <span style="display:block">the second</span></p>',
      'The first line,\nthe second',
    ],
  ];

  it.for([1, 2])('in half %i of the parts', async half => {
    const parts = PARTS.filter((_, at) => at % 2 === half - 1);
    const text = await textOf(OPENING + parts.map(([markup]) => markup + CLOSING).join(''));
    for (const [, kept] of parts) expect(text).toContain(kept);
  });
});

describe('questions and answers stay', () => {
  const answer = (at: number): string =>
    `<p>${at === 1 ? 'No, never.' : sentence(`answer ${at}`).repeat(3)}</p>`;
  const QUESTIONS = ['Shipping?', 'Returns?', 'Sizes?'];

  it('in an accordion, whose short answer stands between long ones', async () => {
    const parts = QUESTIONS.map(
      (name, at) =>
        `<div class=acc><h3><button aria-expanded=false>${name}</button></h3><div hidden>${answer(at)}</div></div>`,
    );
    const text = await textOf(parts.join(''));
    for (const kept of [...QUESTIONS, 'No, never.']) expect(text).toContain(kept);
  });

  it('on a page with one short question and two answers', async () => {
    const posts = [0, 2].map(
      at => `<div class=answer><div class=post-text>${answer(at)}</div><i>Ada</i></div>`,
    );
    const { text } = await harness.scrapeMarkup(
      `<header>Menu</header><div><h1>Ropes</h1><div class=question><p>Can I use one rope only?</p></div><h2>2 answers</h2>${posts.join('')}</div>`,
    );
    for (const kept of ['one rope only?', 'answer 0', 'answer 2']) expect(text).toContain(kept);
  });
});

describe('a box whose name and own evidence agree is left out', () => {
  it.each([
    [
      'comments',
      '<section id=comments><h2>2 comments</h2><ol><li class=comment><cite class=comment-author>Otto</cite> <time>May 1</time><p>UNWANTED I liked the part on the rope very much, thank you.</p><a href="#r">Reply</a></li><li class=comment><cite class=comment-author>Ada</cite> <time>May 2</time><p>UNWANTED So did I, and my brother too, who has a boat.</p><a href="#s">Reply</a></li></ol></section>',
    ],
    [
      'a newsletter',
      '<div class=newsletter><h3>UNWANTED letter</h3><p>Sign up to have our stories in your inbox each morning.</p><form><input type=email><button>Go</button></form></div>',
    ],
    [
      'a consent notice',
      '<div id=cookie-consent><h3>UNWANTED privacy</h3><p>We use cookies to store what you do on this site.</p><a class=btn href=#>Accept</a></div>',
    ],
    [
      'related stories',
      '<div class=related><h3>UNWANTED stories</h3><ul><li><a href=/1>The harbour in winter and what remains of it</a></li><li><a href=/2>A new quay for the old boats of the town</a></li></ul></div>',
    ],
    [
      'the author',
      '<div class=author-bio><h3>UNWANTED Ada Berg</h3><p>Ada Berg is a reporter for Boats who lives by the sea.</p></div>',
    ],
    [
      'the author below a link to the others of the same',
      '<div><div><h5><a rel=author href=/ada>Ada Berg</a></h5><p>Ada lives UNWANTED by the sea with two cats and an old boat.</p></div></div>',
    ],
    [
      'a list of links to topics',
      '<ul><li><a href=/tag/1>UNWANTED harbours</a></li><li><a href=/tag/2>Old boats</a></li></ul>',
    ],
    [
      'what others read',
      '<h3>Most read</h3><ol><li><a href=/1>UNWANTED harbours in winter</a></li><li><a href=/2>A new quay for old boats</a></li></ol>',
    ],
    [
      'the author in italics',
      '<p class=byline>By Ada Berg</p><p><em>Ada Berg is the senior editor of Boats. UNWANTED <a href=/ada>Read more</a>.</em></p>',
    ],
    [
      'a line of links to services of the site',
      '<p><a href=/o>Comments</a> | <a href=/t>UNWANTED paper</a></p>',
    ],
    [
      'an invitation to a newsletter by a link',
      `<div><p>UNWANTED news of all boats, in your inbox.</p><p><a href=/in>Sign up</a></p></div>${CLOSING}`,
    ],
    [
      'a card that is one link, whose heading is no part of the text',
      `<div><a href=/w><h3>Ridge walk</h3><p>UNWANTED Four hours on stones, with a view of the sea and of the mill.</p></a></div>${CLOSING}`,
    ],
    [
      'a heading of controls, beside a link that leads nowhere',
      `<div class=sharing><h3>UNWANTED likes</h3><div><span>Like</span></div><a></a></div>${CLOSING}`,
    ],
    [
      'invitations to sign in and to a newsletter',
      '<p>UNWANTED You must be <a href=/in>logged in</a> to post a comment.</p><p>Get UNWANTED news in your inbox. <a href=/l>Subscribe to our letters</a>.</p>',
    ],
    [
      'an invitation above a picture',
      '<p>UNWANTED Follow us on <a href=//f.example/b>Twitter</a> and on other networks.</p><figure><img src=/p.png><figcaption>A boat</figcaption></figure>',
    ],
    [
      'a reference in brackets to another text',
      `<p>[Related: <a href=/h>UNWANTED harbours in winter</a>]</p>${CLOSING}`,
    ],
    [
      'a menu that begins with a word for a state',
      `<p><a href=/s>Status</a> <a href=/t>UNWANTED terms</a> <a href=/p>Privacy</a></p>${CLOSING}`,
    ],
    [
      'an invitation to a newsletter without a name',
      '<div class=box><h3>UNWANTED letter</h3><p>Sign up to have our stories in your inbox each morning.</p><form><input type=email><button>Go</button></form></div>',
    ],
    [
      'comments without a name',
      '<section><h3>Comments (2)</h3><div class=r><b>Otto</b> <span>2 days ago</span><p>UNWANTED I liked the part on the rope.</p></div><div class=r><b>Ada</b> <span>3 days ago</span><p>UNWANTED So did my brother, who has a boat.</p></div></section>',
    ],
  ])('%s', async (_, part) => {
    expect(await textOf(OPENING + CLOSING + part)).not.toContain('UNWANTED');
  });
});
