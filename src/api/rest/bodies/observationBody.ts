/** What observe, step and scrape answer, in REST's words (specification, 4.4). */
import { z } from 'zod';
import type {
  DataFactsFragment,
  DiffFactsFragment,
  MetadataFactsFragment,
  SessionFactsFragment,
  SpaceFactsFragment,
} from '../../graphql/generated/graphql.ts';
import { ScrapedDataBody, scrapedDataBody } from './scrapedDataBody.ts';
import { SessionBody, sessionBody } from './sessionBody.ts';
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
    data: ScrapedDataBody.nullable(),
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
  data: facts.data ? scrapedDataBody(facts.data) : null,
  space:
    facts.space &&
    (isOnlyDiff && facts.diff !== null
      ? diffOnlySpaceBody(facts.space, facts.diff)
      : spaceBody(facts.space, facts.diff)),
});
