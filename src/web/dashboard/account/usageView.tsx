import type { JSX } from 'preact';
import { useLocation } from 'preact-iso/router';
import { apiKey } from '../connection/access.ts';
import { useQuery } from '../connection/useResource.ts';
import type { DashUsageQuery } from '../generated/operations.ts';
import { Button } from '../parts/button.tsx';
import { Figures } from '../parts/figures.tsx';
import { micros, wholeDuration, words } from '../parts/format.ts';
import { saveFile } from '../parts/saveFile.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Columns } from './columns.tsx';
import { UsageChart } from './usageChart.tsx';

const GROUPS = { day: 'DAY', kind: 'KIND', key: 'KEY', session: 'SESSION' } as const;
type GroupName = keyof typeof GROUPS;
const DAY_MS = 86_400_000;
const PERIODS: Readonly<Record<string, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

type Account = DashUsageQuery['viewer']['account'];

const groupOf = (text: string | undefined): GroupName =>
  text !== undefined && Object.hasOwn(GROUPS, text) ? (text as GroupName) : 'day';

/** The view at /dashboard/usage: what the account used, and what it cost. */
export function UsageView(): JSX.Element {
  const { query, route } = useLocation();
  const by = groupOf(query.by);
  const period = query.period !== undefined && query.period in PERIODS ? query.period : '30d';
  // The start of a day (UTC), so that the query stays the same while the view is drawn again.
  const from = new Date(
    Math.floor(Date.now() / DAY_MS) * DAY_MS - ((PERIODS[period] ?? 30) - 1) * DAY_MS,
  ).toISOString();
  const { data, error, isLoading, reload } = useQuery('DashUsage', { from, by: GROUPS[by] });
  const keys = useQuery('DashKeys', {});
  const change = (name: string, value: string) => {
    const next = new URLSearchParams({ by, period, [name]: value });
    route(`/dashboard/usage?${next}`, true);
  };
  const account = data?.viewer.account;
  const keyNames = new Map(keys.data?.viewer.account.keys.map(({ id, name }) => [id, name]));
  return (
    <section class="view" aria-labelledby="view-title">
      <header class="view-head">
        <h1 id="view-title">Usage</h1>
        <span class="spread" />
        <select
          aria-label="Period"
          value={period}
          onChange={event => change('period', event.currentTarget.value)}
        >
          <option value="24h">Today</option>
          <option value="7d">7 days</option>
          <option value="30d">30 days</option>
          <option value="90d">90 days</option>
        </select>
        <select aria-label="Group by" value={by} onChange={event => change('by', event.currentTarget.value)}>
          <option value="day">By day</option>
          <option value="kind">By kind</option>
          <option value="key">By key</option>
          <option value="session">By session</option>
        </select>
        <Button
          icon="down"
          onClick={() => saveFile('/account/ledger.csv', 'ledger.csv', 'ledger', apiKey.value)}
        >
          CSV
        </Button>
      </header>
      {account !== undefined ? (
        <div class="scroll page-body">
          <Totals account={account} />
          <Groups account={account} by={by} keyNames={keyNames} />
          <Limits account={account} />
        </div>
      ) : error !== null ? (
        <Failed message={error} retry={reload} />
      ) : isLoading ? (
        <Loading what="the usage" />
      ) : null}
    </section>
  );
}

const Totals = ({ account: { usage, tier, balanceMicros } }: { account: Account }): JSX.Element => (
  <Figures
    of={[
      ['Operations', usage.total.operations.toLocaleString()],
      ['Browser time', wholeDuration(usage.total.browserMs)],
      ['Spend', micros(usage.total.priceMicros)],
      tier === 'PAY_AS_YOU_GO' ? ['Balance', micros(balanceMicros)] : ['Tier', words(tier)],
    ]}
  />
);

interface GroupsProps {
  readonly account: Account;
  readonly by: GroupName;
  readonly keyNames: ReadonlyMap<string, string>;
}

function Groups({ account, by, keyNames }: GroupsProps): JSX.Element {
  const { groups } = account.usage;
  if (groups.length === 0) return <Empty icon="usage" title="Nothing was used in this period" />;
  const most = Math.max(1, ...groups.map(({ usage }) => usage.operations));
  const nameOf = (name: string) =>
    by === 'day'
      ? name.slice(0, 10)
      : by === 'kind'
        ? words(name)
        : by === 'key'
          ? (keyNames.get(name) ?? name.slice(0, 8))
          : name.slice(0, 8);
  return (
    <>
      {by === 'day' && groups.length > 1 && <UsageChart groups={groups} />}
      <table class="plain">
        <Columns names={[by, '|Part', '#Operations', '#Browser time', '#Spend']} />
        <tbody>
          {groups.map(({ name, usage }) => (
            <tr key={name}>
              <th scope="row" class={by === 'day' ? 'day' : undefined}>
                {by === 'session' ? (
                  <a href={`/dashboard/sessions/${name}`}>{nameOf(name)}</a>
                ) : by === 'key' ? (
                  <a href={`/dashboard/sessions?key=${name}`}>{nameOf(name)}</a>
                ) : (
                  nameOf(name)
                )}
              </th>
              <td class="bar-cell">
                <span class="bar" style={{ width: `${(usage.operations / most) * 100}%` }} />
              </td>
              <td class="number">{usage.operations.toLocaleString()}</td>
              <td class="number">{wholeDuration(usage.browserMs)}</td>
              <td class="number">{micros(usage.priceMicros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const limitText = (limit: number | null): string => (limit === null ? 'no limit' : limit.toLocaleString());

const Limits = ({ account: { limits } }: { account: Account }): JSX.Element => (
  <section class="card">
    <h2>Limits of the account</h2>
    <dl class="pairs">
      <dt>Sessions at once</dt>
      <dd>{limitText(limits.sessionsAtOnce)}</dd>
      <dt>Requests a minute</dt>
      <dd>{limitText(limits.requestsPerMinute)}</dd>
      <dt>Browser minutes a day</dt>
      <dd>{limitText(limits.browserMinutesPerDay)}</dd>
      <dt>Longest idle time of a session, in minutes</dt>
      <dd>{limitText(limits.timeoutMinutes)}</dd>
    </dl>
  </section>
);
