import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { request } from '../connection/http.ts';
import { Button, Check } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { notify, notifyFailure } from '../parts/notices.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { addressOf, type Filters, filtersOf, isFiltered } from './filters.ts';
import { SessionGrid } from './sessionGrid.tsx';
import { SessionTable } from './sessionTable.tsx';
import { StartDialog } from './startDialog.tsx';
import { useSessionList } from './useSessionList.ts';

/** A search is sent when nothing was typed for this time, in milliseconds. */
const TYPING_MS = 250;

const FORMS = [
  ['table', 'sessions', 'Table'],
  ['grid', 'grid', 'Live'],
] as const;

/** The view at /dashboard/sessions: all sessions of the account, live, with filters. */
export function SessionsView(): JSX.Element {
  const { query, route } = useLocation();
  const filters = filtersOf(query);
  const view = query.view === 'grid' ? 'grid' : 'table';
  // Pictures are only of sessions that run.
  const list = useSessionList(
    view === 'grid' && filters.status.length === 0 ? { ...filters, status: ['ACTIVE'] } : filters,
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isStarting, setStarting] = useState(false);
  const change = (changed: Partial<Filters>) => route(addressOf({ ...filters, ...changed }, view), true);
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen(before => {
      const after = new Set(before);
      for (const id of ids) isChosen ? after.add(id) : after.delete(id);
      return after;
    });
  const forChosen = async (work: (id: string) => Promise<void>, done: string) => {
    const ids = [...chosen];
    setChosen(new Set());
    const results = await Promise.allSettled(ids.map(work));
    const failures = results.filter(result => result.status === 'rejected');
    if (failures[0] !== undefined) notifyFailure(failures[0].reason);
    if (failures.length < ids.length) notify(`${ids.length - failures.length} ${done}.`);
  };
  const close = async (id: string) =>
    list.apply([(await request('DashClose', { input: { sessionId: id } })).closeSession]);
  const extend = async (id: string) =>
    list.apply([(await request('DashExtend', { input: { sessionId: id } })).extendSession]);

  return (
    <section class="view" aria-labelledby="view-title">
      <header class="view-head">
        <h1 id="view-title">Sessions</h1>
        <span class="count" aria-live="polite">
          {list.rows.length === 0 && (list.isLoading || list.error !== null)
            ? ''
            : list.total.toLocaleString()}
        </span>
        <span class="spread" />
        <div class="switch" role="group" aria-label="Form of the list">
          {FORMS.map(([form, icon, name]) => (
            <a
              key={form}
              class={view === form ? 'on' : ''}
              aria-current={view === form ? 'true' : undefined}
              href={addressOf(filters, form)}
            >
              <Icon name={icon} /> {name}
            </a>
          ))}
        </div>
        <Button kind="primary" icon="plus" onClick={() => setStarting(true)}>
          Start
        </Button>
      </header>
      <FilterBar filters={filters} change={change} />
      {chosen.size > 0 && (
        <div class="bulk" role="region" aria-label="Chosen sessions">
          <strong>{chosen.size} chosen</strong>
          <Button icon="clock" onClick={() => forChosen(extend, 'extended')}>
            Extend
          </Button>
          <Button kind="danger" icon="close" onClick={() => forChosen(close, 'closed')}>
            Close
          </Button>
          <Button kind="quiet" onClick={() => setChosen(new Set())}>
            Clear
          </Button>
        </div>
      )}
      {list.rows.length > 0 ? (
        <>
          {list.error !== null && (
            <p class="banner bad" role="alert">
              {list.error}{' '}
              <Button kind="quiet" onClick={list.reload}>
                Try again
              </Button>
            </p>
          )}
          {view === 'grid' ? (
            <SessionGrid rows={list.rows} loadMore={list.loadMore} />
          ) : (
            <SessionTable
              rows={list.rows}
              total={list.total}
              chosen={chosen}
              choose={choose}
              loadMore={list.loadMore}
            />
          )}
        </>
      ) : list.error !== null ? (
        <Failed message={list.error} retry={list.reload} />
      ) : list.isLoading ? (
        <Loading what="sessions" />
      ) : isFiltered(filters) ? (
        <Empty icon="search" title="No session passes these filters">
          <a class="button" href={addressOf(filtersOf({}), view)}>
            Clear the filters
          </a>
        </Empty>
      ) : (
        <Empty icon="sessions" title={view === 'grid' ? 'No session is active' : 'No sessions yet'}>
          <p>Start one here, or from your program: it appears at once.</p>
          <div class="state-buttons">
            <a class="button primary" href="/dashboard/try">
              Try it on a page
            </a>
            <Button onClick={() => setStarting(true)}>Start a session</Button>
          </div>
        </Empty>
      )}
      {isStarting && (
        <StartDialog
          onClose={() => setStarting(false)}
          onStarted={id => route(`/dashboard/sessions/${id}`)}
        />
      )}
    </section>
  );
}

function FilterBar({
  filters,
  change,
}: {
  filters: Filters;
  change: (changed: Partial<Filters>) => void;
}): JSX.Element {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener('keydown', focusSearch);
    return () => removeEventListener('keydown', focusSearch);
  }, []);
  return (
    <div class="filters" role="search" aria-label="Sessions">
      <TextFilter
        field={search}
        label="Search id, address or title"
        value={filters.search}
        onChange={text => change({ search: text })}
        icon
      />
      <select
        aria-label="Status"
        value={filters.status.join(',')}
        onChange={event => {
          const { value } = event.currentTarget;
          change({ status: filtersOf({ status: value.toLowerCase() }).status });
        }}
      >
        <option value="">Every status</option>
        <option value="ACTIVE">Active</option>
        <option value="CLOSED">Closed</option>
        <option value="TIMED_OUT">Timed out</option>
        <option value="ERROR">Failed</option>
        {filters.status.length > 1 && (
          <option value={filters.status.join(',')}>
            {filters.status.join(', ').toLowerCase().replaceAll('_', ' ')}
          </option>
        )}
      </select>
      <select
        aria-label="Started"
        value={filters.since}
        onChange={event => change({ since: event.currentTarget.value })}
      >
        <option value="">Any time</option>
        <option value="1h">Last hour</option>
        <option value="24h">Last 24 hours</option>
        <option value="7d">Last 7 days</option>
      </select>
      <TextFilter label="Name" value={filters.name} onChange={text => change({ name: text })} />
      <TextFilter
        label="Labels"
        value={filters.labels.join(',')}
        onChange={text => change({ labels: filtersOf({ labels: text }).labels })}
      />
      <Check isOn={filters.failures} set={failures => change({ failures })}>
        With failures
      </Check>
      {filters.keyId !== '' && (
        <button
          type="button"
          class="chip closable"
          onClick={() => change({ keyId: '' })}
          aria-label="Sessions of every key"
        >
          key {filters.keyId.slice(0, 8)} <Icon name="close" />
        </button>
      )}
    </div>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly field?: { current: HTMLInputElement | null };
  readonly icon?: boolean;
}

function TextFilter({ label, value, onChange, field, icon = false }: TextFilterProps): JSX.Element {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => setText(value), [value]);
  return (
    <span class={icon ? 'field wide' : 'field'}>
      {icon && <Icon name="search" />}
      <input
        {...(field === undefined ? {} : { ref: field })}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={event => {
          const typed = event.currentTarget.value;
          setText(typed);
          if (timer.current !== null) clearTimeout(timer.current);
          timer.current = setTimeout(() => onChange(typed.trim()), TYPING_MS);
        }}
      />
    </span>
  );
}
