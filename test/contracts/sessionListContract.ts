/** The contract of `list` and `count` of every SessionStore. */
import { beforeEach, describe, expect, it } from 'vitest';
import { isFailure } from '../../src/domain/failure/failures.ts';
import type { SessionQuery } from '../../src/domain/ports/sessionStore.ts';
import type { Session } from '../../src/domain/session/session.ts';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, bob, keep, session } from './storeSamples.ts';

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeSessionListContract(store: () => Store): void {
  const kept = (...sessions: readonly Session[]): Promise<void> => keep(store(), ...sessions);

  describe('SessionStore.list()', () => {
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
      (await store().sessions.list(query(more))).rows.map(row => row.session.id);

    describe('with pages', () => {
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
        'pages through %s forwards and backwards without gaps or duplicates',
        async order => {
          const all = await ids({ order, limit: 10 });
          const first = await store().sessions.list(query({ order }));
          const second = await store().sessions.list(query({ order, after: first.rows[1]?.cursor ?? null }));
          const third = await store().sessions.list(query({ order, after: second.rows[1]?.cursor ?? null }));
          const back = await store().sessions.list(
            query({ order, before: third.rows[0]?.cursor ?? null, fromEnd: true }),
          );
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

      it('returns hasPrevious false for the first rows when paging backwards', async () => {
        const { rows } = await store().sessions.list(query());
        const back = await store().sessions.list(query({ before: rows[1]?.cursor ?? null, fromEnd: true }));
        expect(back.rows.map(row => row.session.id)).toEqual(['a']);
        expect(back).toMatchObject({ hasPrevious: false, hasNext: true });
      });

      it('fromEnd returns the last rows, in order', async () => {
        const last = await store().sessions.list(query({ fromEnd: true }));
        expect(last.rows.map(row => row.session.id)).toEqual(['d', 'e']);
        expect(last).toMatchObject({ hasPrevious: true, hasNext: false });
        expect(await store().sessions.list(query({ fromEnd: true, limit: 5 }))).toMatchObject({
          hasPrevious: false,
        });
      });

      it('count() counts the matches of a search on all pages', async () => {
        expect(await store().sessions.count(alice.id, null, 'C')).toBe(1);
        expect(await store().sessions.count(alice.id, [], 'c')).toBe(0);
        expect(await store().sessions.count(alice.id, null, '%')).toBe(0);
      });

      it('returns the rows between two cursors', async () => {
        const { rows } = await store().sessions.list(query({ limit: 5 }));
        const between = { after: rows[0]?.cursor ?? null, before: rows[4]?.cursor ?? null, limit: 10 };
        expect(await ids(between)).toEqual(['b', 'c', 'd']);
      });

      it('a cursor stays valid when sessions are added before it', async () => {
        const { rows } = await store().sessions.list(query());
        await kept(session('0', 1));
        expect(await ids({ after: rows[1]?.cursor ?? null })).toEqual(['c', 'd']);
      });

      it('has opaque cursors of URL-safe characters', async () => {
        for (const { cursor } of (await store().sessions.list(query({ limit: 5 }))).rows)
          expect(cursor).toMatch(/^[\w-]+$/);
      });

      it.each(['', 'nonsense', 'YWJj', '../../etc/passwd', '%00'])(
        'refuses the cursor %j as VALIDATION_ERROR at its argument',
        async cursor => {
          for (const path of ['after', 'before'] as const) {
            const refused = await store()
              .sessions.list(query({ [path]: cursor }))
              .catch((error: unknown) => error);
            expect(isFailure(refused, 'VALIDATION_ERROR') && refused.context.errors).toMatchObject([
              { path },
            ]);
          }
        },
      );

      it('rejects a cursor of another order', async () => {
        const { rows } = await store().sessions.list(query());
        const other = query({ order: 'last_accessed_at_desc', after: rows[0]?.cursor ?? null });
        await expect(store().sessions.list(other)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      });
    });

    it("never lists another account's sessions", async () => {
      await kept(session('s', 1, bob.id));
      expect(await ids({})).toEqual([]);
    });

    it('lists only the given statuses', async () => {
      await kept(session('s'), transition(session('t'), { type: 'close', at: 2 }));
      expect(await ids({ statuses: ['closed'] })).toEqual(['t']);
      expect(await ids({ statuses: [] })).toEqual([]);
    });

    it('rejects a search longer than 1,000 characters with VALIDATION_ERROR for its argument', async () => {
      expect(await ids({ search: 'x'.repeat(1_000) })).toEqual([]);
      const refused = await ids({ search: 'x'.repeat(1_001) }).catch((error: unknown) => error);
      expect(isFailure(refused, 'VALIDATION_ERROR') && refused.context.errors).toMatchObject([
        { path: 'search' },
      ]);
    });

    describe('with a search', () => {
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
}
