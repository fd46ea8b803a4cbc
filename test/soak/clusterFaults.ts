/** Compares the operations that callers know to be done with the database of a cluster. */
import type { NodeCluster } from '../support/startNodes.ts';

/** An operation to which a node has responded with success. */
export interface AcknowledgedOperation {
  readonly sessionId: string;
  readonly event: 'created' | 'observed' | 'ended';
  /** The URL of the page, for `observed`: no other operation has the same. */
  readonly url: string | null;
}

/** Events of operations with a ledger row each. */
const CHARGED: ReadonlySet<string> = new Set(['created', 'observed', 'stepped', 'scraped', 'failed']);

/** Returns what is lost, done twice or charged twice, in sentences. Call it while no operation runs. */
export async function clusterFaults(
  cluster: NodeCluster,
  acknowledged: readonly AcknowledgedOperation[],
): Promise<string[]> {
  const { store, database } = cluster;
  const faults = await cluster.faults();
  const bySession = Map.groupBy(acknowledged, each => each.sessionId);
  const { rows } = await database.query('select id from sessions');
  const stored = new Set<string>(rows.map(({ id }) => id));
  for (const id of bySession.keys()) if (!stored.has(id)) faults.push(`session ${id} is not stored`);
  for (const id of stored) {
    const events = await store.sessions.events(id, 0, 10_000);
    if (events.some(({ seq }, index) => seq !== index + 1))
      faults.push(`the events of session ${id} have gaps`);
    const urls = events.flatMap(({ event }) => (event.type === 'observed' ? [event.url] : []));
    if (new Set(urls).size !== urls.length) faults.push(`session ${id} has observed a page twice`);
    for (const { event, url } of bySession.get(id) ?? [])
      if (!events.some(each => each.event.type === event && (url === null || urls.includes(url))))
        faults.push(`"${event}" of session ${id} was acknowledged and is not stored`);
    const [usage] = await store.ledger.sessionUsage([id]);
    const operations = events.filter(({ event }) => CHARGED.has(event.type)).length;
    if (usage?.operations !== operations)
      faults.push(`session ${id} has ${operations} operations and ${usage?.operations} charges`);
  }
  const { rows: twice } = await database.query(
    'select operation_id, count(*) from ledger where operation_id is not null group by operation_id having count(*) > 1',
  );
  return [...faults, ...twice.map(row => `operation ${row.operation_id} is charged ${row.count} times`)];
}
