/** The type ScrapedData: the content of a page. */
import {
  type ArticleMetadata as Article,
  type ImageCategory as Category,
  CONTENT_PART_KEYS,
  CONTENT_PARTS,
  type ContentPart,
  describeParts,
  type ScrapedImage as Image,
  INCOMPLETE_PARTS,
  type IncompletePart,
  type ScrapedLink as Link,
} from '../../../domain/content/contentParts.ts';
import type { ScrapedData as Data, ExtractError } from '../../../domain/content/scrapedData.ts';
import { builder } from '../builder.ts';
import { PLAIN_DATA } from '../plainData.ts';
import { domainEnum } from './domainEnum.ts';
import { opaqueJson } from './opaqueJson.ts';

const ImageCategory = domainEnum<Category>('ImageCategory', 'The purpose of an image.', {
  icon: 'A small symbol.',
  content_image: 'Part of the content.',
  decorative: 'Decoration only.',
  svg_icon: 'A small symbol drawn in SVG.',
  svg_content: 'An SVG drawing that is part of the content.',
});

const ScrapedPart = domainEnum<IncompletePart>(
  'ScrapedPart',
  'A part of `ScrapedData` that a limit can cut.',
  describeParts(INCOMPLETE_PARTS),
);

const ScrapedImage = builder.objectRef<Image>('ScrapedImage').implement({
  extensions: PLAIN_DATA,
  description: 'An image of the page.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Unique within the response.' }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'Absolute URL; null for an inline SVG.',
    }),
    alt: t.exposeString('alt', { nullable: true, description: 'Text alternative; null if there is none.' }),
    category: t.expose('category', { type: ImageCategory, description: 'The purpose of the image.' }),
    width: t.exposeInt('width', {
      nullable: true,
      description: 'Natural width in pixels; null if unknown.',
    }),
    height: t.exposeInt('height', {
      nullable: true,
      description: 'Natural height in pixels; null if unknown.',
    }),
  }),
});

const ScrapedLink = builder.objectRef<Link>('ScrapedLink').implement({
  extensions: PLAIN_DATA,
  description: 'A link of the page.',
  fields: t => ({
    url: t.expose('url', { type: 'URL', description: 'Absolute URL of the target.' }),
    text: t.exposeString('text', { description: 'Text of the link.' }),
  }),
});

const ArticleMetadata = builder.objectRef<Article>('ArticleMetadata').implement({
  extensions: PLAIN_DATA,
  description:
    'Metadata that the page declares about itself. A field is null if the page does not declare it.',
  fields: t => ({
    byline: t.exposeString('byline', { nullable: true, description: 'The author or authors.' }),
    published: t.exposeString('published', {
      nullable: true,
      description: 'Publication date, as the page writes it.',
    }),
    lang: t.exposeString('lang', { nullable: true, description: 'Language, as a BCP 47 tag.' }),
    siteName: t.exposeString('siteName', { nullable: true, description: 'Name of the site.' }),
    canonical: t.exposeString('canonical', {
      nullable: true,
      description: 'Canonical URL of the page.',
    }),
    excerpt: t.exposeString('excerpt', { nullable: true, description: 'A short summary.' }),
  }),
});

const ExtractErrorType = builder.objectRef<ExtractError>('ExtractError').implement({
  extensions: PLAIN_DATA,
  description: 'A value that is missing or does not match the schema.',
  fields: t => ({
    path: t.exposeString('path', {
      description: 'Dotted path in the value, such as `items.0.price`; empty for the whole value.',
    }),
    message: t.exposeString('message', { description: 'The error.' }),
  }),
});

/** The GraphQL types of content parts. A part without an entry has the type of its `kind` in KIND_TYPES. */
const PART_TYPES = {
  images: [ScrapedImage],
  links: [ScrapedLink],
  metadata: ArticleMetadata,
  pdf: 'Base64',
} as const satisfies Partial<Record<ContentPart, unknown>>;
const KIND_TYPES = { text: 'String', list: ['JSON'], value: 'JSON' } as const;

type DataFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Data>;

function partField(t: DataFields, part: ContentPart) {
  const { kind, description } = CONTENT_PARTS[part];
  const ownType = part in PART_TYPES ? PART_TYPES[part as keyof typeof PART_TYPES] : null;
  const type = ownType ?? KIND_TYPES[kind];
  return t.field({
    // The compiler cannot relate a part to its GraphQL type; JSON accepts the values of every part.
    type: type as 'JSON',
    // A JSON list may contain null.
    nullable: (Array.isArray(type) ? { list: true, items: ownType === null } : true) as true,
    description,
    resolve: data => {
      const value: unknown = data[part] ?? null;
      return Array.isArray(value) ? value.map(opaqueJson) : opaqueJson(value);
    },
  });
}

export const ScrapedData = builder.objectRef<Data>('ScrapedData').implement({
  description: 'The content of a page. Parts that you do not select are neither computed nor charged.',
  fields: t => ({
    ...Object.fromEntries(CONTENT_PART_KEYS.map(part => [part, partField(t, part)])),
    extractErrors: t.field({
      type: [ExtractErrorType],
      nullable: true,
      description:
        'Values of `extracted` that are missing or do not match the schema; null without a schema.',
      resolve: data => data.extractErrors ?? null,
    }),
    contentType: t.string({
      nullable: true,
      description:
        'MIME type of what was read, as its server declares it: `text/html`, `application/json`, `application/pdf`.',
      resolve: data => data.contentType ?? null,
    }),
    truncated: t.boolean({
      description:
        'True when something was cut: at `maxCharacters`, then `cursor` continues; or by a limit of the page, then `incomplete` names the part.',
      resolve: data => data.truncated ?? false,
    }),
    cursor: t.string({
      nullable: true,
      description:
        'Send it as `cursor` of the next scrape to continue the texts and lists that were cut; repeat while it is not null. All chunks joined are the whole content.',
      resolve: data => data.cursor ?? null,
    }),
    incomplete: t.field({
      type: [ScrapedPart],
      description:
        'Parts that a limit cut for good, such as those of a page with more than 100,000 elements. No cursor leads to the rest.',
      resolve: (data): readonly IncompletePart[] => data.incomplete ?? [],
    }),
  }),
});
