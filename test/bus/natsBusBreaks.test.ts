import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { alice, bob, created, observed } from '../contracts/storeSamples.ts';
import { natsIsMissing } from '../support/startNats.ts';
import { becomes, closed, cut, ended, live, restore, take, useBusNodes } from './busNodes.ts';

describe.skipIf(natsIsMissing)(
  `over a nats-server whose connections break${natsIsMissing ? ` (${natsIsMissing})` : ''}`,
  () => {
    const nodes = useBusNodes();

    it('after a break of NATS, sends every event of every node once and in order, statuses included', async () => {
      const [a, b] = [await nodes.startNode(), await nodes.startNode()];
      const everything = b.bus.subscribe(alice.id);
      const one = b.bus.subscribe(alice.id, { sessionId: 's' });
      await one.started;
      const [s, t] = [live('s'), live('t')];
      await a.change(s, created(Date.now()));
      expect(await take(everything, 1)).toEqual(['s 1 created active']);
      await nodes.nats.stop();
      await Promise.all([becomes(a, false), becomes(b, false)]);
      await a.change(s, observed(Date.now()));
      await a.change(t, created(Date.now()));
      await a.change(closed(t), ended());
      await b.change(live('u'), created(Date.now()));
      await nodes.nats.restart();
      await Promise.all([becomes(a, true), becomes(b, true)]);
      await a.change(closed(s), ended());
      const events = await take(everything, 5);
      expect(events.filter(each => each.startsWith('s'))).toEqual([
        's 2 observed active',
        's 3 ended closed',
      ]);
      expect(events.filter(each => each.startsWith('t'))).toEqual(['t 1 created active', 't 2 ended closed']);
      expect(events.filter(each => each.startsWith('u'))).toEqual(['u 1 created active']);
      expect(await take(one, 3)).toEqual(['s 1 created active', 's 2 observed active', 's 3 ended closed']);
      await a.change(live('v'), created(Date.now()));
      expect(await take(everything, 1)).toEqual(['v 1 created active']);
    });

    it("after a break of the publisher's connection only, the other nodes read what it published", async () => {
      const [a, b] = [await nodes.startNode(), await nodes.startNode()];
      const subscriber = b.bus.subscribe(alice.id);
      await subscriber.started;
      await cut(a);
      const given = live('s');
      await a.change(given, created(Date.now()));
      await a.change(closed(given), ended());
      await restore(a);
      expect(await take(subscriber, 2)).toEqual(['s 1 created active', 's 2 ended closed']);
    });

    it('sends every event once and in order of seq while connections break again and again under a steady flow', async () => {
      const [a, b] = [await nodes.startNode(), await nodes.startNode()];
      const subscriber = b.bus.subscribe(alice.id);
      await subscriber.started;
      const given = live('s');
      const total = 120;
      let isDone = false;
      const publish = async (): Promise<void> => {
        await a.change(given, created(Date.now()));
        for (let n = 2; n <= total; n += 1) {
          await a.change(given, observed(Date.now()));
          await turn();
        }
        isDone = true;
      };
      const publishing = publish();
      // The subscriber's connection, the publisher's, and both; the last break ends after the last event.
      for (const broken of [[b], [a], [a, b], [b]]) {
        await Promise.all(broken.map(cut));
        if (broken.length === 1 && broken[0] === b) await a.change(live('t'), observed(Date.now()));
        await Promise.all(broken.map(restore));
      }
      await publishing;
      await cut(b);
      await a.change(closed(given), ended());
      await restore(b);
      expect(isDone).toBe(true);
      const seqs: number[] = [];
      while (seqs.at(-1) !== total + 1) {
        const { value } = await subscriber.next();
        if (value.session.id === 's') seqs.push(...value.events.map(({ seq }: { seq: number }) => seq));
      }
      expect(seqs).toEqual(Array.from({ length: total + 1 }, (_, i) => i + 1));
    });

    it('after a break, reads the store only when the server knows of the subscriptions again, from the first break on', async () => {
      const [a, b] = [await nodes.startNode(), await nodes.startNode()];
      const subscriber = b.bus.subscribe(alice.id);
      await subscriber.started;
      await cut(b);
      await a.change(live('s'), created(Date.now()));
      const { endedSince } = nodes.store.sessions;
      let reads = 0;
      nodes.store.sessions.endedSince = (...args) => {
        reads += 1;
        return endedSince(...args);
      };
      const flushes: PromiseWithResolvers<void>[] = [];
      const { client } = b.connection;
      client.flush = () => {
        const flush = Promise.withResolvers<void>();
        flushes.push(flush);
        return flush.promise;
      };
      await restore(b);
      // The connection breaks again before the server has confirmed: this return reads nothing.
      await cut(b);
      flushes[0]?.reject(new Error('The connection was lost.'));
      await turn();
      await restore(b);
      await turn();
      expect([flushes.length, reads]).toEqual([2, 0]);
      flushes[1]?.resolve();
      expect(await take(subscriber, 1)).toEqual(['s 1 created active']);
      expect(reads).toBe(1);
    });

    it('after a break, a store that fails at first is read again', async () => {
      const [a, b] = [await nodes.startNode(), await nodes.startNode()];
      const subscriber = b.bus.subscribe(alice.id);
      await subscriber.started;
      await cut(b);
      await a.change(live('s'), created(Date.now()));
      const { endedSince } = nodes.store.sessions;
      let failures = 0;
      nodes.store.sessions.endedSince = async (...args) => {
        failures += 1;
        if (failures === 1) throw new Error('The database is away.');
        return endedSince(...args);
      };
      await restore(b);
      expect(await take(subscriber, 1)).toEqual(['s 1 created active']);
      expect(failures).toBe(2);
    });

    it('sends ledger updates to the subscribers of every node, also after a break', async () => {
      const [a, b] = [await nodes.startNode(), await nodes.startNode()];
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
  },
);
