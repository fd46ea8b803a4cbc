import { expect, test } from 'vitest';
import { encodeScraped } from '../../src/domain/content/scrape.ts';

test('encodeScraped() removes what people cannot see, and keeps line breaks in texts, markup and structured data', () => {
  const hidden = 'a\u0007b\u202Ec\u{E0041}\n\u001B[31md';
  const image = { id: 'M1', url: null, category: 'icon', width: null, height: null } as const;
  const metadata = {
    byline: hidden,
    published: null,
    lang: '',
    siteName: null,
    canonical: null,
    excerpt: hidden,
  };
  expect(
    encodeScraped({
      mainContent: `<p>${hidden}</p>`,
      markdown: hidden,
      text: `${hidden}\tcell`,
      links: [{ url: 'http://x/', text: hidden }],
      images: [
        { ...image, alt: hidden },
        { ...image, alt: null },
      ],
      structured: [{ [hidden]: [hidden, 1, null, { inner: hidden }] }],
      metadata,
    }),
  ).toEqual({
    mainContent: '<p>abc\nd</p>',
    markdown: 'abc\nd',
    text: 'abc\nd\tcell',
    links: [{ url: 'http://x/', text: 'abc d' }],
    images: [
      { ...image, alt: 'abc d' },
      { ...image, alt: null },
    ],
    structured: [{ 'abc d': ['abc\nd', 1, null, { inner: 'abc\nd' }] }],
    metadata: { ...metadata, byline: 'abc d', excerpt: 'abc d' },
  });
  const none = {
    mainContent: null,
    markdown: null,
    text: null,
    links: null,
    images: null,
    structured: null,
    metadata: null,
  };
  expect(encodeScraped(none)).toEqual(none);
});
