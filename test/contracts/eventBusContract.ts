/** The contract of every EventBus. */
import { setMaxListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventBus, SessionUpdate } from '../../src/domain/ports/eventBus.ts';
import { newSession } from '../../src/domain/session/session.ts';

const notice = (seq: number, accountId = 'alice', id = 's'): SessionUpdate => ({
  session: newSession({ id, accountId, at: 1, timeoutMinutes: 5 }),
  events: [{ sessionId: id, seq, event: { type: 'created', at: seq } }],
});

const seqOf = (result: IteratorResult<SessionUpdate>): number | 'end' =>
  result.done === true ? 'end' : (result.value.events[0]?.seq ?? -1);

async function take(iterator: AsyncIterator<SessionUpdate>, count: number): Promise<(number | 'end')[]> {
  const seqs: (number | 'end')[] = [];
  for (let i = 0; i < count; i += 1) seqs.push(seqOf(await iterator.next()));
  return seqs;
}

/** Runs the contract over a bus. @param queueLength maximum number of queued updates per subscriber */
export function describeEventBusContract(
  name: string,
  make: () => EventBus | Promise<EventBus>,
  queueLength: number,
): void {
  describe(`EventBus ${name}`, () => {
    let bus: EventBus;
    beforeEach(async () => {
      bus = await make();
    });

    it('sends a subscriber the updates after its subscription, in order', async () => {
      bus.publish(notice(1));
      const subscriber = bus.subscribe('alice');
      for (const seq of [2, 3, 4]) bus.publish(notice(seq));
      expect(await take(subscriber, 3)).toEqual([2, 3, 4]);
    });

    it('resolves the pending next() of a subscriber', async () => {
      const subscriber = bus.subscribe('alice');
      const waiting = [subscriber.next(), subscriber.next()];
      bus.publish(notice(1));
      bus.publish(notice(2));
      expect((await Promise.all(waiting)).map(seqOf)).toEqual([1, 2]);
    });

    it("never sends another account's updates", async () => {
      const subscriber = bus.subscribe('alice');
      bus.publish(notice(1, 'bob'));
      bus.publish(notice(2));
      expect(await take(subscriber, 1)).toEqual([2]);
    });

    it("sends a subscriber of one session that session's updates, only for the right account", async () => {
      const subscriber = bus.subscribe('alice', { sessionId: 's' });
      const stranger = bus.subscribe('bob', { sessionId: 's' });
      bus.publish(notice(1, 'alice', 'other'));
      bus.publish(notice(2));
      bus.publish(notice(3, 'bob'));
      expect(await take(subscriber, 1)).toEqual([2]);
      expect(await take(stranger, 1)).toEqual([3]);
    });

    it('keeps the last update of a session when many updates of others follow', async () => {
      const subscriber = bus.subscribe('alice', { sessionId: 's' });
      bus.publish(notice(1));
      for (let seq = 2; seq <= queueLength * 2; seq += 1) bus.publish(notice(seq, 'alice', 'other'));
      expect(await take(subscriber, 1)).toEqual([1]);
    });

    it('sends every update to every subscriber', async () => {
      const subscribers = Array.from({ length: 5 }, () => bus.subscribe('alice'));
      bus.publish(notice(1));
      bus.publish(notice(2));
      for (const subscriber of subscribers) expect(await take(subscriber, 2)).toEqual([1, 2]);
    });

    it('drops the oldest updates for a stalled subscriber only', async () => {
      const stalled = bus.subscribe('alice');
      const brisk = bus.subscribe('alice');
      const read: (number | 'end')[] = [];
      const total = queueLength * 2 + 3;
      for (let seq = 1; seq <= total; seq += 1) {
        bus.publish(notice(seq));
        read.push(...(await take(brisk, 1)));
      }
      expect(read).toEqual(Array.from({ length: total }, (_, i) => i + 1));
      const kept = Array.from({ length: queueLength }, (_, i) => total - queueLength + 1 + i);
      expect(await take(stalled, queueLength)).toEqual(kept);
      bus.publish(notice(total + 1));
      expect(await take(stalled, 1)).toEqual([total + 1]);
    });

    it('reports the number of missed updates once', async () => {
      const subscriber = bus.subscribe('alice');
      for (let seq = 1; seq <= queueLength + 3; seq += 1) bus.publish(notice(seq));
      expect((await subscriber.next()).value).toMatchObject({ missed: 3 });
      expect((await subscriber.next()).value).not.toHaveProperty('missed');
    });

    it('says when every later update will arrive', async () => {
      const subscriber = bus.subscribe('alice');
      await subscriber.started;
      bus.publish(notice(1));
      expect(await take(subscriber, 1)).toEqual([1]);
    });

    it('applies the filter before the queue', async () => {
      const wanted = ({ events }: SessionUpdate) => events[0]?.seq === 1;
      const subscriber = bus.subscribe('alice', { filter: wanted });
      for (let seq = 1; seq <= queueLength * 2; seq += 1) bus.publish(notice(seq));
      const { value } = await subscriber.next();
      expect(value?.events[0]?.seq).toBe(1);
      expect(value).not.toHaveProperty('missed');
    });

    it('subscribeLedger() sends the updates of its own account only', async () => {
      const reader = bus.subscribeLedger('alice');
      bus.publishLedgerUpdate('bob');
      bus.publishLedgerUpdate('alice');
      expect((await reader.next()).value).toBe('alice');
    });

    it('subscribeLedger() merges updates that arrive while the reader is busy', async () => {
      const leaving = new AbortController();
      const reader = bus.subscribeLedger('alice', leaving.signal);
      for (let n = 0; n < 3; n += 1) bus.publishLedgerUpdate('alice');
      expect((await reader.next()).done).toBe(false);
      const waiting = reader.next();
      leaving.abort();
      expect((await waiting).done).toBe(true);
    });

    it('return() ends the subscription, also during next()', async () => {
      const subscriber = bus.subscribe('alice');
      const waiting = subscriber.next();
      await subscriber.return?.();
      bus.publish(notice(1));
      expect(seqOf(await waiting)).toBe('end');
      expect(await take(subscriber, 2)).toEqual(['end', 'end']);
    });

    it('leaving a for-await loop ends the subscription', async () => {
      const subscriber = bus.subscribe('alice');
      bus.publish(notice(1));
      bus.publish(notice(2));
      for await (const each of subscriber) {
        expect(each.events[0]?.seq).toBe(1);
        break;
      }
      expect(await take(subscriber, 1)).toEqual(['end']);
    });

    it('an abort of the signal ends the subscription', async () => {
      const leaving = new AbortController();
      const subscriber = bus.subscribe('alice', { signal: leaving.signal });
      const waiting = subscriber.next();
      leaving.abort();
      bus.publish(notice(1));
      expect(seqOf(await waiting)).toBe('end');
    });

    it('an aborted signal ends the subscription at once', async () => {
      const subscriber = bus.subscribe('alice', { signal: AbortSignal.abort() });
      bus.publish(notice(1));
      expect(await take(subscriber, 1)).toEqual(['end']);
    });

    it('sends an update to 5,000 subscribers with one signal', async () => {
      const leaving = new AbortController();
      setMaxListeners(0, leaving.signal);
      const waiting = Array.from({ length: 5_000 }, () =>
        bus.subscribe('alice', { signal: leaving.signal }).next(),
      );
      bus.publish(notice(7));
      expect(new Set((await Promise.all(waiting)).map(seqOf))).toEqual(new Set([7]));
      leaving.abort();
    });
  });
}
