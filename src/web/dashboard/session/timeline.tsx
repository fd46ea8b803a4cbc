/** The timeline of a session: a strip of its events below the picture, and the list of them in the panel. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { CallDialog } from '../parts/callDialog.tsx';
import { callerText, clockText, durationText } from '../parts/format.ts';
import { Empty } from '../parts/states.tsx';
import { useVirtualRows } from '../parts/useVirtualRows.ts';
import { callOf, eventText } from './eventText.ts';
import type { EventData, SessionData } from './useSession.ts';

const MAX_TICKS = 400;
/** How long each event stays while the timeline plays, in milliseconds. */
const PLAY_MS = 1_200;
/** Height of an event in the list, in pixels, as in the style sheet. */
const EVENT_HEIGHT = 52;

export interface TimelineProps {
  readonly events: readonly EventData[];
  readonly selected: number | null;
  /** Null goes back to the present. */
  readonly select: (seq: number | null) => void;
  readonly isActive: boolean;
}

/** The strip of events with buttons that go back, forward, and play. */
export function TimelineStrip({ events, selected, select, isActive }: TimelineProps): JSX.Element {
  const [isPlaying, setPlaying] = useState(false);
  const ticks = events.slice(-MAX_TICKS);
  const position = selected === null ? ticks.length - 1 : ticks.findIndex(({ seq }) => seq === selected);
  const go = (by: number) => {
    const next = ticks[position + by];
    if (next !== undefined) select(next.seq);
  };
  const strip = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = strip.current;
    const mark = list?.querySelector<HTMLElement>('[aria-current]') ?? null;
    if (list == null) return;
    list.scrollLeft = mark === null ? list.scrollWidth : mark.offsetLeft - list.clientWidth / 2;
  }, [selected, ticks.length]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => (position >= ticks.length - 1 ? setPlaying(false) : go(1)), PLAY_MS);
    return () => clearTimeout(timer);
  });
  const play = () => {
    if (!isPlaying && position >= ticks.length - 1 && ticks[0] !== undefined) select(ticks[0].seq);
    setPlaying(!isPlaying);
  };
  return (
    <div class="timeline" role="group" aria-label="Timeline">
      <Button
        kind="quiet square"
        icon="back"
        label="Event before"
        disabled={position <= 0}
        onClick={() => go(-1)}
      />
      <Button
        kind="quiet square"
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause' : 'Play the events'}
        disabled={ticks.length < 2}
        onClick={play}
      />
      <Button
        kind="quiet square"
        icon="forward"
        label="Event after"
        disabled={position >= ticks.length - 1}
        onClick={() => go(1)}
      />
      <ol ref={strip} class="ticks">
        {ticks.map(event => {
          const { tone, title, detail } = eventText(event);
          return (
            <li key={event.seq}>
              <button
                type="button"
                class={`tick ${tone}`}
                aria-label={`Event ${event.seq}: ${title} ${detail}`}
                title={`${clockText(event.at)}  ${title} ${detail}`}
                aria-current={selected === event.seq ? 'true' : undefined}
                onClick={() => select(event.seq)}
              />
            </li>
          );
        })}
      </ol>
      {selected !== null && isActive ? (
        <button type="button" class="button live" onClick={() => select(null)}>
          Back to live
        </button>
      ) : (
        <span class="count">{events.length === 1 ? '1 event' : `${events.length} events`}</span>
      )}
    </div>
  );
}

/** The list of events: when, who, what, how long, how it ended. */
export function EventList({
  events,
  selected,
  select,
  session,
}: TimelineProps & { session: SessionData }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [copied, setCopied] = useState<EventData | null>(null);
  const virtual = useVirtualRows(scroller, events.length, EVENT_HEIGHT, index => events[index]?.seq ?? index);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (selected !== null) virtual.scrollTo(events.findIndex(({ seq }) => seq === selected));
    else if (isAtEnd.current && events.length > 0) virtual.scrollTo(events.length - 1);
  }, [events.length, selected]);
  const call = copied === null ? null : callOf(copied, session.id);
  return (
    <div
      ref={scroller}
      class="scroll events"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - EVENT_HEIGHT;
      }}
    >
      {events.length === 0 && <Empty icon="clock" title="No events yet" />}
      <ol class="event-space" style={{ height: `${virtual.height}px` }}>
        {virtual.rows.map(({ index, start }) => {
          const event = events[index];
          return event === undefined ? null : (
            <EventRow
              key={event.seq}
              event={event}
              start={start}
              isSelected={event.seq === selected}
              startedBy={session.startedBy}
              select={() => select(event.seq)}
              copy={callOf(event, session.id) === null ? null : () => setCopied(event)}
            />
          );
        })}
      </ol>
      {call !== null && (
        <CallDialog call={call} title={`Copy event ${copied?.seq} as`} onClose={() => setCopied(null)} />
      )}
    </div>
  );
}

interface EventRowProps {
  readonly event: EventData;
  readonly start: number;
  readonly isSelected: boolean;
  readonly startedBy: SessionData['startedBy'];
  readonly select: () => void;
  readonly copy: (() => void) | null;
}

/** Returns the cause of an event that no operation made: the page, or the service. */
const whoseDoing = ({ __typename }: EventData): string =>
  /Tab|Dialog|Download/.test(__typename) ? 'page' : 'service';

function EventRow({ event, start, isSelected, startedBy, select, copy }: EventRowProps): JSX.Element {
  const { tone, title, detail } = eventText(event);
  const { performed } = event;
  const caller = performed?.caller ?? (event.__typename === 'SessionCreatedEvent' ? startedBy : null);
  return (
    <li class={`event ${tone}`} style={{ transform: `translateY(${start}px)` }}>
      <button
        type="button"
        class="event-button"
        aria-current={isSelected ? 'true' : undefined}
        onClick={select}
      >
        <span class="event-line">
          <span class="seq">{event.seq}</span>
          <b>{title}</b>
          <span class="event-detail">
            <bdi>{detail}</bdi>
          </span>
        </span>
        <span class="event-line sub">
          <time dateTime={event.at}>{clockText(event.at)}</time>
          <span class="event-who">{caller === null ? whoseDoing(event) : callerText(caller)}</span>
          {performed !== null && (
            <span title={timingText(performed.timing)}>{durationText(performed.durationMs)}</span>
          )}
        </span>
      </button>
      {copy !== null && (
        <Button kind="quiet square" icon="copy" label={`Copy event ${event.seq} as a call`} onClick={copy} />
      )}
    </li>
  );
}

type Timing = NonNullable<EventData['performed']>['timing'];

/** The parts of a duration: `queue 2 ms, action 120 ms, reading 18 ms`. */
export const timingText = ({ queueMs, navigationMs, actionMs, settlingMs, readingMs }: Timing): string =>
  (
    [
      ['queue', queueMs],
      ['navigation', navigationMs],
      ['action', actionMs],
      ['waiting', settlingMs],
      ['reading', readingMs],
    ] as const
  )
    .flatMap(([name, ms]) => (ms === null || ms < 1 ? [] : [`${name} ${durationText(ms)}`]))
    .join(', ');
