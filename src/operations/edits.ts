import { z } from 'zod';
import type { RecordMode } from '../domain/session/session.ts';
import { changeableFields, toChangeableOptions } from './browserOptions.ts';
import { enumTable, field, requestFields } from './field.ts';
import { operation, parseSessionId } from './operation.ts';
import { sessionField, timeoutFields } from './page.ts';

export const recordMode = enumTable<RecordMode>(
  'RecordMode',
  'The pictures that the record of a session keeps. The record has the lists in each mode.',
  {
    off: 'No pictures.',
    steps: 'A picture of the page at the end of each operation.',
    video: 'As `steps`, and at most two pictures a second while the page changes.',
  },
);

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must be at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must hold no control characters');

export const namingFields = requestFields({
  name: field('String', 'Name of the session, for lists.', { check: line(200), examples: ['Order 4711'] }),
  labels: field(['String'], 'Labels of the session, for lists: at most 16, each of 1 to 64 characters.', {
    check: z.array(line(64).min(1, 'must not be empty')).max(16, 'must be at most 16 labels'),
    examples: [['shop', 'nightly']],
  }),
});

export const updateSession = operation({
  name: 'updateSession',
  title: 'Change a session',
  description:
    'Changes the name, the labels and options of the browser of a running session. It waits for no operation, and does not reset the idle timer. An empty name, or an empty list of labels, headers, permissions or blocked kinds, removes them; an absent field changes nothing.',
  scope: 'operate',
  request: { name: 'UpdateSessionInput', description: 'The session, and what to change.' },
  fields: requestFields({ sessionId: sessionField, ...namingFields, ...changeableFields }),
  run: async ({ sessionId, name, labels, ...options }, { service, viewer }) =>
    service.updateSession(viewer, {
      sessionId: parseSessionId(sessionId),
      ...(name != null && { name: name === '' ? null : name }),
      ...(labels != null && { labels }),
      options: toChangeableOptions(options),
    }),
});

export const extendSession = operation({
  name: 'extendSession',
  title: 'Extend a session',
  description:
    'Starts the idle timer of a running session again, without touching its page. It waits for no operation.',
  scope: 'operate',
  request: { name: 'ExtendSessionInput', description: 'The session, and its new timeout.' },
  fields: requestFields({ sessionId: sessionField, ...timeoutFields }),
  run: ({ sessionId, sessionTimeoutMinutes }, { service, viewer }) =>
    service.extendSession(viewer, {
      sessionId: parseSessionId(sessionId),
      timeoutMinutes: sessionTimeoutMinutes ?? null,
    }),
});
