import {
  type ArticleMetadata,
  CONTENT_PART_KEYS,
  CONTENT_PARTS,
  type ContentPart,
  type ImageCategory,
  INCOMPLETE_PARTS,
  type IncompletePart,
  type ScrapedImage,
  type ScrapedLink,
} from '../../domain/content/contentParts.ts';
import type { ExtractError, ScrapedData } from '../../domain/content/scrape.ts';
import { enumTable, field, nullable } from '../field.ts';
import { type ResultField, type ResultType, shape } from './shape.ts';

const imageCategory = enumTable<ImageCategory>('ImageCategory', 'The purpose of an image.', {
  icon: 'A small symbol.',
  content_image: 'Part of the content.',
  decorative: 'Decoration only.',
  svg_icon: 'A small symbol drawn in SVG.',
  svg_content: 'An SVG drawing that is part of the content.',
});

const scrapedPart = enumTable<IncompletePart>(
  'ScrapedPart',
  'A part of `ScrapedData` that a limit can cut, or content of a page that no part contains.',
  INCOMPLETE_PARTS,
);

const imageShape = shape<ScrapedImage>()({
  name: 'ScrapedImage',
  description: 'An image of the page.',
  fields: {
    id: field('ID', 'Unique within the response.'),
    url: nullable('URL', 'Absolute URL; null for an inline SVG.'),
    alt: nullable('String', 'Text alternative; null if there is none.'),
    category: field(imageCategory, 'The purpose of the image.'),
    width: nullable('Int', 'Natural width in pixels; null if unknown.'),
    height: nullable('Int', 'Natural height in pixels; null if unknown.'),
  },
});

const linkShape = shape<ScrapedLink>()({
  name: 'ScrapedLink',
  description: 'A link of the page.',
  fields: {
    url: field('URL', 'Absolute URL of the target.'),
    text: field('String', 'Text of the link.'),
  },
});

const articleMetadata = shape<ArticleMetadata>()({
  name: 'ArticleMetadata',
  description:
    'Metadata that the page declares about itself. A field is null if the page does not declare it.',
  fields: {
    byline: nullable('String', 'The author or authors.'),
    published: nullable('String', 'Publication date, as the page writes it.'),
    lang: nullable('String', 'Language, as a BCP 47 tag.'),
    siteName: nullable('String', 'Name of the site.'),
    canonical: nullable('String', 'Canonical URL of the page.'),
    excerpt: nullable('String', 'A short summary.'),
  },
});

const extractError = shape<ExtractError>()({
  name: 'ExtractError',
  description: 'A value that is missing or does not match the schema.',
  fields: {
    path: field('String', 'Dotted path in the value, such as `items.0.price`; empty for the whole value.'),
    message: field('String', 'The error.'),
  },
});

/** The types of content parts. A part without an entry has the type of its `kind` in KIND_TYPES. */
const PART_TYPES: { readonly [Part in ContentPart]?: ResultType } = {
  images: [imageShape],
  links: [linkShape],
  metadata: articleMetadata,
  pdf: 'Base64',
};
const KIND_TYPES = { text: 'String', list: ['JSON'], value: 'JSON' } as const;

const partField = (part: ContentPart): ResultField<ScrapedData> => {
  const { kind, name, description } = CONTENT_PARTS[part];
  return {
    type: PART_TYPES[part] ?? KIND_TYPES[kind],
    nullable: true,
    // REST leaves out a list that was not made.
    ...(kind === 'list' && { optional: true }),
    rest: name,
    description,
  };
};

const partFields = Object.fromEntries(CONTENT_PART_KEYS.map(part => [part, partField(part)])) as Record<
  ContentPart,
  ResultField<ScrapedData>
>;

export const scrapedDataShape = shape<ScrapedData>()({
  name: 'ScrapedData',
  description: 'The content of a page. Parts that you do not select are neither computed nor charged.',
  isSelectable: true,
  fields: {
    ...partFields,
    extractErrors: nullable(
      [extractError],
      'Values of `extracted` that are missing or do not match the schema; none without a schema.',
      { optional: true },
    ),
    contentType: nullable(
      'String',
      'MIME type of what was read, as its server declares it: `text/html`, `application/json`, `application/pdf`.',
    ),
    truncated: {
      type: 'Boolean',
      description:
        'True when something was cut: at `maxCharacters`, then `cursor` continues; or by a limit of the page, then `incomplete` names the part.',
      read: ({ truncated }) => truncated ?? false,
    },
    cursor: nullable(
      'String',
      'Send it as `cursor` of the next scrape to continue the texts and lists that were cut; repeat while it is not null. All chunks joined are the whole content.',
    ),
    incomplete: {
      type: [scrapedPart],
      description:
        'Parts that a limit cut for good, such as those of a page with more than 100,000 elements. No cursor leads to the rest.',
      read: ({ incomplete }) => incomplete ?? [],
    },
  },
});
