/** A page's content. */
import type {
  ArticleMetadata as Article,
  ImageCategory as Category,
  ScrapedImage as Image,
  ScrapedLink as Link,
  IncompletePart as Part,
} from '../../../domain/contentParts.ts';
import type { Json } from '../../../domain/json.ts';
import type { ScrapedData as Data, ExtractError } from '../../../domain/scrapedData.ts';
import { builder } from '../builder.ts';
import { domainEnum } from './domainEnum.ts';

const ImageCategory = domainEnum<Category>('ImageCategory', 'What an image is for.', {
  icon: 'A small sign.',
  content_image: 'Part of what the page has to say.',
  decorative: 'There for its looks.',
  svg_icon: 'A small sign drawn in SVG.',
  svg_content: 'A drawing in SVG that is part of what the page has to say.',
});

const ScrapedPart = domainEnum<Part>('ScrapedPart', "A part of a page's content, as `ScrapedData` has it.", {
  main_content: 'The HTML, `mainContent`.',
  markdown: 'The Markdown, `markdown`.',
  text: 'The plain text, `text`.',
  images: 'The list of images, `images`.',
  links: 'The list of links, `links`.',
  structured: 'JSON-LD, microdata and OpenGraph, `structured`.',
  extracted: 'The values that `extract` asked for, `extracted`.',
});

const ScrapedImage = builder.objectRef<Image>('ScrapedImage').implement({
  description: 'An image of the page.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Tells the images of one answer apart.' }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'Its absolute address; null for an inline SVG.',
    }),
    alt: t.exposeString('alt', { nullable: true, description: 'Its text alternative; null if it has none.' }),
    category: t.expose('category', { type: ImageCategory, description: 'What it is for.' }),
    width: t.exposeInt('width', {
      nullable: true,
      description: 'Natural width in pixels; null where not known.',
    }),
    height: t.exposeInt('height', {
      nullable: true,
      description: 'Natural height in pixels; null where not known.',
    }),
  }),
});

const ScrapedLink = builder.objectRef<Link>('ScrapedLink').implement({
  description: 'A link of the page.',
  fields: t => ({
    url: t.expose('url', { type: 'URL', description: 'Where it leads, absolute.' }),
    text: t.exposeString('text', { description: 'What it says.' }),
  }),
});

const ArticleMetadata = builder.objectRef<Article>('ArticleMetadata').implement({
  description: 'What the page says about itself. A part is null where the page does not say.',
  fields: t => ({
    byline: t.exposeString('byline', { nullable: true, description: 'Who wrote it.' }),
    published: t.exposeString('published', {
      nullable: true,
      description: 'When it was published, as the page writes it.',
    }),
    lang: t.exposeString('lang', { nullable: true, description: 'Its language, as a BCP 47 tag.' }),
    siteName: t.exposeString('siteName', { nullable: true, description: 'The name of the site.' }),
    canonical: t.exposeString('canonical', {
      nullable: true,
      description: 'The address that the page calls its own.',
    }),
    excerpt: t.exposeString('excerpt', { nullable: true, description: 'A short summary.' }),
  }),
});

const ExtractErrorType = builder.objectRef<ExtractError>('ExtractError').implement({
  description: 'A value that is missing or is not what the schema says.',
  fields: t => ({
    path: t.exposeString('path', {
      description: 'Dotted path in the value, such as `items.0.price`; empty for the whole.',
    }),
    message: t.exposeString('message', { description: 'What is wrong.' }),
  }),
});

export const ScrapedData = builder.objectRef<Data>('ScrapedData').implement({
  description: "A page's content. Each part is made only when it is selected.",
  fields: t => ({
    mainContent: t.exposeString('mainContent', {
      nullable: true,
      description:
        'Clean HTML with absolute addresses: the main content, or the visible page with `onlyMainContent: false`.',
    }),
    markdown: t.exposeString('markdown', { nullable: true, description: 'The same as Markdown.' }),
    text: t.exposeString('text', { nullable: true, description: 'The same as plain text.' }),
    images: t.expose('images', {
      type: [ScrapedImage],
      nullable: true,
      description: 'The images; null when they were not asked for.',
    }),
    links: t.expose('links', { type: [ScrapedLink], nullable: true, description: 'The links.' }),
    structured: t.field({
      type: ['JSON'],
      // JSON's own null may stand among them.
      nullable: { list: true, items: true },
      description: 'What the page says to machines: JSON-LD, microdata and OpenGraph objects.',
      resolve: (data): readonly Json[] | null => data.structured,
    }),
    extracted: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Values by the schema `extract` of the input, in its shape; null without one.',
      resolve: data => data.extracted ?? null,
    }),
    extractErrors: t.field({
      type: [ExtractErrorType],
      nullable: true,
      description: 'What of them is missing or is not what the schema says; null without a schema.',
      resolve: data => data.extractErrors ?? null,
    }),
    pdf: t.field({
      type: 'Base64',
      nullable: true,
      description: 'The page as a PDF; null for what is no page.',
      resolve: data => data.pdf ?? null,
    }),
    contentType: t.string({
      nullable: true,
      description:
        'What was read, as its server names it: `text/html`, `application/json`, `application/pdf`.',
      resolve: data => data.contentType ?? null,
    }),
    truncated: t.boolean({
      description:
        'Whether something was cut: a text or a list at `maxCharacters`, then `cursor` leads on; or what a page has too much of, then `incomplete` names it.',
      resolve: data => data.truncated ?? false,
    }),
    cursor: t.string({
      nullable: true,
      description:
        'Leads on where texts and lists were cut; the parts put together are the whole. null at the end: go on as long as there is one.',
      resolve: data => data.cursor ?? null,
    }),
    incomplete: t.field({
      type: [ScrapedPart],
      description:
        'Parts of which the page has more than is ever read, such as more than 100,000 elements. No cursor leads there.',
      resolve: (data): readonly Part[] => data.incomplete ?? [],
    }),
    metadata: t.expose('metadata', {
      type: ArticleMetadata,
      nullable: true,
      description: 'What the page says about itself.',
    }),
  }),
});
