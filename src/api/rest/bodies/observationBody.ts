/** The response of observe, step and scrape (specification, 4.4). */
import { z } from 'zod';
import type {
  DataFieldsFragment,
  DiffFieldsFragment,
  MetadataFieldsFragment,
  SessionFieldsFragment,
  SpaceFieldsFragment,
} from '../../graphql/generated/graphql.ts';
import { type BodySelection, evaluateBody } from './bodySelection.ts';
import { ScrapedDataBody, scrapedDataBody } from './scrapedDataBody.ts';
import { SessionBody, sessionBody } from './sessionBody.ts';
import { SpaceBody, spaceBody } from './spaceBody.ts';

export const MetadataBody = z
  .object({
    url: z.string().meta({ description: 'The URL of the page, after all redirects.' }),
    page_title: z.string().meta({ description: 'The title of the page.' }),
    title: z.string().meta({ description: 'The same as page_title.' }),
    timestamp: z.iso.datetime({ precision: 3 }).meta({ description: 'When the page was observed.' }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: "The HTTP status of the page's response; null if there was none." }),
    tabs: z
      .array(z.object({ id: z.string(), title: z.string(), url: z.string(), active: z.boolean() }))
      .meta({
        description: 'The open tabs of the session. Operations work in the active one; S12 switches.',
      }),
  })
  .meta({ id: 'PageMetadata', description: 'Which page was observed, and when.' });

export const ObservationBody = z
  .object({
    observation_id: z.string().meta({
      description:
        'The id of this observation in its session, for diff_since. The service keeps the last eight while the session is active.',
      examples: ['O1'],
    }),
    session: SessionBody,
    metadata: MetadataBody,
    screenshot: z.string().nullable().meta({
      description: 'In Base64, on request: a PNG of the viewport, or as screenshot_options say.',
      contentEncoding: 'base64',
    }),
    data: ScrapedDataBody.nullable(),
    space: SpaceBody.nullable(),
  })
  .meta({ id: 'Observation', description: 'A page right after an operation.' });
export type ObservationBody = z.infer<typeof ObservationBody>;

/** The fields of an observation that the REST routes' GraphQL documents select. */
export interface ObservationFields {
  readonly id: string;
  readonly session: SessionFieldsFragment;
  readonly metadata: MetadataFieldsFragment;
  readonly screenshot: string | null;
  readonly data?: DataFieldsFragment | null;
  readonly space: SpaceFieldsFragment | null;
  readonly diff: DiffFieldsFragment | null;
}

/** Converts an observation to the REST body, with the parts that the request selects. */
export function observationBody(observation: ObservationFields, selection: BodySelection): ObservationBody {
  const { metadata, space, diff, data } = observation;
  return evaluateBody<ObservationBody>(
    {
      observation_id: () => observation.id,
      session: wanted => sessionBody(observation.session, wanted),
      metadata: wanted =>
        evaluateBody<z.infer<typeof MetadataBody>>(
          {
            url: () => metadata.url,
            page_title: () => metadata.title,
            title: () => metadata.title,
            timestamp: () => metadata.timestamp,
            http_status: () => metadata.httpStatus,
            tabs: () => metadata.tabs,
          },
          wanted,
        ),
      screenshot: () => observation.screenshot,
      data: wanted => (data ? scrapedDataBody(data, wanted) : null),
      space: fields => space && spaceBody(space, diff, { ...selection, fields }),
    },
    selection.fields,
  );
}
