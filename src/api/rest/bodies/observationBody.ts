/** What observe, step and scrape answer, in REST's words (specification, 4.4). */
import { z } from 'zod';
import {
  IMAGE_CATEGORIES,
  type ImageCategory,
  INCOMPLETE_PARTS,
  type IncompletePart,
} from '../../../domain/contentParts.ts';
import type {
  DataFactsFragment,
  DiffFactsFragment,
  MetadataFactsFragment,
  SessionFactsFragment,
  SpaceFactsFragment,
} from '../../graphql/generated/graphql.ts';
import { fromEnumName, SessionBody, sessionBody } from './sessionBody.ts';
import { diffOnlySpaceBody, SpaceBody, spaceBody } from './spaceBody.ts';

const MetadataBody = z
  .object({
    url: z.string(),
    page_title: z.string(),
    title: z.string().meta({ description: 'The same as page_title.' }),
    timestamp: z.iso.datetime({ precision: 3 }),
    http_status: z.int().nullable().meta({ description: "What the page's own server answered." }),
    tabs: z.array(z.object({ id: z.string(), title: z.string(), url: z.string(), active: z.boolean() })),
  })
  .meta({ id: 'PageMetadata', description: 'Which page it was, and when.' });

const text = z.string().nullable();

const DataBody = z
  .object({
    main_content: text.meta({ description: "HTML of the page's main content, or of the visible page." }),
    markdown: text,
    text,
    images: z
      .array(
        z.object({
          id: z.string(),
          url: text,
          alt: text,
          category: z.enum(IMAGE_CATEGORIES),
          width: z.int().nullable(),
          height: z.int().nullable(),
        }),
      )
      .nullable()
      .meta({ description: 'null unless scrape_images is true.' }),
    links: z.array(z.object({ url: z.string(), text: z.string() })).nullable(),
    structured: z
      .array(z.unknown())
      .nullable()
      .meta({ description: 'JSON-LD, microdata and OpenGraph objects.' }),
    metadata: z
      .object({ byline: text, published: text, lang: text, site_name: text, canonical: text, excerpt: text })
      .nullable(),
    extracted: z.unknown().meta({ description: 'Values by the schema `extract`; null without one.' }),
    extract_errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .nullable()
      .meta({ description: 'What of them is missing or is not what the schema says.' }),
    pdf: text.meta({ description: 'The page as a PDF in Base64, when formats asks for it.' }),
    content_type: text.meta({ description: 'What was read, as its server names it.' }),
    truncated: z.boolean().meta({
      description: 'Whether a text or a list was cut at max_characters, or a part is incomplete.',
    }),
    cursor: text.meta({ description: 'Leads on where texts and lists were cut; null at the end.' }),
    incomplete: z.array(z.enum(INCOMPLETE_PARTS)).meta({
      description: 'Parts of which the page has more than is ever read. No cursor leads there.',
    }),
  })
  .meta({ id: 'ScrapedData', description: "A page's content." });

/** The answer of observe, step and scrape. */
export const ObservationBody = z
  .object({
    observation_id: z.string().meta({
      description:
        'Names this observation in its session, for diff_since. The last eight are kept while the session is active.',
      examples: ['O1'],
    }),
    session: SessionBody,
    metadata: MetadataBody,
    screenshot: z.string().nullable().meta({
      description:
        'A picture in Base64, when it was asked for: a PNG of the viewport unless screenshot_options say otherwise.',
      contentEncoding: 'base64',
    }),
    data: DataBody.nullable(),
    space: SpaceBody.nullable(),
  })
  .meta({ id: 'Observation', description: 'A page as it was right after an operation.' });
export type ObservationBody = z.infer<typeof ObservationBody>;

/** An observation as the documents of this folder answer it. */
export interface ObservationFields {
  readonly id: string;
  readonly session: SessionFactsFragment;
  readonly metadata: MetadataFactsFragment;
  readonly screenshot: string | null;
  readonly data?: DataFactsFragment | null;
  readonly space: SpaceFactsFragment | null;
  readonly diff: DiffFactsFragment | null;
}

/** @param isOnlyDiff leave the lists out where there is a difference */
export const observationBody = (facts: ObservationFields, isOnlyDiff = false): ObservationBody => ({
  observation_id: facts.id,
  session: sessionBody(facts.session),
  metadata: {
    url: facts.metadata.url,
    page_title: facts.metadata.title,
    title: facts.metadata.title,
    timestamp: facts.metadata.timestamp,
    http_status: facts.metadata.httpStatus,
    tabs: facts.metadata.tabs,
  },
  screenshot: facts.screenshot,
  data: facts.data ? dataBody(facts.data) : null,
  space:
    facts.space &&
    (isOnlyDiff && facts.diff !== null
      ? diffOnlySpaceBody(facts.space, facts.diff)
      : spaceBody(facts.space, facts.diff)),
});

const dataBody = (data: DataFactsFragment): z.infer<typeof DataBody> => ({
  main_content: data.mainContent,
  markdown: data.markdown,
  text: data.text,
  images:
    data.images?.map(image => ({ ...image, category: fromEnumName<ImageCategory>(image.category) })) ?? null,
  links: data.links,
  structured: data.structured,
  metadata: data.metadata && {
    byline: data.metadata.byline,
    published: data.metadata.published,
    lang: data.metadata.lang,
    site_name: data.metadata.siteName,
    canonical: data.metadata.canonical,
    excerpt: data.metadata.excerpt,
  },
  extracted: data.extracted,
  extract_errors: data.extractErrors,
  pdf: data.pdf,
  content_type: data.contentType,
  truncated: data.truncated,
  cursor: data.cursor,
  incomplete: data.incomplete.map(part => fromEnumName<IncompletePart>(part)),
});
