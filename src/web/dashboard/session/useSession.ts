/** One session: what it is, its events, and the list and the differences of a moment. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { errorText, request } from '../connection/http.ts';
import { connectionCount } from '../connection/socket.ts';
import { useQuery, useSubscription } from '../connection/useResource.ts';
import type {
  DashActionFragment,
  DashEventFragment,
  DashSessionQuery,
  DashSpaceFragment,
  Operations,
} from '../generated/operations.ts';

export type SessionData = NonNullable<DashSessionQuery['session']>;
export type EventData = DashEventFragment;
export type SpaceData = DashSpaceFragment;
export type ActionData = DashActionFragment;
type MomentResult = NonNullable<Operations['DashEventMoment']['result']['session']>;
/** The page after an event: the whole list, and what the event changed. */
export type Moment = NonNullable<MomentResult['event']['performed']>;

export interface SessionState {
  readonly session: SessionData | null;
  readonly isMissing: boolean;
  readonly error: string | null;
  readonly events: readonly EventData[];
  readonly reload: () => void;
}

/** Reads a session and follows its changes and its events. No event is lost when the connection is: the stream goes on after the last one. */
export function useSession(id: string): SessionState {
  const { data, error, isLoading, reload } = useQuery('DashSession', { id });
  const [changed, setChanged] = useState<Partial<SessionData>>({});
  const [events, setEvents] = useState<readonly EventData[]>([]);
  const lastSeq = useRef(0);
  const seen = useRef('');

  useEffect(() => {
    lastSeq.current = 0;
    seen.current = '';
    setChanged({});
    setEvents([]);
  }, [id]);
  useSubscription('DashSessionChange', id, () => ({ sessionId: id }), {
    onNext: ({ sessionChanged }) => {
      setChanged(sessionChanged);
      const state = `${sessionChanged.observedAt} ${sessionChanged.status}`;
      // The list of the session itself, and its files, are read only when there can be others.
      if (seen.current !== '' && seen.current !== state) void reload();
      seen.current = state;
    },
  });
  const batch = useRef<EventData[]>([]);
  useSubscription('DashEvents', id, () => ({ sessionId: id, after: lastSeq.current }), {
    onNext: ({ sessionEvents }) => {
      if (sessionEvents.seq <= lastSeq.current) return;
      lastSeq.current = sessionEvents.seq;
      // The stored events come at once: one drawing for all of them.
      if (batch.current.length === 0)
        queueMicrotask(() =>
          requestAnimationFrame(() => {
            const arrived = batch.current;
            batch.current = [];
            setEvents(before => [...before, ...arrived]);
          }),
        );
      batch.current.push(sessionEvents);
    },
  });
  const connections = connectionCount.value;
  const first = useRef(connections);
  useEffect(() => {
    if (connections > first.current) void reload();
  }, [connections, reload]);

  const read = data?.session ?? null;
  return {
    session: read === null ? null : { ...read, ...changed },
    isMissing: data !== null && read === null && !isLoading,
    error,
    events,
    reload,
  };
}

/** The number of moments that are kept, so that going back and forth reads each once. */
const MAX_MOMENTS = 30;

/** The moment of an event; null while it is read, and where none was kept. */
export interface MomentState {
  readonly moment: Moment | null;
  readonly isLoading: boolean;
  readonly error: string | null;
}

/** Reads the moment of an event. While the next one is read, the one before stays. @param seq null for none */
export function useMoment(sessionId: string, seq: number | null): MomentState {
  const kept = useRef(new Map<string, Moment>());
  const [state, setState] = useState<MomentState>({ moment: null, isLoading: false, error: null });
  const show = useCallback(
    (moment: Moment | null) => setState({ moment, isLoading: false, error: null }),
    [],
  );
  useEffect(() => {
    if (seq === null) return show(null);
    const key = `${sessionId} ${seq}`;
    const known = kept.current.get(key);
    if (known !== undefined) return show(known);
    let isWanted = true;
    setState(before => ({ ...before, isLoading: true, error: null }));
    request('DashEventMoment', { sessionId, eventId: String(seq) }).then(
      ({ session }) => {
        const moment = session?.event.performed ?? null;
        if (moment !== null) {
          kept.current.set(key, moment);
          const [oldest] = kept.current.keys();
          if (kept.current.size > MAX_MOMENTS && oldest !== undefined) kept.current.delete(oldest);
        }
        if (isWanted) show(moment);
      },
      error => {
        if (isWanted) setState({ moment: null, isLoading: false, error: errorText(error) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [sessionId, seq, show]);
  return state;
}
