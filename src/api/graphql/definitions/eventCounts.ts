/** The type EventCounts: the number of events of a session by type. */
import type { EventCounts as Counts } from '../../../domain/ports/sessionStore.ts';
import { SESSION_EVENT_TYPES, SESSION_EVENTS } from '../../../domain/session/sessionEvent.ts';
import { builder } from '../builder.ts';

export const EventCounts = builder.objectRef<Counts>('EventCounts').implement({
  description: 'The number of events of a session, by event type.',
  fields: t =>
    Object.fromEntries(
      SESSION_EVENT_TYPES.map(type => [
        type,
        t.int({
          description: `Events of type ${type.toUpperCase()}: ${SESSION_EVENTS[type].description}`,
          resolve: counts => counts[type],
        }),
      ]),
    ),
});
