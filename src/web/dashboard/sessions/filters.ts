import type { Operations } from '../generated/operations.ts';

type Variables = Operations['DashSessions']['variables'];
type Status = 'ACTIVE' | 'CLOSED' | 'ERROR' | 'TIMED_OUT';

/** The filters of the list of sessions, as its address has them. An empty text means that the filter is not set. */
export interface Filters {
  readonly status: readonly Status[];
  readonly search: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly keyId: string;
  readonly failures: boolean;
  /** Only sessions that were started within this time: `1h`, `24h`, `7d`. */
  readonly since: string;
}

const STATUSES: readonly Status[] = ['ACTIVE', 'CLOSED', 'TIMED_OUT', 'ERROR'];

/** The lengths of `since` in milliseconds. */
export const SINCE_MS: Readonly<Record<string, number>> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
};

/** Reads the filters of an address. What it does not know it leaves out. */
export function filtersOf(query: Readonly<Record<string, string>>): Filters {
  const list = (text: string | undefined) => (text ?? '').split(',').filter(each => each !== '');
  return {
    status: STATUSES.filter(status => list(query.status).includes(status.toLowerCase())),
    search: query.q ?? '',
    name: query.name ?? '',
    labels: list(query.labels),
    keyId: query.key ?? '',
    failures: query.failures === '1',
    since: query.since !== undefined && query.since in SINCE_MS ? query.since : '',
  };
}

/** The address of a list with these filters. @param view `grid` for the pictures */
export function addressOf(filters: Filters, view: 'table' | 'grid'): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string) => {
    if (value !== '') query.set(name, value);
  };
  set('status', filters.status.join(',').toLowerCase());
  set('q', filters.search);
  set('name', filters.name);
  set('labels', filters.labels.join(','));
  set('key', filters.keyId);
  set('failures', filters.failures ? '1' : '');
  set('since', filters.since);
  set('view', view === 'grid' ? 'grid' : '');
  // Commas need no escape in a query, and are easier to read.
  const text = query.toString().replaceAll('%2C', ',');
  return `/dashboard/sessions${text === '' ? '' : `?${text}`}`;
}

export const isFiltered = (filters: Filters): boolean =>
  addressOf(filters, 'table') !== '/dashboard/sessions';

/** The variables of the query for these filters. @param at the present time in milliseconds */
export const variablesOf = (filters: Filters, at: number): Variables => ({
  status: filters.status.length === 0 ? null : [...filters.status],
  search: filters.search === '' ? null : filters.search,
  name: filters.name === '' ? null : filters.name,
  labels: filters.labels.length === 0 ? null : [...filters.labels],
  keyId: filters.keyId === '' ? null : filters.keyId,
  hasFailures: filters.failures ? true : null,
  createdFrom: filters.since === '' ? null : new Date(at - (SINCE_MS[filters.since] ?? 0)).toISOString(),
});
