/** How many events of each type a session has. */

import type { EventCounts as Counts } from '../../../domain/ports.ts';
import { SESSION_EVENT_TYPES, type SessionEventType } from '../../../domain/sessionEvent.ts';
import { builder } from '../builder.ts';

/** Each type of event with its meaning: feeds the enum and the counts. */
export const EVENT_TYPE_DESCRIPTIONS: Readonly<Record<SessionEventType, string>> = {
  created: 'The session was started.',
  observed: 'A page was observed.',
  stepped: 'An action was done.',
  scraped: "A page's content was taken.",
  tab: 'A tab was opened or closed.',
  dialog: 'The page opened a dialog.',
  download: 'The page began a download.',
  blocked: 'The page tried an address that may not be reached.',
  failed: 'An operation failed.',
  ended: 'The session was closed, timed out or failed.',
};

export const EventCounts = builder.objectRef<Counts>('EventCounts').implement({
  description: 'How many events of each type a session has.',
  fields: t =>
    Object.fromEntries(
      SESSION_EVENT_TYPES.map(type => [
        type,
        t.int({
          description: `Events of the type ${type.toUpperCase()}: ${EVENT_TYPE_DESCRIPTIONS[type]}`,
          resolve: counts => counts[type],
        }),
      ]),
    ),
});
