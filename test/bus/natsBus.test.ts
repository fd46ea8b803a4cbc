import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SUBSCRIBER_QUEUE_LENGTH } from '../../src/bus/memoryBus.ts';
import { natsBus } from '../../src/bus/natsBus.ts';
import { connectNats, type NatsConnection } from '../../src/bus/natsConnection.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { EventBus, SessionUpdate } from '../../src/domain/ports/eventBus.ts';
import type { Session } from '../../src/domain/session.ts';
import type { SessionEvent } from '../../src/domain/sessionEvent.ts';
import { transition } from '../../src/domain/sessionTransition.ts';
import { systemClock } from '../../src/service/systemClock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { describeEventBusContract } from '../contracts/eventBusContract.ts';
import { alice, bob, created, observed, session } from '../contracts/storeSamples.ts';
import { type CuttableConnection, cutConnection } from '../support/cutConnection.ts';
import { manualClock } from '../support/manualClock.ts';
import { natsIsMissing, startNats, type TestNats } from '../support/startNats.ts';

interface BusNode {
  readonly bus: EventBus;
  readonly connection: NatsConnection;
  readonly link: CuttableConnection;
  /** Commits a change and publishes it, as a node does. */
  change(session: Session, ...events: SessionEvent[]): Promise<void>;
}

describe.skipIf(natsIsMissing)(`over nats-server${natsIsMissing ? ` (${natsIsMissing})` : ''}`, () => {
  let nats: TestNats;
  let store: Store;
  const nodes: BusNode[] = [];

  beforeAll(async () => {
    nats = await startNats({ maxPayload: 32_768 });
  });
  afterAll(() => nats[Symbol.asyncDispose]());
  beforeEach(async () => {
    // The store that all nodes share.
    store = await openSqliteStore(':memory:');
    for (const account of [alice, bob]) await store.accounts.createAccount(account);
  });
  afterEach(async () => {
    for (const { connection, link } of nodes.splice(0)) {
      await connection.close();
      await link[Symbol.asyncDispose]();
    }
    await store.close();
  });

  async function startNode(clock: Clock = systemClock): Promise<BusNode> {
    const link = await cutConnection(nats.port);
    const connection = await connectNats({ url: `nats://127.0.0.1:${link.port}`, name: 'test' });
    const bus = natsBus({ connection, sessions: store.sessions, clock });
    const node: BusNode = {
      bus,
      connection,
      link,
      async change(changed, ...events) {
        bus.publish({ session: changed, events: await store.sessions.commit({ session: changed, events }) });
      },
    };
    nodes.push(node);
    return node;
  }

  const becomes = ({ connection }: BusNode, isConnected: boolean): Promise<void> =>
    new Promise(resolve => {
      if (connection.isConnected === isConnected) resolve();
      else connection.onConnectionChange(() => resolve());
    });
  const cut = async (node: BusNode): Promise<void> => {
    node.link.cut();
    await becomes(node, false);
  };
  const restore = async (node: BusNode): Promise<void> => {
    node.link.restore();
    await becomes(node, true);
  };
  const describeEvents = ({ session: { id, status }, events }: SessionUpdate): string[] =>
    events.map(({ seq, event }) => `${id} ${seq} ${event.type} ${status}`);
  /** Takes updates until they have `count` events. */
  async function take(subscriber: AsyncIterator<SessionUpdate>, count: number): Promise<string[]> {
    const events: string[] = [];
    while (events.length < count) {
      const { value } = await subscriber.next();
      events.push(...describeEvents(value));
    }
    return events;
  }
  const live = (id: string): ReturnType<typeof session> => session(id, Date.now());
  const closed = (given: Session): Session => transition(given, { type: 'close', at: Date.now() });
  const ended = (): SessionEvent => ({ type: 'ended', at: Date.now(), status: 'closed', reason: null });

  describeEventBusContract('over NATS', async () => (await startNode()).bus, SUBSCRIBER_QUEUE_LENGTH);

  it("sends a subscriber the updates of its account's sessions on every node, each once", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const all = [a.bus.subscribe(alice.id), b.bus.subscribe(alice.id)];
    for (const { started } of all) await started;
    await a.change(live('s'), created(Date.now()));
    await b.change(live('t'), created(Date.now()));
    await a.change(live('s'), observed(Date.now()));
    for (const subscriber of all)
      expect((await take(subscriber, 3)).toSorted()).toEqual([
        's 1 created active',
        's 2 observed active',
        't 1 created active',
      ]);
    await b.change(live('t'), observed(Date.now()));
    for (const subscriber of all) expect(await take(subscriber, 1)).toEqual(['t 2 observed active']);
  });

  it('receives messages of an account only while it has subscribers of it', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const leaving = new AbortController();
    const first = b.bus.subscribe(alice.id, { signal: leaving.signal });
    const second = b.bus.subscribe(alice.id, { sessionId: 's', signal: leaving.signal });
    await second.started;
    await first.return?.();
    await a.change(live('s'), created(Date.now()));
    expect(await take(second, 1)).toHaveLength(1);
    leaving.abort();
    await b.connection.client.flush();
    const { inMsgs } = b.connection.client.stats();
    await a.change(live('s'), observed(Date.now()));
    await a.connection.client.flush();
    await b.connection.client.flush();
    expect(b.connection.client.stats().inMsgs).toBe(inMsgs);
  });

  it('reads from the store an update that is too large for a message', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const subscriber = b.bus.subscribe(alice.id);
    await subscriber.started;
    const url = `https://a.test/${'x'.repeat(40_000)}`;
    await a.change(live('s'), created(Date.now()), { ...observed(Date.now()), url } as SessionEvent);
    expect(await take(subscriber, 2)).toEqual(['s 1 created active', 's 2 observed active']);
  });

  it('reads from the store what another node committed and never published', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const subscriber = b.bus.subscribe(alice.id);
    await subscriber.started;
    const given = live('s');
    await store.sessions.commit({ session: given, events: [created(Date.now()), observed(Date.now())] });
    await a.change(closed(given), ended());
    expect(await take(subscriber, 3)).toEqual([
      's 1 created active',
      's 2 observed active',
      's 3 ended closed',
    ]);
  });

  it('after a break of NATS, sends every event of every node once and in order, statuses included', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const everything = b.bus.subscribe(alice.id);
    const one = b.bus.subscribe(alice.id, { sessionId: 's' });
    await one.started;
    const [s, t] = [live('s'), live('t')];
    await a.change(s, created(Date.now()));
    expect(await take(everything, 1)).toEqual(['s 1 created active']);
    await nats.stop();
    await Promise.all([becomes(a, false), becomes(b, false)]);
    await a.change(s, observed(Date.now()));
    await a.change(t, created(Date.now()));
    await a.change(closed(t), ended());
    await b.change(live('u'), created(Date.now()));
    await nats.restart();
    await Promise.all([becomes(a, true), becomes(b, true)]);
    await a.change(closed(s), ended());
    const events = await take(everything, 5);
    expect(events.filter(each => each.startsWith('s'))).toEqual(['s 2 observed active', 's 3 ended closed']);
    expect(events.filter(each => each.startsWith('t'))).toEqual(['t 1 created active', 't 2 ended closed']);
    expect(events.filter(each => each.startsWith('u'))).toEqual(['u 1 created active']);
    expect(await take(one, 3)).toEqual(['s 1 created active', 's 2 observed active', 's 3 ended closed']);
    await a.change(live('v'), created(Date.now()));
    expect(await take(everything, 1)).toEqual(['v 1 created active']);
  });

  it("after a break of the publisher's connection only, the other nodes read what it published", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const subscriber = b.bus.subscribe(alice.id);
    await subscriber.started;
    await cut(a);
    const given = live('s');
    await a.change(given, created(Date.now()));
    await a.change(closed(given), ended());
    await restore(a);
    expect(await take(subscriber, 2)).toEqual(['s 1 created active', 's 2 ended closed']);
  });

  it('after the process was suspended, sends what it may have missed', async () => {
    const clock = manualClock(Date.now());
    const node = await startNode(clock);
    const subscriber = node.bus.subscribe(alice.id);
    await subscriber.started;
    const given = live('s');
    await store.sessions.commit({ session: given, events: [created(Date.now())] });
    clock.advance(2_000);
    clock.jump(30_000);
    clock.advance(1_000);
    expect(await take(subscriber, 1)).toEqual(['s 1 created active']);
  });

  it('after a break, a store that fails at first is read again', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const subscriber = b.bus.subscribe(alice.id);
    await subscriber.started;
    await cut(b);
    await a.change(live('s'), created(Date.now()));
    const { endedSince } = store.sessions;
    let failures = 0;
    store.sessions.endedSince = async (...args) => {
      failures += 1;
      if (failures === 1) throw new Error('The database is away.');
      return endedSince(...args);
    };
    await restore(b);
    expect(await take(subscriber, 1)).toEqual(['s 1 created active']);
    expect(failures).toBe(2);
  });

  it('loses nothing when the first subscriber arrives while events flow', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const given = live('s');
    const total = 60;
    const publish = async (): Promise<void> => {
      for (let n = 0; n < total; n += 1) await a.change(given, observed(Date.now()));
    };
    const publishing = publish();
    const subscriber = b.bus.subscribe(alice.id, { sessionId: 's' });
    await subscriber.started;
    const seqs = (await store.sessions.events('s', 0, 100)).map(({ seq }) => seq);
    while ((seqs.at(-1) ?? 0) < total) {
      const { value } = await subscriber.next();
      const last = seqs.at(-1) ?? 0;
      seqs.push(...value.events.map(({ seq }: { seq: number }) => seq).filter((seq: number) => seq > last));
    }
    await publishing;
    expect(seqs).toEqual(Array.from({ length: total }, (_, i) => i + 1));
  });

  it('sends ledger updates to the subscribers of every node, also after a break', async () => {
    const [a, b] = [await startNode(), await startNode()];
    const reader = b.bus.subscribeLedger(alice.id);
    await reader.started;
    a.bus.publishLedgerUpdate(bob.id);
    a.bus.publishLedgerUpdate(alice.id);
    expect((await reader.next()).value).toBe(alice.id);
    const waiting = reader.next();
    await cut(b);
    a.bus.publishLedgerUpdate(alice.id);
    await restore(b);
    expect((await waiting).value).toBe(alice.id);
  });
});
