/** Nodes with a bus of their own over one nats-server and one store, for the tests of the bus. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { natsBus } from '../../src/bus/natsBus.ts';
import { connectNats, type NatsConnection } from '../../src/bus/natsConnection.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { EventBus, SessionUpdate } from '../../src/domain/ports/eventBus.ts';
import type { Session } from '../../src/domain/session/session.ts';
import type { SessionEvent } from '../../src/domain/session/sessionEvent.ts';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import { systemClock } from '../../src/service/systemClock.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, bob, session } from '../contracts/storeSamples.ts';
import { type CuttableConnection, cutConnection } from '../support/cutConnection.ts';
import { openMemoryStore } from '../support/migratedStore.ts';
import { startNats, type TestNats } from '../support/startNats.ts';

/** A node: its bus, and its connection, which a test can cut. */
export interface BusNode {
  readonly bus: EventBus;
  readonly connection: NatsConnection;
  readonly link: CuttableConnection;
  /** Commits a change and publishes it, as a node does. */
  change(session: Session, ...events: SessionEvent[]): Promise<void>;
}

/** The server and the store of the test that runs, and its nodes. */
export interface BusNodes {
  readonly nats: TestNats;
  readonly store: Store;
  /** Starts a node. It ends with the test. */
  startNode(clock?: Clock): Promise<BusNode>;
}

/** Starts one nats-server for the tests of a file, and an empty store with two accounts for each of them. */
export function useBusNodes(): BusNodes {
  let nats: TestNats;
  let store: Store;
  const nodes: BusNode[] = [];
  beforeAll(async () => {
    nats = await startNats({ maxPayload: 32_768 });
  });
  afterAll(() => nats[Symbol.asyncDispose]());
  beforeEach(async () => {
    store = await openMemoryStore();
    for (const account of [alice, bob]) await store.accounts.createAccount(account);
  });
  afterEach(async () => {
    for (const { connection, link } of nodes.splice(0)) {
      await connection.close();
      await link[Symbol.asyncDispose]();
    }
    await store.close();
  });
  return {
    get nats() {
      return nats;
    },
    get store() {
      return store;
    },
    async startNode(clock = systemClock) {
      const link = await cutConnection(nats.port);
      const connection = await connectNats({ url: `nats://127.0.0.1:${link.port}`, name: 'test' });
      const bus = natsBus({ connection, sessions: store.sessions, clock });
      const node: BusNode = {
        bus,
        connection,
        link,
        async change(changed, ...events) {
          bus.publish({
            session: changed,
            events: await store.sessions.commit({ session: changed, events }),
          });
        },
      };
      nodes.push(node);
      return node;
    },
  };
}

/** Waits until the connection of a node is back, or is lost. */
export const becomes = ({ connection }: BusNode, isConnected: boolean): Promise<void> =>
  new Promise(resolve => {
    if (connection.isConnected === isConnected) resolve();
    else connection.onConnectionChange(() => resolve());
  });

/** Cuts the connection of a node, and waits until the node knows it. */
export async function cut(node: BusNode): Promise<void> {
  node.link.cut();
  await becomes(node, false);
}

/** Restores the connection of a node, and waits until the node uses it. */
export async function restore(node: BusNode): Promise<void> {
  node.link.restore();
  await becomes(node, true);
}

const describeEvents = ({ session: { id, status }, events }: SessionUpdate): string[] =>
  events.map(({ seq, event }) => `${id} ${seq} ${event.type} ${status}`);

/** Takes updates until they have `count` events. @returns each as `session seq type status` */
export async function take(subscriber: AsyncIterator<SessionUpdate>, count: number): Promise<string[]> {
  const events: string[] = [];
  while (events.length < count) {
    const { value } = await subscriber.next();
    events.push(...describeEvents(value));
  }
  return events;
}

/** An active session that begins now. */
export const live = (id: string): ReturnType<typeof session> => session(id, Date.now());

/** The session after its close. */
export const closed = (given: Session): Session => transition(given, { type: 'close', at: Date.now() });

/** The event of a close now. */
export const ended = (): SessionEvent => ({ type: 'ended', at: Date.now(), status: 'closed', reason: null });
