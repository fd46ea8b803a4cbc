import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { declaredType } from '../../../../src/browser/injected/signals/pageTypeShares.ts';
import type { PageType } from '../../../../src/browser/injected/signals/pageTypes.ts';
import type { SpaceCategory } from '../../../../src/domain/space/space.ts';
import { pageHarness } from '../../../support/pageHarness.ts';
import type { Page } from '../../../support/servePages.ts';

const NAV = '<nav><a href="/a">Products</a><a href="/b">Prices</a><a href="/c">About</a></nav>';
const result = (n: number) =>
  `<div class="search-result"><h3><a href="/r${n}">Result ${n}</a></h3><p>What it says.</p></div>`;
const entry = (n: number) =>
  `<article><h2><a href="/n${n}">News ${n}</a></h2><p>Something happened.</p></article>`;
const product = (n: number) =>
  `<li class="product-card"><a href="/p${n}">Shoe ${n}</a><span>$${n}0</span><button>Add to cart</button></li>`;
const row = (n: number) => `<tr><td>2026-01-${n}</td><td>${n * 3}</td></tr>`;

const post = (n: number) =>
  `<div class="post"><a href="/user/${n}">Ada ${n}</a> <span>Joined 2020</span><p>I had that too, and this helped.</p><a href="#q${n}">Quote</a><button>Reply</button></div>`;
const chapter = (n: number) =>
  `<h2 id="c${n}">Option ${n}</h2><p>Sets what the parser does with it.</p><pre><code>parse({ option: ${n} })</code></pre><a href="#c${n}">Option ${n}</a>`;
const many = (part: (n: number) => string, count: number) =>
  Array.from({ length: count }, (_, n) => part(n)).join('');

const declares = (type: string) =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","name":"Tent"}</script>`;

/** A declared type → the category of the page, and the type by which its main content is read. */
const DECLARED = {
  Product: ['item', 'product'],
  NewsArticle: ['item', 'article'],
  TechArticle: ['item', 'documentation'],
  CollectionPage: ['data-feed', 'collection'],
  DiscussionForumPosting: ['data-feed', 'forum'],
} as const satisfies Readonly<Record<string, readonly [SpaceCategory, PageType]>>;

/** Path → expected category and HTML, written as real sites write it. */
const PAGES: Readonly<Record<string, readonly [category: string, html: string]>> = {
  '/': ['homepage', `<title>Acme</title><header>${NAV}</header><h1>Tools for everyone</h1><p>Welcome.</p>`],
  '/search': [
    'search-results',
    `<title>shoes - Search</title><form role="search"><input type="search" name="q" value="shoes"></form>${[1, 2, 3].map(result).join('')}`,
  ],
  '/find': [
    'search-results',
    `<title>Results</title><input name="query" value="x"><div id="search-results">${[1, 2].map(result).join('')}</div>`,
  ],
  '/news': ['data-feed', `<title>News</title>${NAV}<main>${[1, 2, 3, 4].map(entry).join('')}</main>`],
  '/shoes': ['data-feed', `<title>Shoes</title>${NAV}<ul>${[1, 2, 3, 4].map(product).join('')}</ul>`],
  '/rates': [
    'data-feed',
    `<title>Rates</title>${NAV}<table>${Array.from({ length: 12 }, (_, n) => row(n + 10)).join('')}</table>`,
  ],
  '/news/1': [
    'item',
    `<title>It happened</title>${NAV}<main><article><h1>It happened</h1><p>${'All about it. '.repeat(20)}</p></article></main>`,
  ],
  '/shoe': [
    'item',
    `<title>Shoe</title><meta property="og:type" content="product">${NAV}<h1>Shoe</h1><p>$40</p><button>Add to cart</button>`,
  ],
  '/forum/thread/12': [
    'data-feed',
    `<title>It does not start</title>${NAV}<h1>It does not start</h1>${many(post, 30)}`,
  ],
  '/docs/guide/options.html': [
    'item',
    `<title>Options</title>${NAV}<main><h1>Options</h1>${many(chapter, 30)}</main>`,
  ],
  '/login': [
    'auth',
    '<title>Sign in</title><form><label>Email <input type="email"></label><label>Password <input type="password"></label><button>Sign in</button></form>',
  ],
  '/join': [
    'auth',
    '<title>Join</title><form><input placeholder="Name"><input type="email" placeholder="Email"><input type="password" placeholder="Password"><input type="password" placeholder="Again"><button>Create account</button></form>',
  ],
  '/code': [
    'auth',
    '<title>Code</title><label>Code <input autocomplete="one-time-code"></label><button>Verify</button>',
  ],
  '/contact': [
    'form',
    '<title>Contact</title><form><label>Name <input></label><label>Email <input type="email"></label><label>Message <textarea></textarea></label><button>Send</button></form>',
  ],
  '/cookies': [
    'manage-cookies',
    `<title>Acme</title>${NAV}<div id="cookie-banner" role="dialog" aria-label="Cookies"><p>We use cookies.</p><button>Accept all</button><button>Reject all</button></div>`,
  ],
  '/privacy': [
    'manage-cookies',
    `<title>Acme</title>${NAV}<div role="dialog" aria-label="Your privacy"><p>We and our partners.</p><a href="/c">Cookie policy</a><button>Accept all</button></div>`,
  ],
  '/delete': [
    'other',
    '<title>Acme</title><h1>Acme</h1><p>Texto.</p><a href="/c">Política de cookies</a><div role="dialog" aria-label="Archivo"><p>¿Borrar el archivo?</p><button>Aceptar</button><button>Cancelar</button></div>',
  ],
  ...Object.fromEntries(
    Object.entries({
      de: ['Alle akzeptieren', 'Ablehnen'],
      fr: ['Tout accepter', 'Continuer sans accepter'],
      es: ['Aceptar todo', 'Rechazar'],
      pl: ['Akceptuję wszystkie', 'Odrzuć'],
      ja: ['すべて同意する', '拒否'],
    }).map(([lang, names]): [string, [string, string]] => [
      `/cookies/${lang}`,
      [
        'manage-cookies',
        `<html lang="${lang}"><title>Acme</title>${NAV}<div id="onetrust-banner-sdk">${names.map(name => `<button>${name}</button>`).join('')}</div>`,
      ],
    ]),
  ),
  '/pay': [
    'payment',
    '<title>Checkout</title><form><label>Card <input autocomplete="cc-number"></label><label>Expiry <input autocomplete="cc-exp"></label><button>Pay $40</button></form>',
  ],
  '/human': [
    'captcha',
    '<title>Just a moment</title><p>Are you human?</p><div class="g-recaptcha" data-sitekey="x"></div><button>Go on</button>',
  ],
  '/about': ['other', '<title>About</title><h1>About us</h1><p>Words.</p><a href="/">Home</a>'],
};

describe('classifyPage returns', () => {
  const html =
    (body: string): Page =>
    (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(body);
    };
  const served = Object.entries(PAGES).map(([path, [, body]]): [string, Page] => [path, html(body)]);
  for (const declared of Object.keys(DECLARED))
    served.push([
      `/${declared}`,
      html(`<title>Tent</title>${declares(declared)}${NAV}<h1>Tent</h1><p>Words.</p>`),
    ]);
  const { pages, agent } = pageHarness(Object.fromEntries(served));

  it.each(Object.entries(PAGES).map(([path, [category]]) => [category, path] as const))(
    '%s for %s',
    async (category, path) => {
      const { space } = await agent.observe(pages.url + path);
      expect(space?.category).toBe(category);
    },
  );

  it.each(Object.entries(DECLARED))(
    'what the main content is read by, for a page that declares %s',
    async (declared, [category, type]) => {
      const { space } = await agent.observe(`${pages.url}/${declared}`);
      expect(space?.category).toBe(category);
      expect(declaredType({ types: [declared], path: '/', isHome: false, items: [] })).toBe(type);
    },
  );
});
