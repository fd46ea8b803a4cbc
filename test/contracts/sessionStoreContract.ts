/** The contract of every SessionStore. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionFilter } from '../../src/domain/ports/sessionStore.ts';
import type { Session } from '../../src/domain/session/session.ts';
import { SESSION_EVENT_TYPES, type SessionEvent } from '../../src/domain/session/sessionEvent.ts';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, bob, created, keep, meter, observation, observed, session } from './storeSamples.ts';

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeSessionStoreContract(store: () => Store): void {
  const kept = (...sessions: readonly Session[]): Promise<void> => keep(store(), ...sessions);

  describe('SessionStore.commit() and remove()', () => {
    it.each<[string, Session]>([
      ['active', { ...session('s'), running: 2, url: 'https://a.test/', pageTitle: 'Ünïcode 🦊' }],
      ['closed', transition(session('s'), { type: 'close', at: 2_000 })],
      ['timed out', transition(session('s'), { type: 'clock', at: 301_000 })],
      ['failed', transition(session('s'), { type: 'browser_lost', at: 2_000, reason: 'It crashed.' })],
    ])('commit() stores an %s session unchanged', async (_, given) => {
      await kept(given);
      expect(await store().sessions.load(alice.id, ['s'])).toEqual([given]);
    });

    it('commit() replaces the earlier state', async () => {
      const first = session('s');
      await kept(first, transition(first, { type: 'close', at: 5_000 }));
      const [found] = await store().sessions.load(alice.id, ['s']);
      expect(found).toMatchObject({ status: 'closed', endedAt: 5_000 });
      expect(await store().sessions.count(alice.id, null)).toBe(1);
    });

    it('remove() removes a session with its events and observation, and keeps the others', async () => {
      for (const id of ['s', 't'])
        await store().sessions.commit({
          session: session(id),
          events: [created()],
          observation: observation(id),
        });
      await store().sessions.remove(['s', 'unknown']);
      expect(await store().sessions.load(alice.id, ['s', 't'])).toMatchObject([null, { id: 't' }]);
      expect(await store().sessions.events('s', 0, 10)).toEqual([]);
      expect(await store().sessions.observations(['s', 't'])).toMatchObject([null, { sessionId: 't' }]);
      expect(await store().sessions.events('t', 0, 10)).toHaveLength(1);
    });

    it('endedBefore() returns ended sessions, the earliest end first, and no active ones', async () => {
      for (const [id, endedAt] of [
        ['late', 9_000],
        ['first', 5_000],
        ['second', 6_000],
      ] as const)
        await kept(session(id), transition(session(id), { type: 'close', at: endedAt }));
      await kept(session('active'));
      expect(await store().sessions.endedBefore(9_000, 10)).toEqual(['first', 'second']);
      expect(await store().sessions.endedBefore(10_000, 1)).toEqual(['first']);
    });

    it('endedSince() returns the sessions of the account that ended at or after a time', async () => {
      for (const [id, endedAt] of [
        ['before', 4_999],
        ['at', 5_000],
        ['after', 6_000],
      ] as const)
        await kept(session(id), transition(session(id), { type: 'close', at: endedAt }));
      await kept(session('active'));
      const ended = await store().sessions.endedSince(alice.id, 5_000);
      expect(ended.map(({ id }) => id)).toEqual(['at', 'after']);
      expect(await store().sessions.endedSince(bob.id, 5_000)).toEqual([]);
    });

    it('commit() numbers the events of a session 1, 2, 3, … across commits', async () => {
      const given = session('s');
      const first = await store().sessions.commit({ session: given, events: [created(), observed()] });
      const second = await store().sessions.commit({ session: given, events: [] });
      const third = await store().sessions.commit({ session: given, events: [observed(2)] });
      expect(first).toEqual([
        { sessionId: 's', seq: 1, accountNumber: 1, event: created() },
        { sessionId: 's', seq: 2, accountNumber: 2, event: observed() },
      ]);
      expect(second).toEqual([]);
      expect(third).toEqual([{ sessionId: 's', seq: 3, accountNumber: 3, event: observed(2) }]);
    });

    it('commit() numbers the events of each session separately', async () => {
      await store().sessions.commit({ session: session('s'), events: [created()] });
      const [other] = await store().sessions.commit({ session: session('t'), events: [created()] });
      expect(other?.seq).toBe(1);
    });

    it('commit() uses no number twice under concurrency', async () => {
      const stored = await Promise.all(
        Array.from({ length: 50 }, () =>
          store().sessions.commit({ session: session('s'), events: [observed(), observed()] }),
        ),
      );
      const seqs = stored.flat().map(event => event.seq);
      expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    });

    it('commit() writes nothing if a part of the change fails', async () => {
      const given = session('s');
      await expect(
        store().sessions.commit({ session: given, events: [created()], observation: observation('unknown') }),
      ).rejects.toThrow();
      expect(await store().sessions.load(alice.id, ['s'])).toEqual([null]);
      expect(await store().sessions.events('s', 0, 10)).toEqual([]);
      expect(await store().sessions.commit({ session: given, events: [created()] })).toMatchObject([
        { seq: 1 },
      ]);
    });

    it('commit() rejects a session of an unknown account', async () => {
      await expect(kept(session('s', 1, 'nobody'))).rejects.toThrow();
    });
  });

  it('SessionStore keeps the callers who started and closed a session, and why the service closed one', async () => {
    const by = (keyName: string) => ({ keyId: 'k', keyName, kind: 'agent' as const });
    const { sessions } = store();
    const started = { ...session('s'), startedBy: by('nightly') };
    await sessions.commit({ session: started, events: [created()] });
    const closed = transition(started, { type: 'close', at: 2_000, by: by('morning') });
    await sessions.commit({ session: closed, events: [] });
    const drained = transition(session('t'), { type: 'close', at: 2_000, reason: 'The node was drained.' });
    await sessions.commit({ session: session('t'), events: [created()] });
    await sessions.commit({ session: drained, events: [] });
    expect(await sessions.load(alice.id, ['s', 't'])).toEqual([closed, drained]);
  });

  describe('SessionStore.load()', () => {
    it('returns one result per id in the order of the ids, null for an unknown id', async () => {
      await kept(session('s'), session('t'));
      const loaded = await store().sessions.load(alice.id, ['t', 'unknown', 's', 't']);
      expect(loaded.map(each => each?.id ?? null)).toEqual(['t', null, 's', 't']);
    });

    it("never returns another account's session", async () => {
      await kept(session('s', 1, bob.id));
      expect(await store().sessions.load(alice.id, ['s'])).toEqual([null]);
    });

    it('returns an empty list for no ids', async () => {
      expect(await store().sessions.load(alice.id, [])).toEqual([]);
    });
  });

  describe('SessionStore.activeSessions()', () => {
    it('returns the active sessions of all accounts', async () => {
      await kept(session('s'), session('t', 1, bob.id), transition(session('u'), { type: 'close', at: 2 }));
      expect((await store().sessions.activeSessions()).map(each => each.id).toSorted()).toEqual(['s', 't']);
    });
  });

  it('accountIds() returns the account of each session, in the order of the ids; null for an unknown id', async () => {
    await kept(session('s'), session('t', 1, bob.id));
    expect(await store().sessions.accountIds(['t', 'unknown', 's'])).toEqual([bob.id, null, alice.id]);
  });

  it('owners() and lastNodes() return null for each id of a store without nodes', async () => {
    await kept(session('s'));
    expect(await store().sessions.owners(['s', 'unknown'])).toEqual([null, null]);
    expect(await store().sessions.lastNodes(['s', 'unknown'])).toEqual([null, null]);
  });

  it('activeMeters() returns the browser time of the active sessions of one account', async () => {
    const meter = { keyId: 'k', browserMs: 30, unchargedMs: 20, unchargedMicros: 10 };
    await store().sessions.commit({ session: session('s'), events: [created()], meter });
    await kept(session('other', 1, bob.id), transition(session('ended'), { type: 'close', at: 2 }));
    expect(await store().sessions.activeMeters(alice.id)).toEqual(new Map([['s', meter]]));
  });

  it('commit() starts exactly the maximum of active sessions of an account', async () => {
    await kept(session('other', 1, bob.id), transition(session('ended'), { type: 'close', at: 2 }));
    const started = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        store().sessions.commit({ session: session(`s${i}`), events: [created()], maxActive: 5 }),
      ),
    );
    const reasons = started.flatMap(each => (each.status === 'rejected' ? [each.reason] : []));
    expect(reasons).toHaveLength(7);
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'CONCURRENCY_LIMIT' });
    expect(await store().sessions.count(alice.id, ['active'])).toBe(5);
  });

  it('commit() checks the maximum only for a new session', async () => {
    await kept(session('s'), session('t'));
    await store().sessions.commit({ session: session('s'), events: [observed()], maxActive: 1 });
    expect(await store().sessions.events('s', 0, 9)).toHaveLength(1);
  });

  it('lastSeenAt() returns the later of recordSeen() and the last operation', async () => {
    await kept(session('s', 1_000), session('t', 2_000));
    expect(await store().sessions.lastSeenAt(['t', 's', 'nobody'])).toEqual([2_000, 1_000, null]);
    await store().sessions.recordSeen(new Map(['s', 't'].map(id => [id, meter])), 1_500);
    expect(await store().sessions.lastSeenAt(['t', 's'])).toEqual([2_000, 1_500]);
  });

  it('meters() returns the browser time of the last commit or recordSeen(), null before the first', async () => {
    await kept(session('s'));
    expect(await store().sessions.meters(['s', 'nobody'])).toEqual([null, null]);
    await store().sessions.commit({ session: session('s'), events: [], meter });
    await store().sessions.commit({ session: session('s'), events: [] });
    expect(await store().sessions.meters(['s'])).toEqual([meter]);
    const later = { ...meter, browserMs: 30, unchargedMs: 20 };
    await store().sessions.recordSeen(new Map([['s', later]]), 2_000);
    expect(await store().sessions.meters(['s'])).toEqual([later]);
    // A heartbeat that arrives after a later change must not undo it.
    await store().sessions.recordSeen(new Map([['s', meter]]), 3_000);
    expect(await store().sessions.meters(['s'])).toEqual([later]);
  });

  it('keeps how far the wall clock was set while the session ran', async () => {
    const shifted = transition(session('s'), { type: 'clock_jumped', byMs: -3_600_000 });
    await kept(shifted);
    const [loaded] = await store().sessions.load(alice.id, ['s']);
    expect(loaded?.clockShiftMs).toBe(-3_600_000);
  });

  describe('SessionStore.count()', () => {
    beforeEach(() =>
      kept(
        session('s'),
        session('t'),
        transition(session('u'), { type: 'close', at: 2 }),
        session('v', 1, bob.id),
      ),
    );
    it('counts all sessions of the account', async () => {
      expect(await store().sessions.count(alice.id, null)).toBe(3);
    });
    it('counts the sessions with the given statuses', async () => {
      expect(await store().sessions.count(alice.id, ['active'])).toBe(2);
      expect(await store().sessions.count(alice.id, ['closed', 'error'])).toBe(1);
    });
    it('returns 0 for an empty list of statuses', async () => {
      expect(await store().sessions.count(alice.id, [])).toBe(0);
    });
  });

  describe('SessionStore.observations()', () => {
    it('returns the last observation of a session, unchanged, until a change removes it', async () => {
      const given = session('s');
      await store().sessions.commit({ session: given, events: [], observation: observation('s', 'first') });
      await store().sessions.commit({ session: given, events: [], observation: observation('s') });
      await store().sessions.commit({ session: given, events: [observed()] });
      expect(await store().sessions.observations(['s'])).toEqual([observation('s')]);
      await store().sessions.commit({ session: given, events: [], observation: null });
      expect(await store().sessions.observations(['s'])).toEqual([null]);
    });

    it('returns one result per id in the order of the ids, null without an observation', async () => {
      await kept(session('t'));
      await store().sessions.commit({ session: session('s'), events: [], observation: observation('s') });
      const answered = await store().sessions.observations(['t', 's', 'unknown']);
      expect(answered.map(each => each?.sessionId ?? null)).toEqual([null, 's', null]);
    });
  });

  describe('SessionStore: events', () => {
    it('events() returns at most `limit` events after a number, in order', async () => {
      const events = [created(1), observed(2), observed(3), observed(4)];
      await store().sessions.commit({ session: session('s'), events });
      const read = await store().sessions.events('s', 1, 2);
      expect(read).toEqual([
        { sessionId: 's', seq: 2, accountNumber: 2, event: observed(2) },
        { sessionId: 's', seq: 3, accountNumber: 3, event: observed(3) },
      ]);
    });

    it('accountEvents() returns the events of all sessions of an account by their number, and no others', async () => {
      const { sessions } = store();
      await Promise.all(
        ['s', 't', 'u'].map(id => sessions.commit({ session: session(id), events: [created(), observed()] })),
      );
      await sessions.commit({ session: session('v', 1_000, bob.id), events: [created()] });
      const all = await sessions.accountEvents(alice.id, 0, 100);
      expect(all.map(({ accountNumber }) => accountNumber)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(new Set(all.map(({ sessionId }) => sessionId))).toEqual(new Set(['s', 't', 'u']));
      const some = await sessions.accountEvents(alice.id, 2, 3);
      expect(some).toEqual(all.slice(2, 5));
    });

    it('list() and count() select sessions by name, labels, key, time, node and failures', async () => {
      const { sessions } = store();
      const failed = { type: 'failed', at: 1, operation: 'step', code: 'ACTION_STALE', detail: 'x' } as const;
      const add = (id: string, fields: object, events: readonly SessionEvent[], keyId: string) =>
        sessions.commit({
          session: { ...session(id), ...fields },
          events,
          meter: { keyId, browserMs: 1, unchargedMs: 0, unchargedMicros: 0 },
        });
      await add('s', { createdAt: 10, name: 'Orders', labels: ['a', 'shop'] }, [created()], 'k1');
      await add('t', { createdAt: 20, labels: ['shop'] }, [created(), failed], 'k2');
      const found = async (filter: SessionFilter) => {
        const page = await sessions.list({
          accountId: alice.id,
          statuses: null,
          search: null,
          order: 'created_at_asc',
          limit: 9,
          after: null,
          before: null,
          filter,
        });
        const ids = page.rows.map(row => row.session.id);
        expect(await sessions.count(alice.id, null, null, filter)).toBe(ids.length);
        return ids;
      };
      expect(await found({})).toEqual(['s', 't']);
      expect(await found({ labels: ['shop'] })).toEqual(['s', 't']);
      expect(await found({ labels: ['shop', 'a'] })).toEqual(['s']);
      expect(await found({ labels: ['none'] })).toEqual([]);
      expect(await found({ name: 'orders' })).toEqual(['s']);
      expect(await found({ keyId: 'k2' })).toEqual(['t']);
      expect(await found({ createdFrom: 15 })).toEqual(['t']);
      expect(await found({ createdBefore: 20 })).toEqual(['s']);
      expect(await found({ hasFailures: true })).toEqual(['t']);
      expect(await found({ hasFailures: false })).toEqual(['s']);
      expect(await found({ node: 'elsewhere' })).toEqual([]);
    });

    it('commit() replaces the labels of a session', async () => {
      const { sessions } = store();
      await sessions.commit({ session: { ...session('s'), labels: ['a'] }, events: [created()] });
      await sessions.commit({ session: { ...session('s'), labels: ['b'] }, events: [], labelsChanged: true });
      const page = (label: string) => sessions.count(alice.id, null, null, { labels: [label] });
      expect([await page('a'), await page('b')]).toEqual([0, 1]);
    });

    it('eventsInRanges() returns one list per range, in the order of the ranges', async () => {
      await store().sessions.commit({
        session: session('s'),
        events: [created(1), observed(2), observed(3)],
      });
      await store().sessions.commit({ session: session('t'), events: [created(4), observed(5)] });
      const read = await store().sessions.eventsInRanges([
        { sessionId: 't', after: 0, upTo: 1 },
        { sessionId: 's', after: 1, upTo: 9 },
        { sessionId: 'unknown', after: 0, upTo: 9 },
        { sessionId: 's', after: 0, upTo: 1 },
      ]);
      expect(read.map(events => events.map(({ sessionId, seq }) => `${sessionId}${seq}`))).toEqual([
        ['t1'],
        ['s2', 's3'],
        [],
        ['s1'],
      ]);
    });

    it('eventsInRanges() accepts more ranges than one SQL statement can contain', async () => {
      await store().sessions.commit({ session: session('s'), events: [created(1)] });
      const ranges = Array.from({ length: 2_500 }, () => ({ sessionId: 's', after: 0, upTo: 1 }));
      const read = await store().sessions.eventsInRanges(ranges);
      expect(read.flat()).toHaveLength(2_500);
    });

    it('lastSeqs() returns the seq of the last event, in the order of the ids; 0 for an unknown id', async () => {
      await store().sessions.commit({ session: session('s'), events: [created(), observed()] });
      await store().sessions.commit({ session: session('s'), events: [observed()] });
      expect(await store().sessions.lastSeqs(['unknown', 's'])).toEqual([0, 3]);
    });

    it('eventCounts() returns counts per type, zeros included, in the order of the ids', async () => {
      await store().sessions.commit({ session: session('s'), events: [created(), observed(), observed()] });
      const [none, counts] = await store().sessions.eventCounts(['unknown', 's']);
      const zeros = Object.fromEntries(SESSION_EVENT_TYPES.map(type => [type, 0]));
      expect(none).toEqual(zeros);
      expect(counts).toEqual({ ...zeros, created: 1, observed: 2 });
    });
  });
}
