/** The page at an event: after it, before it, or both beside each other. */
import type { JSX } from 'preact';
import { Switch } from '../parts/button.tsx';
import { clockText } from '../parts/format.ts';
import { eventText } from './eventText.ts';
import { type Changes, NO_CHANGES, PagePicture } from './pagePicture.tsx';
import type { Performing } from './performing.ts';
import { timingText } from './timeline.tsx';
import { type EventData, type Moment, useMoment } from './useSession.ts';

const SIDES = ['Before', 'After', 'Both'] as const;
export type Side = (typeof SIDES)[number];

export interface BeforeAfterProps {
  readonly sessionId: string;
  readonly events: readonly EventData[];
  readonly selected: number;
  readonly side: Side;
  readonly moment: Moment | null;
  readonly changes: Changes;
  readonly showsBoxes: boolean;
  readonly performing: Performing;
  /** Said over the picture of the event; null for nothing. */
  readonly message: string | null;
}

export function BeforeAfter(props: BeforeAfterProps): JSX.Element {
  const { sessionId, events, selected, side, moment, changes, showsBoxes, performing, message } = props;
  const earlier = events.findLast(({ seq, performed }) => seq < selected && performed?.observationId != null);
  const before = useMoment(sessionId, side === 'After' ? null : (earlier?.seq ?? null));
  const picture = (each: Moment | null, isBefore: boolean, said: string | null) => (
    <PagePicture
      frame={null}
      recorded={each?.picture?.url ?? null}
      actions={each?.observation?.space.actions ?? []}
      changes={isBefore ? NO_CHANGES : changes}
      showsBoxes={showsBoxes}
      act={null}
      performing={performing}
      label={`The page ${isBefore ? 'before' : 'after'} event ${selected}`}
      message={said}
    />
  );
  const beforeMessage =
    before.error ?? (earlier === undefined ? 'There was no page before this event.' : null);
  return (
    <div class={side === 'Both' ? 'sides' : ''}>
      {side !== 'After' && picture(before.moment, true, beforeMessage)}
      {side !== 'Before' && picture(moment, false, message)}
    </div>
  );
}

interface EventBannerProps {
  readonly event: EventData;
  readonly side: Side;
  readonly setSide: (side: Side) => void;
}

/** The line that tells the event that is looked at, with the parts of its duration, and the switch between its moments. */
export function EventBanner({ event, side, setSide }: EventBannerProps): JSX.Element {
  const { title, detail } = eventText(event);
  const parts = event.performed === null ? '' : timingText(event.performed.timing);
  return (
    <div class="banner event-banner">
      <p>
        <strong>Event {event.seq}</strong> {clockText(event.at)} · {title} <bdi>{detail}</bdi>
        {parts !== '' && <span class="sub"> {parts}</span>}
      </p>
      <Switch label="Moment" names={SIDES} chosen={side} choose={setSide} />
    </div>
  );
}
