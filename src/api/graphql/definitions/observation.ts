/** The type Observation: the result of observe, step and scrape. */
import type { PageMetadata as Metadata } from '../../../domain/space/page.ts';
import type { ObservationResult } from '../../../service/pagespace.ts';
import { builder } from '../builder.ts';
import { PLAIN_DATA } from '../plainData.ts';
import { ScrapedData } from './scrapedData.ts';
import { SessionType } from './session.ts';
import { SpaceType } from './space.ts';
import { SpaceDiffType } from './spaceDiff.ts';
import { TabType } from './tab.ts';

const PageMetadata = builder.objectRef<Metadata>('PageMetadata').implement({
  extensions: PLAIN_DATA,
  description: 'Facts about the page at the time of the observation.',
  fields: t => ({
    url: t.expose('url', { type: 'URL', description: 'The URL of the page, after all redirects.' }),
    title: t.exposeString('title', { description: 'The title of the page.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When the page was observed.' }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description:
        'The HTTP status of the response of the page; null if there was none (a blank page, a page from the history).',
    }),
    tabs: t.expose('tabs', { type: [TabType], description: 'The open tabs of the session.' }),
  }),
});

/** In place of the lists of actions, so that nothing is computed for them. */
const NO_LISTS = { actions: [], specialActions: [], browserActions: [] } as const;

export const Observation = builder.objectRef<ObservationResult>('Observation').implement({
  description:
    'A page as it was right after an operation. Fields you do not select are neither computed nor charged.',
  fields: t => ({
    session: t.expose('session', { type: SessionType, description: 'The session after the operation.' }),
    metadata: t.expose('metadata', { type: PageMetadata, description: 'Facts about the page.' }),
    id: t.id({
      // The operation lists the actions if this field is selected, so that there is an id.
      resolve: ({ observationId }) => observationId ?? '',
      description:
        'The id of this observation within the session, for `diffSince` and `Space.diff`. The service keeps the last eight while the session is active.',
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The page as a list of actions.',
      resolve: ({ space, session, observationId, diff }, _args, { listsOnlyWithoutDiff = false }) => {
        if (space === null) return null;
        const lists = listsOnlyWithoutDiff && diff !== null ? NO_LISTS : {};
        return { ...space, ...lists, sessionId: session.id, observationId };
      },
    }),
    diff: t.expose('diff', {
      type: SpaceDiffType,
      nullable: true,
      description:
        'The changes since the observation `diffSince`, with the filters and the `max` of the action list; null without `diffSince`.',
    }),
    data: t.expose('data', {
      type: ScrapedData,
      nullable: true,
      description: 'The content of the page. `step` returns it only for S2.',
    }),
    screenshot: t.expose('screenshot', {
      type: 'Base64',
      nullable: true,
      description: 'The screenshot. By default a PNG of the viewport.',
    }),
  }),
});
