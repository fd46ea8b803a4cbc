/** Encodes the texts of a page in the parts of a scrape. */
import type { Json } from '../json.ts';
import { normalizeLines, normalizeText } from '../space/pageText.ts';
import type { PageValues } from './scrapedData.ts';

/** Returns the values without characters that people cannot see, with names and titles on one line. */
export function encodeScraped<
  Values extends Pick<
    PageValues,
    'mainContent' | 'markdown' | 'text' | 'links' | 'images' | 'structured' | 'metadata'
  >,
>(values: Values): Values {
  const { mainContent, markdown, text: plain, links, images, structured, metadata } = values;
  return {
    ...values,
    mainContent: mainContent && normalizeLines(mainContent),
    markdown: markdown && normalizeLines(markdown),
    text: plain && normalizeLines(plain),
    links: links?.map(link => ({ ...link, text: normalizeText(link.text) })) ?? null,
    images: images?.map(image => ({ ...image, alt: image.alt && normalizeText(image.alt) })) ?? null,
    structured: structured?.map(encodeJson) ?? null,
    metadata:
      metadata &&
      (Object.fromEntries(
        Object.entries(metadata).map(([name, text]) => [name, text && normalizeText(text)]),
      ) as unknown as typeof metadata),
  };
}

function encodeJson(value: Json): Json {
  if (typeof value === 'string') return normalizeLines(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(encodeJson);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [normalizeText(name), encodeJson(inner)]),
  );
}
