/** The page at an event: after it, before it, or both beside each other. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Changes, PagePicture } from './pagePicture.tsx';
import type { Performing } from './performing.ts';
import { type EventData, type Moment, useMoment } from './useSession.ts';

const SIDES = ['Before', 'After', 'Both'] as const;

const NO_CHANGES: Changes = { added: new Set(), changed: new Set() };

/** The event that is looked at, and its moment. */
export interface BeforeAfterProps {
  readonly sessionId: string;
  readonly events: readonly EventData[];
  readonly selected: number;
  readonly moment: Moment | null;
  readonly changes: Changes;
  readonly showsBoxes: boolean;
  readonly performing: Performing;
  /** Said over the picture of the event; null for nothing. */
  readonly message: string | null;
}

/** The pictures of an event, with the switch between them. */
export function BeforeAfter(props: BeforeAfterProps): JSX.Element {
  const { sessionId, events, selected, moment, changes, showsBoxes, performing, message } = props;
  const [side, setSide] = useState<(typeof SIDES)[number]>('After');
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
    <div class="before-after">
      <div class="switch" role="group" aria-label="Moment">
        {SIDES.map(each => (
          <button
            key={each}
            type="button"
            class={each === side ? 'on' : ''}
            aria-pressed={each === side}
            onClick={() => setSide(each)}
          >
            {each}
          </button>
        ))}
      </div>
      <div class={side === 'Both' ? 'sides' : ''}>
        {side !== 'After' && picture(before.moment, true, beforeMessage)}
        {side !== 'Before' && picture(moment, false, message)}
      </div>
    </div>
  );
}
