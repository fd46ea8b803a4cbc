import { describe, expect, it } from 'vitest';
import { SUBSCRIBER_QUEUE_LENGTH } from '../../src/bus/memoryBus.ts';
import type { SessionEvent } from '../../src/domain/session/sessionEvent.ts';
import { describeEventBusContract } from '../contracts/eventBusContract.ts';
import { alice, created, observed } from '../contracts/storeSamples.ts';
import { manualClock } from '../support/manualClock.ts';
import { natsIsMissing } from '../support/startNats.ts';
import { closed, ended, live, take, useBusNodes } from './busNodes.ts';

describe.skipIf(natsIsMissing)(`over nats-server${natsIsMissing ? ` (${natsIsMissing})` : ''}`, () => {
  const nodes = useBusNodes();

  describeEventBusContract('over NATS', async () => (await nodes.startNode()).bus, SUBSCRIBER_QUEUE_LENGTH);

  it("sends a subscriber the updates of its account's sessions on every node, each once", async () => {
    const [a, b] = [await nodes.startNode(), await nodes.startNode()];
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
    const [a, b] = [await nodes.startNode(), await nodes.startNode()];
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
    const [a, b] = [await nodes.startNode(), await nodes.startNode()];
    const subscriber = b.bus.subscribe(alice.id);
    await subscriber.started;
    const url = `https://a.test/${'x'.repeat(40_000)}`;
    await a.change(live('s'), created(Date.now()), { ...observed(Date.now()), url } as SessionEvent);
    expect(await take(subscriber, 2)).toEqual(['s 1 created active', 's 2 observed active']);
  });

  it('reads from the store what another node committed and never published', async () => {
    const [a, b] = [await nodes.startNode(), await nodes.startNode()];
    const subscriber = b.bus.subscribe(alice.id);
    await subscriber.started;
    const given = live('s');
    await nodes.store.sessions.commit({
      session: given,
      events: [created(Date.now()), observed(Date.now())],
    });
    await a.change(closed(given), ended());
    expect(await take(subscriber, 3)).toEqual([
      's 1 created active',
      's 2 observed active',
      's 3 ended closed',
    ]);
  });

  it('after the process was suspended, sends what it may have missed', async () => {
    const clock = manualClock(Date.now());
    const node = await nodes.startNode(clock);
    const subscriber = node.bus.subscribe(alice.id);
    await subscriber.started;
    const given = live('s');
    await nodes.store.sessions.commit({ session: given, events: [created(Date.now())] });
    clock.advance(2_000);
    clock.jump(30_000);
    clock.advance(1_000);
    expect(await take(subscriber, 1)).toEqual(['s 1 created active']);
  });

  it('loses nothing when the first subscriber arrives while events flow', async () => {
    const [a, b] = [await nodes.startNode(), await nodes.startNode()];
    const given = live('s');
    const total = 60;
    const publish = async (): Promise<void> => {
      for (let n = 0; n < total; n += 1) await a.change(given, observed(Date.now()));
    };
    const publishing = publish();
    const subscriber = b.bus.subscribe(alice.id, { sessionId: 's' });
    await subscriber.started;
    const seqs = (await nodes.store.sessions.events('s', 0, 100)).map(({ seq }) => seq);
    while ((seqs.at(-1) ?? 0) < total) {
      const { value } = await subscriber.next();
      const last = seqs.at(-1) ?? 0;
      seqs.push(...value.events.map(({ seq }: { seq: number }) => seq).filter((seq: number) => seq > last));
    }
    await publishing;
    expect(seqs).toEqual(Array.from({ length: total }, (_, i) => i + 1));
  });
});
