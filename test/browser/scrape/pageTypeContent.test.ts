/** Main content of pages of several types, large enough for the learnt model. The pages are written for these tests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numbers, sentence } from '../../support/pageProse.ts';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

const MENU = `<header class="site-header"><a href="/" class="logo">Northwind</a><nav class="main-nav"><ul>${[
  'Home',
  'Forum',
  'Shop',
  'About us',
  'Contact',
  'Careers',
]
  .map(name => `<li><a href="/${name}">${name}</a></li>`)
  .join('')}</ul></nav></header>`;
const FOOTER = `<footer class="site-footer"><ul>${[
  'Privacy policy',
  'Terms of use',
  'Cookie settings',
  'Imprint',
]
  .map(name => `<li><a href="/${name}">${name}</a></li>`)
  .join(
    '',
  )}</ul><p>© 2025 Northwind Ltd. All rights reserved.</p><form><label>Subscribe to our newsletter</label><input type="email" placeholder="Your e-mail address"><button>Sign up</button></form></footer>`;

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${MENU}${body}${FOOTER}</body></html>`;

const scrapeText = async (markup: string): Promise<string> => (await harness.scrapeMarkup(markup)).text ?? '';

const THREAD = page(
  'Which tent for snow? | Northwind forum',
  `<main class="p-body"><div class="breadcrumb"><a href="/forum">Forum</a> › <a href="/forum/tents">Tents</a></div>
<h1 class="thread-title">Which tent for snow?</h1>
<div class="thread posts">${numbers(8)
    .map(
      number => `<article class="message post" id="post-${number}"><div class="message-user"><a class="username" href="/u/${number}">member${number}</a></div>
<div class="message-body post-content"><p>Post ${number}: ${sentence(`tent of model ${number}`)}</p><p>${sentence('pole')} My tip number ${number} is to bring longer pegs.</p></div>
<aside class="message-signature signature">Sent from my phone, signature ${number}</aside>
<div class="message-actions"><a href="#">Like</a> <a href="#">Reply</a> <a href="#">Report</a></div></article>`,
    )
    .join('')}</div>
<form class="quick-reply"><label>Write your reply</label><textarea placeholder="Write your reply"></textarea><button>Post reply</button></form></main>
<aside class="sidebar"><h3>Latest threads</h3><ul>${numbers(8)
    .map(number => `<li><a href="/t/${number}">Another thread about stoves ${number}</a></li>`)
    .join('')}</ul></aside>`,
);

const COLLECTION = page(
  'Trail shoes | Northwind shop',
  `<div class="collection-page"><aside class="filters facets"><h3>Filter by</h3>${['Brand', 'Size', 'Colour']
    .map(
      name =>
        `<fieldset class="facet"><legend>${name}</legend><ul>${numbers(5)
          .map(
            number => `<li><label><input type="checkbox"> ${name} option ${number} (${number})</label></li>`,
          )
          .join('')}</ul></fieldset>`,
    )
    .join('')}</aside>
<main><h1>Trail shoes</h1><div class="sort-bar toolbar"><label>Sort by</label><select><option>Best selling</option><option>Price</option></select></div>
<ul class="product-grid">${numbers(16)
    .map(
      number => `<li class="product-card"><a href="/products/${number}"><img src="/${number}.jpg" alt=""><h3 class="product-card-title">Ridge runner ${number}</h3></a>
<p class="product-card-description">A light shoe with a firm grip for wet rock number ${number}.</p><span class="price">$${80 + number}.00</span></li>`,
    )
    .join(
      '',
    )}</ul><nav class="pagination"><a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a> <a href="?page=2">Next</a></nav></main></div>`,
);

const PRODUCT = page(
  'Ridge runner | Northwind shop',
  `<main class="product-page"><div class="product"><div class="product-info"><h1 class="product-title">Ridge runner</h1><div class="product-price price">$129.00</div>
<div class="product-description"><p>${sentence('outer sole')} It weighs 240 grams and drains quickly after a stream.</p><p>${sentence('upper')} The laces are made of recycled yarn.</p>${numbers(
    6,
  )
    .map(
      number =>
        `<p>Stage ${number}: ${sentence('heel')} The cushion of zone ${number} is softer than in the first edition.</p>`,
    )
    .join('')}</div>
<form class="product-form"><label>Quantity</label><input type="number" value="1"><button>Add to cart</button></form>
<div class="product-specifications"><h2>Specifications</h2><table>${[
    ['Weight', '240 g'],
    ['Drop', '6 mm'],
    ['Upper', 'Ripstop mesh'],
    ['Sole', 'Vibram Litebase'],
    ['Made in', 'Portugal'],
  ]
    .map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`)
    .join('')}</table></div></div></div>
<section class="customer-reviews"><h2>Customer reviews (6)</h2>${numbers(6)
    .map(
      number =>
        `<div class="review"><b>Buyer ${number}</b><p>Review ${number}: ${sentence('sole')} ${sentence('upper')}</p></div>`,
    )
    .join('')}</section>
<section class="related-products recommendations"><h2>You may also like</h2><ul>${numbers(8)
    .map(
      number =>
        `<li class="product-card"><a href="/p/${number}"><h3>Valley walker ${number}</h3></a><span class="price">$${60 + number}.00</span></li>`,
    )
    .join('')}</ul></section></main>`,
  '<meta property="og:type" content="product">',
);

const SATZ =
  'Nach drei Monaten täglicher Nutzung im Winter würden wir dieses Modell ohne Zögern wieder wählen.';
/** A product whose elements have no names that tell what they are for. */
const GERMAN_PRODUCT = page(
  'Gratläufer | Nordwind',
  `<main><div><h1>Gratläufer</h1><div>129,00 €</div>${numbers(6)
    .map(number => `<p>Zone ${number}: ${SATZ} Die Dämpfung ist weicher als in der ersten Ausgabe.</p>`)
    .join('')}
<section><h2>Technische Daten</h2><ul><li>Gewicht 240 g</li><li>Sprengung 6 mm</li><li>Sohle aus Kork</li></ul></section></div>
<section><h2>Kundenbewertungen (6)</h2>${numbers(6)
    .map(number => `<div><b>Käufer ${number}</b><p>Meinung ${number}: ${SATZ}</p></div>`)
    .join('')}</section>
<section><h2>Das könnte Ihnen auch gefallen</h2>${numbers(4)
    .map(number => `<div><h3>Talgänger ${number}</h3><p>${SATZ} Für das Tal Nummer ${number}.</p></div>`)
    .join('')}</section></main>`,
  '<meta property="og:type" content="product">',
).replace('lang="en"', 'lang="de"');

const SERVICE = page(
  'Roof repair | Northwind',
  `<main>${['Inspection', 'Repair', 'Insulation', 'Maintenance', 'Emergency', 'Financing', 'Warranty', 'Team']
    .map(
      name => `<section class="section ${name.toLowerCase()}"><div class="container"><h2>${name}</h2><p>Our ${name.toLowerCase()} service covers homes of every size. ${sentence(`work on ${name}`)}</p>
<ul class="features"><li>A fixed price for each ${name.toLowerCase()} visit, agreed before we begin</li><li>Photographs of every step of the ${name.toLowerCase()}</li></ul></div></section>`,
    )
    .join('')}</main>`,
);

describe('main content of a forum thread', () => {
  test('keeps every post', async () => {
    const text = await scrapeText(THREAD);
    for (const number of numbers(8)) expect(text).toContain(`My tip number ${number} is`);
  });

  test('leaves out signatures, the quick reply, the sidebar and the menu', async () => {
    const text = await scrapeText(THREAD);
    for (const chrome of ['Sent from my phone', 'Write your reply', 'Another thread about stoves', 'Careers'])
      expect(text).not.toContain(chrome);
  });
});

describe('main content of a collection', () => {
  test('keeps the name and the price of every card', async () => {
    const text = await scrapeText(COLLECTION);
    for (const number of numbers(16)) {
      expect(text).toContain(`Ridge runner ${number}\n`);
      expect(text).toContain(`$${80 + number}.00`);
    }
  });

  test('leaves out the facets and the menu', async () => {
    const text = await scrapeText(COLLECTION);
    for (const chrome of ['Brand option 3', 'Size option 2', 'Careers']) expect(text).not.toContain(chrome);
  });
});

test('main content of a list that declares an article keeps the entries below its introduction', async () => {
  const recipes = ['Baked in the oven', 'Cooked in one pot', 'Ready in ten minutes'].map(
    name =>
      `<section><header class="text-center"><h2>${name}</h2><p>These recipes are simple, quick, and made of what the cupboard has.</p></header><div class="grid">${numbers(
        10,
      )
        .map(
          number =>
            `<article class="card"><a href="/recipes/${number}"><img src="/${number}.jpg" alt=""><div>${number * 7} reviews / 4.${number % 10} average</div><h3>${name}: lentils number ${number} with herbs</h3></a></article>`,
        )
        .join('')}</div></section>`,
  );
  const text = await scrapeText(
    page(
      'Lentil recipes | Northwind',
      `<main><header><h1>Lentil recipes</h1><p>Lentils are on our table each week, and these recipes tell why: they cook in no time, they keep for days, and they cost next to nothing.</p><p>We begin with the simple ones, which children like, and end with the spicy ones, which they may like later, so take your time.</p></header>${recipes.join('')}</main>`,
      '<meta property="og:type" content="article">',
    ),
  );
  expect(text).toContain('lentils number 7 with herbs');
});

describe('main content of a product', () => {
  test('keeps name, price, description and specification', async () => {
    const text = await scrapeText(PRODUCT);
    for (const part of ['Ridge runner', '$129.00', 'drains quickly', 'recycled yarn', 'Vibram Litebase'])
      expect(text).toContain(part);
  });

  test('leaves out other products and reviews', async () => {
    const text = await scrapeText(PRODUCT);
    for (const other of ['Valley walker', 'Review 3']) expect(text).not.toContain(other);
  });
});

describe('main content of a product in another language than English', () => {
  test('keeps name, price, description and specification', async () => {
    const text = await scrapeText(GERMAN_PRODUCT);
    for (const part of ['Gratläufer', '129,00 €', 'Zone 4', 'Sohle aus Kork']) expect(text).toContain(part);
  });
});

test('main content of a service page keeps all sections of equal weight', async () => {
  const text = await scrapeText(SERVICE);
  for (const name of ['inspection', 'financing', 'warranty', 'team'])
    expect(text).toContain(`Photographs of every step of the ${name}`);
});

test('main content of an article has a text as often as the page shows it', async () => {
  const name = 'The council of the harbour (@harbour), October 9';
  const posts = numbers(3)
    .map(number => `<section><p>${sentence(`post ${number}`)}</p><p>${name}</p></section>`)
    .join('');
  const text = await scrapeText(`<article>${posts}<p>${sentence('quay')}</p></article>`);
  expect(text.split(name)).toHaveLength(4);
});

describe('a page that shows almost nothing', () => {
  const posts = numbers(4)
    .map(number => `<p>Answer ${number}: ${sentence('stove')} See <a href="/t/${number}">the thread</a>.</p>`)
    .join('');

  test('is answered with the content that it has for browsers without scripts', async () => {
    const { text, links } = await harness.scrapeMarkup(
      `<body><div id="app"></div><noscript><main><h1>Stoves</h1>${posts}</main></noscript></body>`,
    );
    expect(text).toContain('Answer 4');
    expect(links?.some(({ url }) => url.endsWith('/t/4'))).toBe(true);
  });

  test('is answered with the content that its scripts have not shown', async () => {
    const text = await scrapeText(
      `<body><style>.waiting{display:none}</style><p>Loading</p><main class="waiting"><h1>Stoves</h1>${posts}${posts}${posts}</main></body>`,
    );
    expect(text).toContain('Answer 4');
  });

  test('is answered with the content that its scripts have not shown, whatever its parts that open have', async () => {
    const help = `<details><summary>Who are we?</summary><p>${sentence('shop').repeat(6)}</p></details>`;
    const text = await scrapeText(
      `<body><style>.waiting{visibility:hidden}</style><p>Loading</p>${help}<main class="waiting"><h1>Stoves</h1>${posts.repeat(8)}</main></body>`,
    );
    expect(text).toContain('Answer 4');
  });

  test('keeps what it hides if its parts that open are most of its content', async () => {
    const answers = `<details><summary>Who are we?</summary><p>${sentence('shop').repeat(12)}</p></details>`;
    const text = await scrapeText(
      `<body><main><h1>Questions</h1>${answers}</main><div style="display:none"><p>Hidden words. ${posts}</p></div></body>`,
    );
    expect(text).not.toContain('Hidden words');
  });

  test('does not run or keep what stands in its hidden part', async () => {
    const { mainContent } = await harness.scrapeMarkup(
      `<body><div id="app"></div><noscript><main><h1 onclick="alert(1)">Stoves</h1>${posts}<script>alert(1)</script><iframe src="/x"></iframe></main></noscript></body>`,
    );
    expect(mainContent).not.toMatch(/script|onclick|iframe/);
  });

  test('keeps what it hides if it shows enough', async () => {
    const text = await scrapeText(
      `<body><main>${posts}${posts}</main><div style="display:none"><p>Hidden words. ${posts}${posts}${posts}</p></div></body>`,
    );
    expect(text).not.toContain('Hidden words');
  });
});
