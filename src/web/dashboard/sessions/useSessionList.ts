import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { errorText, request } from '../connection/http.ts';
import { connectionCount } from '../connection/socket.ts';
import { useSubscription } from '../connection/useResource.ts';
import type { DashSessionRowFragment } from '../generated/operations.ts';
import { addressOf, type Filters, isFiltered, variablesOf } from './filters.ts';

export type SessionRow = DashSessionRowFragment;

export interface SessionList {
  readonly rows: readonly SessionRow[];
  readonly total: number;
  readonly isLoading: boolean;
  readonly error: string | null;
  readonly loadMore: () => void;
  readonly reload: () => void;
  /** Puts the answers of mutations into the list at once. */
  readonly apply: (rows: readonly SessionRow[]) => void;
}

const PAGE_SIZE = 100;
/** With filters that only the service can apply, the list is read again this long after a change, in milliseconds. */
const REREAD_AFTER_MS = 400;

interface Read {
  readonly rows: readonly SessionRow[];
  readonly total: number;
  readonly next: string | null;
  readonly isLoading: boolean;
  readonly error: string | null;
}

const NOTHING: Read = { rows: [], total: 0, next: null, isLoading: true, error: null };

/** Reads the sessions that pass the filters, newest first, page by page. */
export function useSessionList(filters: Filters): SessionList {
  const [read, setRead] = useState(NOTHING);
  const turn = useRef(0);
  const latest = useRef(read);
  latest.current = read;
  /** The changes that have come while the list is read: its answer may be older than they are. Null while it is not read. */
  const meanwhile = useRef<Map<string, SessionRow> | null>(null);
  const applyLatest = useRef<(rows: readonly SessionRow[]) => void>(() => {});
  /** True if the list is to be read again when its answer has come. */
  const isOutdated = useRef(false);
  const key = addressOf(filters, 'table');

  const readPage = useCallback(
    async (after: string | null) => {
      turn.current += 1;
      const own = turn.current;
      meanwhile.current = new Map();
      setRead(before => ({ ...before, isLoading: true }));
      try {
        const variables = { ...variablesOf(filters, Date.now()), first: PAGE_SIZE, after };
        const { sessions } = await request('DashSessions', variables);
        if (own !== turn.current) return;
        const page = sessions.edges.map(({ node }) => node);
        setRead(before => ({
          rows: after === null ? page : joined(before.rows, page),
          total: sessions.totalCount,
          next: sessions.pageInfo.hasNextPage ? sessions.pageInfo.endCursor : null,
          isLoading: false,
          error: null,
        }));
        applyLatest.current([...(meanwhile.current?.values() ?? [])]);
      } catch (error) {
        if (own === turn.current)
          setRead(before => ({ ...before, isLoading: false, error: errorText(error) }));
      }
      if (own !== turn.current) return;
      meanwhile.current = null;
      if (!isOutdated.current) return;
      isOutdated.current = false;
      void readPage(null);
    },
    [key],
  );

  const reload = useCallback(() => void readPage(null), [readPage]);
  useEffect(() => {
    setRead(NOTHING);
    reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);

  // Changes while the socket was away, or before it connected first, were missed.
  const connections = connectionCount.value;
  const connectionsBefore = useRef(connections);
  useEffect(() => {
    if (connections === connectionsBefore.current) return;
    connectionsBefore.current = connections;
    if (meanwhile.current !== null) isOutdated.current = true;
    else reload();
  }, [connections, reload]);

  const reread = useRef<ReturnType<typeof setTimeout> | null>(null);
  const pending = useRef<Map<string, SessionRow>>(new Map());
  const drain = useCallback(() => {
    const changes = pending.current;
    pending.current = new Map();
    let needsReread = false;
    setRead(before => {
      const known = new Set(before.rows.map(({ id }) => id));
      const fresh = [...changes.values()].filter(({ id }) => !known.has(id));
      needsReread = fresh.length > 0 && isFiltered(filters);
      const rows = before.rows.map(row => changes.get(row.id) ?? row).filter(row => passes(row, filters));
      const newest = before.rows[0]?.createdAt ?? '';
      const added = isFiltered(filters) ? [] : fresh.filter(({ createdAt }) => createdAt >= newest);
      added.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
      const total = before.total + added.length - (before.rows.length - rows.length);
      return { ...before, rows: [...added, ...rows], total };
    });
    if (needsReread)
      reread.current ??= setTimeout(() => {
        reread.current = null;
        reload();
      }, REREAD_AFTER_MS);
  }, [key, reload]);
  useEffect(
    () => () => {
      if (reread.current !== null) clearTimeout(reread.current);
      reread.current = null;
    },
    [],
  );

  // Many sessions change at once: one drawing for all changes of a frame.
  const apply = useCallback(
    (rows: readonly SessionRow[]) => {
      if (pending.current.size === 0 && rows.length > 0) requestAnimationFrame(drain);
      for (const row of rows) {
        pending.current.set(row.id, row);
        meanwhile.current?.set(row.id, row);
      }
    },
    [drain],
  );
  applyLatest.current = apply;
  const [attempt, setAttempt] = useState(0);
  useSubscription('DashSessionChanges', `changes ${attempt}`, () => ({}), {
    onNext: ({ sessionChanged }) => apply([sessionChanged]),
    onError: ({ code, message }) => {
      // Dropped changes: read again, and go on.
      if (code !== 'SUBSCRIPTION_BEHIND') return setRead(before => ({ ...before, error: message }));
      reload();
      setAttempt(before => before + 1);
    },
  });

  const loadMore = useCallback(() => {
    const { next, isLoading, error } = latest.current;
    if (next !== null && !isLoading && error === null) void readPage(next);
  }, [readPage]);
  return { ...read, loadMore, reload, apply };
}

const passes = ({ status }: SessionRow, filters: Filters): boolean =>
  filters.status.length === 0 || filters.status.includes(status);

/** The rows of both lists, each session once. */
function joined(rows: readonly SessionRow[], page: readonly SessionRow[]): readonly SessionRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...page.filter(({ id }) => !known.has(id))];
}
