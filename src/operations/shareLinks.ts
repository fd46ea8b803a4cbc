import { z } from 'zod';
import type { ShareMode } from '../domain/account/account.ts';
import { enumTable, field, requestFields, required } from './field.ts';
import { operation, parseSessionId } from './operation.ts';
import { sessionField } from './page.ts';

export const shareMode = enumTable<ShareMode>('ShareMode', 'What the viewers of a share link may do.', {
  read: 'See the live picture of the session.',
  control: 'See it, and take the session over.',
});

/** Default and maximum lifetime of a link, in minutes: an hour, and a week. */
const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 10_080;

export const createShareLink = operation({
  name: 'createShareLink',
  title: 'Share a session',
  description:
    'Creates a link that shows one running session to whoever has it, without an account. The address contains its secret, which is returned only now.',
  scope: 'operate',
  request: { name: 'CreateShareLinkInput', description: 'The session, and what its viewers may do.' },
  fields: requestFields({
    sessionId: sessionField,
    mode: field(shareMode, 'The rights of the viewers. Default: READ.'),
    minutes: field('Int', 'Minutes after which the link ends.', {
      check: z.int('must be a whole number of minutes').min(1).max(MAX_MINUTES),
      default: DEFAULT_MINUTES,
    }),
  }),
  run: async ({ sessionId, mode, minutes }, { service, viewer }) =>
    service.createShareLink(viewer, {
      sessionId: parseSessionId(sessionId),
      mode: mode ?? 'read',
      minutes: minutes ?? DEFAULT_MINUTES,
    }),
});

export const revokeShareLink = operation({
  name: 'revokeShareLink',
  title: 'Revoke a share link',
  description:
    'Ends a share link at once: the views that are open end within a second, and a take-over of one of its viewers with them.',
  scope: 'operate',
  request: { name: 'RevokeShareLinkInput', description: 'The session, and its link.' },
  fields: requestFields({
    sessionId: sessionField,
    linkId: required('ID', 'The link.', { check: z.uuid('must be the id of a link') }),
  }),
  run: async ({ sessionId, linkId }, { service, viewer }) =>
    service.revokeShareLink(viewer, { sessionId: parseSessionId(sessionId), linkId }),
});
