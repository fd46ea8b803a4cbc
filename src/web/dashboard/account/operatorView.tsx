import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../connection/http.ts';
import { useQuery } from '../connection/useResource.ts';
import type { DashOperatorQuery } from '../generated/operations.ts';
import { Button } from '../parts/button.tsx';
import { Figures } from '../parts/figures.tsx';
import { bytesText, durationText, now, wholeDuration } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { FormDialog } from '../parts/modal.tsx';
import { notify } from '../parts/notices.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Columns } from './columns.tsx';
import { Accounts } from './operatorAccounts.tsx';

type Service = DashOperatorQuery['service'];
type Node = DashOperatorQuery['nodes'][number];

/** The numbers are read again this often while the page is seen, in milliseconds. */
const REFRESH_MS = 5_000;

/** The view at /dashboard/operator: the state of the service, its nodes and its accounts. */
export function OperatorView(): JSX.Element {
  const { data, error, reload } = useQuery('DashOperator', {});
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section class="view" aria-labelledby="view-title">
      <header class="view-head">
        <h1 id="view-title">Service</h1>
        {data !== null && (
          <span class="sub">
            version {data.service.version}, up {wholeDuration(now.value - Date.parse(data.service.startedAt))}
          </span>
        )}
      </header>
      {data !== null ? (
        <div class="scroll page-body">
          {error !== null && (
            <p class="banner bad" role="alert">
              {error} What you see is as it was.
            </p>
          )}
          <Places service={data.service} />
          <div class="columns">
            <Latency operations={data.service.operations} />
            <Failures failures={data.service.failures} />
          </div>
          <Walls service={data.service} />
          <Nodes nodes={data.nodes} reload={reload} />
          <Accounts />
        </div>
      ) : error !== null ? (
        <Failed message={error} retry={reload} />
      ) : (
        <Loading what="the state of the service" />
      )}
    </section>
  );
}

function Places({ service }: { service: Service }): JSX.Element {
  const { places, sessions, waitingStarts, browsers, processBytes, browserBytes } = service;
  return (
    <Figures
      of={[
        [
          'Sessions',
          <>
            {sessions.toLocaleString()} <span class="of">of {places.toLocaleString()} places</span>
            <Meter value={sessions} most={places} label="Places in use" />
          </>,
        ],
        ['Waiting starts', waitingStarts.toLocaleString(), waitingStarts > 0 ? 'soon' : ''],
        [
          'Browsers',
          <>
            {browsers.toLocaleString()}
            {browserBytes !== null && <span class="of"> {bytesText(browserBytes)}</span>}
          </>,
        ],
        ['Memory of the service', bytesText(processBytes)],
        ['Refused addresses', service.refusedAddresses.toLocaleString()],
      ]}
    />
  );
}

function Meter({ value, most, label }: { value: number; most: number; label: string }): JSX.Element {
  return <meter aria-label={label} min={0} max={Math.max(1, most)} high={most * 0.9} value={value} />;
}

function Latency({ operations }: { operations: Service['operations'] }): JSX.Element {
  const most = Math.max(1, ...operations.map(({ p95Ms }) => p95Ms));
  return (
    <section class="card">
      <h2>Latency by operation</h2>
      {operations.length === 0 ? (
        <Empty icon="clock" title="No operation has ended since the start" />
      ) : (
        <table class="plain">
          <Columns names={['operation', '|median and 95th percentile', '#median', '#p95', '#count']} />
          <tbody>
            {operations.map(({ operation, count, p50Ms, p95Ms }) => (
              <tr key={operation}>
                <th scope="row">{operation}</th>
                <td class="bar-cell">
                  <span class="bar faint" style={{ width: `${(p95Ms / most) * 100}%` }}>
                    <span
                      class="bar"
                      style={{ width: `${p95Ms === 0 ? 0 : Math.min(100, (p50Ms / p95Ms) * 100)}%` }}
                    />
                  </span>
                </td>
                <td class="number">{durationText(p50Ms)}</td>
                <td class="number">{durationText(p95Ms)}</td>
                <td class="number">{count.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const Failures = ({ failures }: { failures: Service['failures'] }): JSX.Element => (
  <section class="card">
    <h2>Failures by code</h2>
    {failures.length === 0 ? (
      <Empty icon="check" title="Nothing has failed since the start" />
    ) : (
      <table class="plain">
        <Columns names={['code', 'operation', '#count']} />
        <tbody>
          {failures.map(({ operation, code, count }) => (
            <tr key={`${operation} ${code}`}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td>{operation}</td>
              <td class="number">{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);

const LAYERS = ['chromium', 'filesystem', 'network', 'seccomp', 'user', 'cgroup'];

const Walls = ({ service: { sandbox } }: { service: Service }): JSX.Element => (
  <section class="card">
    <h2>Sandboxes of the browsers</h2>
    <ul class="walls">
      {LAYERS.map(layer => {
        const stands = sandbox.layers.includes(layer);
        return (
          <li key={layer} class={stands ? 'stands' : 'missing'}>
            <Icon name={stands ? 'check' : 'close'} /> {layer}
            <span class="unseen">{stands ? ' stands' : ' does not stand'}</span>
          </li>
        );
      })}
    </ul>
    <p class="sub">{sandbox.summary}</p>
    {sandbox.warning !== null && <p class="wrong">{sandbox.warning}</p>}
  </section>
);

function Nodes({ nodes, reload }: { nodes: readonly Node[]; reload: () => Promise<void> }): JSX.Element {
  const [draining, setDraining] = useState<Node | null>(null);
  return (
    <section class="card">
      <h2>Nodes</h2>
      <table class="plain">
        <Columns names={['node', '|Places in use', '#sessions', 'version', '(Drain)']} />
        <tbody>
          {nodes.map(node => (
            <tr key={node.nodeId}>
              <th scope="row">{node.nodeId}</th>
              <td class="bar-cell">
                <Meter value={node.sessions} most={node.capacity} label={`Places of ${node.nodeId} in use`} />
              </td>
              <td class="number">
                {node.sessions} of {node.capacity}
              </td>
              <td>{node.version}</td>
              <td class="number">
                {node.draining ? (
                  <span class="chip">draining</span>
                ) : (
                  <Button kind="danger" label={`Drain ${node.nodeId}`} onClick={() => setDraining(node)}>
                    Drain
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {draining !== null && (
        <FormDialog
          title={`Drain ${draining.nodeId}?`}
          action="Drain"
          kind="danger"
          onClose={() => setDraining(null)}
          submit={async () => {
            await request('DashDrain', { nodeId: draining.nodeId });
            notify(`${draining.nodeId} was asked to drain.`);
            void reload();
          }}
        >
          <p>
            It takes no new sessions from now on, and its process stops when{' '}
            {draining.sessions === 1 ? 'its session has' : `its ${draining.sessions} sessions have`} ended, or
            at the deadline of PAGESPACE_DRAIN_SECONDS.
          </p>
          {nodes.length === 1 && (
            <p>
              <strong>It is the only node: the service stops, this page too.</strong>
            </p>
          )}
        </FormDialog>
      )}
    </section>
  );
}
