import type { PageMetadata, TabInfo } from '../../domain/space/space.ts';
import type { ObservationResult } from '../../service/pagespace.ts';
import { field, nullable } from '../field.ts';
import { scrapedDataShape } from './scrapedData.ts';
import { sessionShape } from './session.ts';
import { shape } from './shape.ts';
import { diffShape, spaceShape } from './space.ts';

export const tabShape = shape<TabInfo>()({
  name: 'Tab',
  description: 'A tab of the session. Operations work in the active tab; S12 switches to another one.',
  fields: {
    id: field('ID', '`T1`, `T2`, …: unique in the session.'),
    title: field('String', 'The title of the page.'),
    url: field('URL', 'The URL of the page.'),
    active: field('Boolean', 'True for the tab in which operations work.'),
  },
});

export const metadataShape = shape<PageMetadata>()({
  name: 'PageMetadata',
  description: 'Facts about the page at the time of the observation.',
  isSelectable: true,
  fields: {
    url: field('URL', 'The URL of the page, after all redirects.'),
    title: field('String', 'The title of the page.', { rest: ['page_title', 'title'] }),
    timestamp: field('DateTime', 'When the page was observed.'),
    httpStatus: nullable(
      'Int',
      'The HTTP status of the response of the page; null if there was none (a blank page, a page from the history).',
    ),
    tabs: field([tabShape], 'The open tabs of the session.'),
  },
});

export const observationShape = shape<ObservationResult>()({
  name: 'Observation',
  description:
    'A page as it was right after an operation. Fields you do not select are neither computed nor charged.',
  isSelectable: true,
  fields: {
    id: {
      type: 'ID',
      description:
        'The id of this observation within the session, for `diffSince`. The service keeps the last eight while the session is active.',
      rest: 'observation_id',
      // The operation lists the actions if this field is selected, so that there is an id.
      read: ({ observationId }) => observationId ?? '',
    },
    session: field(sessionShape, 'The session after the operation.'),
    metadata: field(metadataShape, 'Facts about the page.'),
    screenshot: nullable('Base64', 'The screenshot, on request. By default a PNG of the viewport.'),
    screenshotIsCut: nullable(
      'Boolean',
      'true: the page is larger than the largest picture (16,384 pixels in each direction, 32 million in all), and the rest of it is not in `screenshot`. null without one.',
      { optional: true },
    ),
    data: nullable(
      scrapedDataShape,
      'The content of the page. `step` returns it only for S2, or if the request asks for content.',
    ),
    space: nullable(spaceShape, 'The page as a list of actions.'),
    diff: {
      type: diffShape,
      nullable: true,
      optional: true,
      description:
        'The changes since the observation `diffSince`, with the filters and the maximum of the action list; none without `diffSince`.',
      // In REST it is in the space.
      rest: null,
    },
  },
});
