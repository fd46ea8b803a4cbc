/** What every store does, whichever database is under it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account, ApiKey } from '../../src/domain/account.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/action.ts';
import { SESSION_EVENT_TYPES, type SessionEvent } from '../../src/domain/events.ts';
import { isFailure } from '../../src/domain/failures.ts';
import type { KeptObservation, SessionQuery } from '../../src/domain/ports.ts';
import { newSession, type Session, transition } from '../../src/domain/session.ts';
import type { Store } from '../../src/store/sqlite.ts';

const alice: Account = { id: 'account-a', name: 'alice', tier: 'free', createdAt: 1 };
const bob: Account = { id: 'account-b', name: 'bob', tier: 'local', createdAt: 2 };

const session = (id: string, at = 1_000, accountId = alice.id) =>
  newSession({ id, accountId, at, timeoutMinutes: 5 });

const created = (at = 1_000): SessionEvent => ({ type: 'created', at });
const observed = (at = 1_001): SessionEvent => ({ type: 'observed', at, url: 'https://a.test/', actions: 3 });

const observation = (sessionId: string, title = 'A page'): KeptObservation => ({
  sessionId,
  observedAt: 1_002,
  url: 'https://a.test/',
  title,
  httpStatus: 200,
  space: {
    description: 'A page with “quotes”, \u0000 and 🦊',
    category: 'form',
    actions: SPECIAL_ACTIONS.slice(0, 2),
    specialActions: SPECIAL_ACTIONS,
    browserActions: [],
    totalActions: 2,
    truncated: false,
    dialog: { kind: 'prompt', message: 'Name?', defaultValue: null },
  },
});

const key = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id,
  accountId: alice.id,
  name: 'laptop',
  prefix: 'psk_abcdef',
  hash: `hash-of-${id}`,
  scopes: ['read', 'operate'],
  createdAt: 10,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  spentMicros: 0,
  spendCapMicros: null,
  ...more,
});

/** Runs the contract over a store; `open` makes an empty one. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(`a store on ${name}`, () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
      await store.accounts.createAccount(alice);
      await store.accounts.createAccount(bob);
    });
    afterEach(() => store.close());

    const kept = async (...sessions: readonly Session[]): Promise<void> => {
      for (const each of sessions) await store.sessions.commit({ session: each, events: [] });
    };

    describe('committing a session', () => {
      it.each<[string, Session]>([
        ['active', { ...session('s'), running: 2, url: 'https://a.test/', pageTitle: 'Ünïcode 🦊' }],
        ['closed', transition(session('s'), { type: 'close', at: 2_000 })],
        ['timed out', transition(session('s'), { type: 'clock', at: 301_000 })],
        ['failed', transition(session('s'), { type: 'browser_lost', at: 2_000, reason: 'It crashed.' })],
      ])('gives an %s one back as it was', async (_, given) => {
        await kept(given);
        expect(await store.sessions.load(alice.id, ['s'])).toEqual([given]);
      });

      it('replaces what it said before', async () => {
        const first = session('s');
        await kept(first, transition(first, { type: 'close', at: 5_000 }));
        expect(await store.sessions.load(alice.id, ['s'])).toMatchObject([
          { status: 'closed', endedAt: 5_000 },
        ]);
        expect(await store.sessions.count(alice.id, null)).toBe(1);
      });

      it('is removed with its events and its observation, and others stay', async () => {
        for (const id of ['s', 't'])
          await store.sessions.commit({
            session: session(id),
            events: [created()],
            observation: observation(id),
          });
        await store.sessions.remove(['s', 'unknown']);
        expect(await store.sessions.load(alice.id, ['s', 't'])).toMatchObject([null, { id: 't' }]);
        expect(await store.sessions.events('s', 0, 10)).toEqual([]);
        expect(await store.sessions.observations(['s', 't'])).toMatchObject([null, { sessionId: 't' }]);
        expect(await store.sessions.events('t', 0, 10)).toHaveLength(1);
      });

      it('is found by the time of its end, the longest ended first, and not while it is active', async () => {
        for (const [id, endedAt] of [
          ['late', 9_000],
          ['first', 5_000],
          ['second', 6_000],
        ] as const)
          await kept(session(id), transition(session(id), { type: 'close', at: endedAt }));
        await kept(session('active'));
        expect(await store.sessions.endedBefore(9_000, 10)).toEqual(['first', 'second']);
        expect(await store.sessions.endedBefore(10_000, 1)).toEqual(['first']);
      });

      it('numbers its events from 1, rising by one from commit to commit', async () => {
        const given = session('s');
        const first = await store.sessions.commit({ session: given, events: [created(), observed()] });
        const second = await store.sessions.commit({ session: given, events: [] });
        const third = await store.sessions.commit({ session: given, events: [observed(2)] });
        expect(first).toEqual([
          { sessionId: 's', seq: 1, event: created() },
          { sessionId: 's', seq: 2, event: observed() },
        ]);
        expect(second).toEqual([]);
        expect(third).toEqual([{ sessionId: 's', seq: 3, event: observed(2) }]);
      });

      it('numbers the events of each session by themselves', async () => {
        await store.sessions.commit({ session: session('s'), events: [created()] });
        const [other] = await store.sessions.commit({ session: session('t'), events: [created()] });
        expect(other?.seq).toBe(1);
      });

      it('gives no number twice when commits come at once', async () => {
        const stored = await Promise.all(
          Array.from({ length: 50 }, () =>
            store.sessions.commit({ session: session('s'), events: [observed(), observed()] }),
          ),
        );
        const seqs = stored.flat().map(event => event.seq);
        expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
      });

      it('writes nothing of a change that cannot be written whole', async () => {
        const given = session('s');
        await expect(
          store.sessions.commit({ session: given, events: [created()], observation: observation('unknown') }),
        ).rejects.toThrow();
        expect(await store.sessions.load(alice.id, ['s'])).toEqual([null]);
        expect(await store.sessions.events('s', 0, 10)).toEqual([]);
        expect(await store.sessions.commit({ session: given, events: [created()] })).toMatchObject([
          { seq: 1 },
        ]);
      });

      it('refuses a session of an account that is not there', async () => {
        await expect(kept(session('s', 1, 'nobody'))).rejects.toThrow();
      });
    });

    describe('loading sessions', () => {
      it('answers in the order of the ids, null where there is none, as often as it is asked', async () => {
        await kept(session('s'), session('t'));
        const loaded = await store.sessions.load(alice.id, ['t', 'unknown', 's', 't']);
        expect(loaded.map(each => each?.id ?? null)).toEqual(['t', null, 's', 't']);
      });

      it("never gives another account's session", async () => {
        await kept(session('s', 1, bob.id));
        expect(await store.sessions.load(alice.id, ['s'])).toEqual([null]);
      });

      it('answers no ids with nothing', async () => {
        expect(await store.sessions.load(alice.id, [])).toEqual([]);
      });
    });

    describe('the active sessions', () => {
      it('are those of every account that have not ended', async () => {
        await kept(session('s'), session('t', 1, bob.id), transition(session('u'), { type: 'close', at: 2 }));
        expect((await store.sessions.active()).map(each => each.id).toSorted()).toEqual(['s', 't']);
      });
    });

    it('tells when sessions were last known to live: by a look, or by what was done in them', async () => {
      await kept(session('s', 1_000), session('t', 2_000));
      expect(await store.sessions.lastSeen(['t', 's', 'nobody'])).toEqual([2_000, 1_000, null]);
      await store.sessions.seen(['s', 't'], 1_500);
      expect(await store.sessions.lastSeen(['t', 's'])).toEqual([2_000, 1_500]);
    });

    describe('counting sessions', () => {
      beforeEach(() =>
        kept(
          session('s'),
          session('t'),
          transition(session('u'), { type: 'close', at: 2 }),
          session('v', 1, bob.id),
        ),
      );
      it('counts all of the account', async () => {
        expect(await store.sessions.count(alice.id, null)).toBe(3);
      });
      it('counts those with the statuses', async () => {
        expect(await store.sessions.count(alice.id, ['active'])).toBe(2);
        expect(await store.sessions.count(alice.id, ['closed', 'error'])).toBe(1);
      });
      it('counts none for no status', async () => {
        expect(await store.sessions.count(alice.id, [])).toBe(0);
      });
    });

    describe('listing sessions', () => {
      const query = (more: Partial<SessionQuery> = {}): SessionQuery => ({
        accountId: alice.id,
        statuses: null,
        search: null,
        order: 'created_at_asc',
        limit: 2,
        after: null,
        before: null,
        ...more,
      });
      const ids = async (more: Partial<SessionQuery>) =>
        (await store.sessions.list(query(more))).rows.map(row => row.session.id);

      describe('page by page', () => {
        // b and c were created in the same millisecond: the id breaks the tie.
        beforeEach(() =>
          kept(session('e', 40), session('c', 20), session('a', 10), session('b', 20), session('d', 30)),
        );

        it.each<[SessionQuery['order'], string[]]>([
          ['created_at_asc', ['a', 'b', 'c', 'd', 'e']],
          ['created_at_desc', ['e', 'd', 'c', 'b', 'a']],
          ['last_accessed_at_desc', ['e', 'd', 'c', 'b', 'a']],
        ])('orders by %s', async (order, expected) => {
          expect(await ids({ order, limit: 10 })).toEqual(expected);
        });

        it.each<SessionQuery['order']>(['created_at_asc', 'created_at_desc', 'last_accessed_at_desc'])(
          'walks forward through %s, each row once, and back the same way',
          async order => {
            const all = await ids({ order, limit: 10 });
            const first = await store.sessions.list(query({ order }));
            const second = await store.sessions.list(query({ order, after: first.rows[1]?.cursor ?? null }));
            const third = await store.sessions.list(query({ order, after: second.rows[1]?.cursor ?? null }));
            const back = await store.sessions.list(query({ order, before: third.rows[0]?.cursor ?? null }));
            const pages = [first, second, third];
            expect(pages.flatMap(page => page.rows.map(row => row.session.id))).toEqual(all);
            expect(pages.map(page => [page.hasPrevious, page.hasNext])).toEqual([
              [false, true],
              [true, true],
              [true, false],
            ]);
            expect(back).toEqual(second);
          },
        );

        it('says that nothing lies before the first rows when walking back', async () => {
          const { rows } = await store.sessions.list(query());
          const back = await store.sessions.list(query({ before: rows[1]?.cursor ?? null }));
          expect(back.rows.map(row => row.session.id)).toEqual(['a']);
          expect(back).toMatchObject({ hasPrevious: false, hasNext: true });
        });

        it('answers the last rows of all, in the order', async () => {
          const last = await store.sessions.list(query({ fromEnd: true }));
          expect(last.rows.map(row => row.session.id)).toEqual(['d', 'e']);
          expect(last).toMatchObject({ hasPrevious: true, hasNext: false });
          expect(await store.sessions.list(query({ fromEnd: true, limit: 5 }))).toMatchObject({
            hasPrevious: false,
          });
        });

        it('counts what a search finds, on all pages', async () => {
          expect(await store.sessions.count(alice.id, null, 'C')).toBe(1);
          expect(await store.sessions.count(alice.id, [], 'c')).toBe(0);
          expect(await store.sessions.count(alice.id, null, '%')).toBe(0);
        });

        it('answers the rows between two cursors', async () => {
          const { rows } = await store.sessions.list(query({ limit: 5 }));
          const between = { after: rows[0]?.cursor ?? null, before: rows[4]?.cursor ?? null, limit: 10 };
          expect(await ids(between)).toEqual(['b', 'c', 'd']);
        });

        it('keeps its place when sessions are added before it', async () => {
          const { rows } = await store.sessions.list(query());
          await kept(session('0', 1));
          expect(await ids({ after: rows[1]?.cursor ?? null })).toEqual(['c', 'd']);
        });

        it('has cursors that are opaque and fit into an address', async () => {
          for (const { cursor } of (await store.sessions.list(query({ limit: 5 }))).rows)
            expect(cursor).toMatch(/^[\w-]+$/);
        });

        it.each(['', 'nonsense', 'YWJj', '../../etc/passwd', '%00'])(
          'refuses the cursor %j as VALIDATION_ERROR at its argument',
          async cursor => {
            for (const path of ['after', 'before'] as const) {
              const refused = await store.sessions
                .list(query({ [path]: cursor }))
                .catch((error: unknown) => error);
              expect(isFailure(refused, 'VALIDATION_ERROR') && refused.facts.errors).toMatchObject([
                { path },
              ]);
            }
          },
        );

        it('refuses a cursor of another order', async () => {
          const { rows } = await store.sessions.list(query());
          const other = query({ order: 'last_accessed_at_desc', after: rows[0]?.cursor ?? null });
          await expect(store.sessions.list(other)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
        });
      });

      it("never lists another account's sessions", async () => {
        await kept(session('s', 1, bob.id));
        expect(await ids({})).toEqual([]);
      });

      it('lists only the wanted statuses', async () => {
        await kept(session('s'), transition(session('t'), { type: 'close', at: 2 }));
        expect(await ids({ statuses: ['closed'] })).toEqual(['t']);
        expect(await ids({ statuses: [] })).toEqual([]);
      });

      it('refuses a search longer than 1,000 characters as VALIDATION_ERROR at its argument', async () => {
        expect(await ids({ search: 'x'.repeat(1_000) })).toEqual([]);
        const refused = await ids({ search: 'x'.repeat(1_001) }).catch((error: unknown) => error);
        expect(isFailure(refused, 'VALIDATION_ERROR') && refused.facts.errors).toMatchObject([
          { path: 'search' },
        ]);
      });

      describe('by a search', () => {
        beforeEach(() =>
          kept(
            { ...session('plain', 1), url: 'https://shop.test/a_b', pageTitle: 'Schöne ÄPFEL' },
            { ...session('other', 2), url: 'https://shop.test/axb', pageTitle: '50% off \\ today' },
            session('blank', 3),
          ),
        );

        it.each([
          ['SHOP.test', ['plain', 'other']],
          ['äpfel', ['plain']],
          ['BLAN', ['blank']],
          ['a_b', ['plain']],
          ['50%', ['other']],
          ['f \\ t', ['other']],
          ['%', ['other']],
          ["' or 1=1 --", []],
          ['', ['plain', 'other', 'blank']],
        ])('for %j finds %j', async (search, expected) => {
          expect(await ids({ search, limit: 10 })).toEqual(expected);
        });
      });
    });

    describe('the last observation', () => {
      it('is kept as it was made, one a session', async () => {
        const given = session('s');
        await store.sessions.commit({ session: given, events: [], observation: observation('s', 'first') });
        await store.sessions.commit({ session: given, events: [], observation: observation('s') });
        await store.sessions.commit({ session: given, events: [observed()] });
        expect(await store.sessions.observations(['s'])).toEqual([observation('s')]);
      });

      it('is answered in the order of the ids, null where nothing was observed', async () => {
        await kept(session('t'));
        await store.sessions.commit({ session: session('s'), events: [], observation: observation('s') });
        const answered = await store.sessions.observations(['t', 's', 'unknown']);
        expect(answered.map(each => each?.sessionId ?? null)).toEqual([null, 's', null]);
      });
    });

    describe('the events', () => {
      it('are read after a number, rising, as many as asked for', async () => {
        const events = [created(1), observed(2), observed(3), observed(4)];
        await store.sessions.commit({ session: session('s'), events });
        const read = await store.sessions.events('s', 1, 2);
        expect(read).toEqual([
          { sessionId: 's', seq: 2, event: observed(2) },
          { sessionId: 's', seq: 3, event: observed(3) },
        ]);
      });

      it('are counted by type, zero where there is none, in the order of the ids', async () => {
        await store.sessions.commit({ session: session('s'), events: [created(), observed(), observed()] });
        const [none, counts] = await store.sessions.eventCounts(['unknown', 's']);
        const zeros = Object.fromEntries(SESSION_EVENT_TYPES.map(type => [type, 0]));
        expect(none).toEqual(zeros);
        expect(counts).toEqual({ ...zeros, created: 1, observed: 2 });
      });
    });

    describe('accounts', () => {
      it('are answered in the order of the ids, null where there is none', async () => {
        expect(await store.accounts.accounts([bob.id, 'nobody', alice.id])).toEqual([bob, null, alice]);
      });

      it('are found by name, the oldest first', async () => {
        await store.accounts.createAccount({ ...alice, id: 'younger', createdAt: 5 });
        expect(await store.accounts.findAccount('alice')).toEqual(alice);
        expect(await store.accounts.findAccount('carol')).toBeNull();
      });
    });

    describe('keys', () => {
      it('are found by their hash, as they were made', async () => {
        const given = key('k', { expiresAt: 99, scopes: ['admin'] });
        await store.accounts.createKey(given);
        expect(await store.accounts.keyByHash(given.hash)).toEqual(given);
        expect(await store.accounts.keyByHash('unknown')).toBeNull();
      });

      it('are listed by account, the oldest first', async () => {
        await store.accounts.createKey(key('young', { createdAt: 20 }));
        await store.accounts.createKey(key('old', { createdAt: 10 }));
        await store.accounts.createKey(key('other', { accountId: bob.id }));
        expect((await store.accounts.keys(alice.id)).map(each => each.id)).toEqual(['old', 'young']);
      });

      it('are never stored twice with one hash', async () => {
        await store.accounts.createKey(key('k'));
        await expect(store.accounts.createKey(key('l', { hash: key('k').hash }))).rejects.toThrow();
      });

      it('are revoked once: the time of the first stays', async () => {
        await store.accounts.createKey(key('k'));
        expect(await store.accounts.revokeKey(alice.id, 'k', 50)).toEqual(key('k', { revokedAt: 50 }));
        expect(await store.accounts.revokeKey(alice.id, 'k', 60)).toEqual(key('k', { revokedAt: 50 }));
      });

      it('are revoked by their own account only', async () => {
        await store.accounts.createKey(key('k'));
        expect(await store.accounts.revokeKey(bob.id, 'k', 50)).toBeNull();
        expect(await store.accounts.keyByHash(key('k').hash)).toEqual(key('k'));
      });

      it('keep the time of their latest use', async () => {
        await store.accounts.createKey(key('k'));
        await store.accounts.keyUsed('k', 80);
        await store.accounts.keyUsed('k', 70);
        expect(await store.accounts.keyByHash(key('k').hash)).toMatchObject({ lastUsedAt: 80 });
      });
    });
  });
}
