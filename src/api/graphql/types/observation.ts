/** What observe, step and scrape answer. */
import type { PageMetadata as Metadata } from '../../../domain/page.ts';
import type { ObservationResult } from '../../../service/pagespace.ts';
import { builder } from '../builder.ts';
import { ScrapedData } from './scrapedData.ts';
import { SessionType } from './session.ts';
import { SpaceType } from './space.ts';
import { SpaceDiffType } from './spaceDiff.ts';
import { TabType } from './tab.ts';

const PageMetadata = builder.objectRef<Metadata>('PageMetadata').implement({
  description: 'Which page it was, and when.',
  fields: t => ({
    url: t.expose('url', { type: 'URL', description: "The page's address, after all redirects." }),
    title: t.exposeString('title', { description: "The page's title." }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When the page was looked at.' }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description:
        "What the page's own server answered; null where there was none (a blank page, a page from the history).",
    }),
    tabs: t.expose('tabs', { type: [TabType], description: "The session's open tabs." }),
  }),
});

export const Observation = builder.objectRef<ObservationResult>('Observation').implement({
  description:
    'A page as it was right after an operation. What is not selected is not made and costs nothing.',
  fields: t => ({
    session: t.expose('session', { type: SessionType, description: 'The session after the operation.' }),
    metadata: t.expose('metadata', { type: PageMetadata, description: 'Which page it was, and when.' }),
    id: t.exposeID('observationId', {
      description:
        'Names this observation in its session, for `diffSince` and `Space.diff`. The last eight are kept while the session is active.',
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'What can be done on the page.',
      resolve: ({ space, session, observationId }) =>
        space === null ? null : { ...space, sessionId: session.id, observationId },
    }),
    diff: t.expose('diff', {
      type: SpaceDiffType,
      nullable: true,
      description:
        'What has changed since the observation that `diffSince` named, filtered and bounded as the list is; null without one.',
    }),
    data: t.expose('data', {
      type: ScrapedData,
      nullable: true,
      description: "The page's content: of a scrape, of an observation that selects it, and of the step S2.",
    }),
    screenshot: t.expose('screenshot', {
      type: 'Base64',
      nullable: true,
      description:
        'PNG of the viewport, made when it is selected and the input does not say `screenshot: false`. The step S3 makes it in any case.',
    }),
  }),
});
