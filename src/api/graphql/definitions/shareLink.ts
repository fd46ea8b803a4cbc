import type { ShareVisit } from '../../../domain/account/account.ts';
import { field, nullable } from '../../../operations/field.ts';
import { shape } from '../../../operations/results/shape.ts';
import { shareMode } from '../../../operations/shareLinks.ts';
import type { ListedShareLink } from '../../../service/pagespace.ts';
import { builder } from '../builder.ts';
import { resultType } from '../operationTypes.ts';
import { SessionType } from './session.ts';

const ShareVisitType = resultType(
  shape<ShareVisit>()({
    name: 'ShareVisit',
    description: 'One opening of a share link.',
    fields: {
      id: field('ID', 'The id of the visit.'),
      beganAt: field('DateTime', 'When the link was opened.'),
      seenAt: field('DateTime', 'When the view was last known to be open.'),
      isOpen: field('Boolean', 'True while the view is open.'),
    },
  }),
);

export const ShareLinkType = resultType(
  shape<ListedShareLink>()({
    name: 'ShareLink',
    description: 'A link that shows one session without an account. Its secret is not among its fields.',
    fields: {
      id: field('ID', 'The id of the link.'),
      mode: field(shareMode, 'What its viewers may do.'),
      createdAt: field('DateTime', 'When it was created.'),
      expiresAt: field('DateTime', 'When it ends.'),
      revokedAt: nullable('DateTime', 'When it was revoked; null if it was not.'),
      views: field('Int', 'Number of times that it was opened.'),
    },
  }),
  t => ({
    viewers: t.int({
      description: 'Number of views that are open now.',
      resolve: ({ visits }) => visits.filter(({ isOpen }) => isOpen).length,
    }),
    visits: t.field({
      type: [ShareVisitType],
      complexity: { field: 1, multiplier: 10 },
      description: 'The open visits and the last 100 others, the newest first.',
      resolve: ({ visits }) => visits,
    }),
  }),
);

export const CreatedShareLink = builder
  .objectRef<{ readonly link: ListedShareLink; readonly secret: string }>('CreatedShareLink')
  .implement({
    description: 'A new share link, and its address.',
    fields: t => ({
      link: t.field({ type: ShareLinkType, description: 'The link.', resolve: ({ link }) => link }),
      path: t.string({
        description:
          'The path of its address on this service. The part after `#` is the secret: browsers send it to no server, and it cannot be read again.',
        resolve: ({ secret }) => `/dashboard/shared#${secret}`,
      }),
    }),
  });

builder.objectField(SessionType, 'shareLinks', t =>
  t.field({
    type: [ShareLinkType],
    complexity: { field: 5, multiplier: 5 },
    description: 'The share links of the session, the oldest first.',
    resolve: async ({ id }, _args, { service }) => (await service.shareLinks([id]))[0] ?? [],
  }),
);
