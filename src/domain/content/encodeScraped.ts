/** Encodes the texts of a page in the JSON parts of a scrape: metadata, links, images, structured data. */
import type { Json } from '../json.ts';
import { normalizeLines, normalizeText } from '../space/pageText.ts';
import type { PageValues } from './scrapedData.ts';

/** Returns the values with names and titles on one line and without characters that people cannot see. Texts and markup stay as they are. */
export function encodeScraped<
  Values extends Pick<PageValues, 'links' | 'images' | 'structured' | 'metadata'>,
>(values: Values): Values {
  const { links, images, structured, metadata } = values;
  return {
    ...values,
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
