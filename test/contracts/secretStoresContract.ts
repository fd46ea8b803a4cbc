/** The contract of every ProfileStore and VaultStore. */
import { describe, expect, it } from 'vitest';
import type { ProfileVersion } from '../../src/domain/ports/accountStore.ts';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, bob, created, session } from './storeSamples.ts';

const version = (number: number, name = 'shop'): ProfileVersion => ({
  name,
  version: number,
  savedAt: 1_785_000_000_000 + number,
  bytes: 1_234_567,
  origins: ['https://a.test', 'ä.test'],
});

/** @param store the store of the running test, empty but for the accounts `alice` and `bob` */
export function describeSecretStoresContract(store: () => Store): void {
  describe('ProfileStore', () => {
    it('keeps the last five versions of a profile, of one account, until the profile is removed', async () => {
      const { profiles } = store();
      expect([await profiles.latest(alice.id, 'shop'), await profiles.list(alice.id)]).toEqual([null, []]);
      for (const number of [1, 2, 3, 4, 5, 6])
        await profiles.save(alice.id, version(number), `sealed ${number}`);
      await profiles.save(alice.id, version(6), 'sealed again');
      await profiles.save(alice.id, { ...version(1, 'bank'), origins: [] }, 'of the bank');
      expect(await profiles.latest(alice.id, 'shop')).toEqual({ version: 6, sealed: 'sealed again' });
      expect(await profiles.find(alice.id, 'shop', 2)).toBe('sealed 2');
      expect(await profiles.find(alice.id, 'shop', 1)).toBe(null);
      const shop = [6, 5, 4, 3, 2].map(number => version(number));
      expect(await profiles.list(alice.id)).toEqual([...shop, { ...version(1, 'bank'), origins: [] }]);
      expect(await profiles.list(bob.id)).toEqual([]);
      expect(await profiles.remove(bob.id, 'shop')).toBe(false);
      expect(await profiles.remove(alice.id, 'shop')).toBe(true);
      expect((await profiles.list(alice.id)).map(({ name }) => name)).toEqual(['bank']);
    });

    it('has one writer of a profile, of those that ask at once too, until the writer lets go or its session has ended', async () => {
      const { profiles, sessions } = store();
      const acquire = (id: string, now = 1_000) => profiles.acquire(alice.id, 'shop', id, now);
      const ids = ['s1', 's2', 's3'];
      for (const id of ids) await sessions.commit({ session: session(id), events: [created()] });
      const answers = await Promise.all(ids.map(id => acquire(id)));
      const writer = ids[answers.indexOf(null)] ?? '';
      expect(answers.filter(each => each !== null)).toEqual([writer, writer]);
      expect(await profiles.acquire(bob.id, 'shop', 'of bob', 1_000)).toBe(null);
      // However long ago it began.
      expect(await acquire('s4', 9_000_000)).toBe(writer);
      await profiles.release(alice.id, 'shop', 's4');
      expect(await acquire('s4')).toBe(writer);
      await profiles.release(alice.id, 'shop', writer);
      expect(await acquire(writer)).toBe(null);
      const ended = transition(session(writer), { type: 'browser_lost', at: 2_000, reason: 'Killed.' });
      await sessions.commit({ session: ended, events: [] });
      expect(await acquire('starting', 3_000)).toBe(null);
      // A session that starts is in no store yet. One that never came to it is a writer for two minutes.
      expect(await acquire('s4', 122_000)).toBe('starting');
      expect(await acquire('s4', 124_000)).toBe(null);
    });
  });

  it('VaultStore keeps the entries of an account, replaces one of the same name, and removes it', async () => {
    const { vault } = store();
    const entry = {
      name: 'shop',
      fields: ['username', 'password'],
      origins: ['https://a.test', 'https://b.test'],
      savedAt: 1_785_000_000_000,
    } as const;
    await vault.save(alice.id, entry, 'sealed');
    await vault.save(alice.id, { ...entry, name: 'bank' }, 'other');
    await vault.recordUse(alice.id, 'shop', 1_785_000_000_001);
    const used = { ...entry, usedAt: 1_785_000_000_001 };
    expect(await vault.find(alice.id, 'shop')).toEqual({ entry: used, sealed: 'sealed' });
    await vault.save(alice.id, { ...entry, fields: ['totp'], savedAt: 7 }, 'replaced');
    expect(await vault.find(alice.id, 'shop')).toMatchObject({
      entry: { fields: ['totp'], savedAt: 7 },
      sealed: 'replaced',
    });
    expect((await vault.list(alice.id)).map(({ name }) => name)).toEqual(['bank', 'shop']);
    expect([await vault.find(bob.id, 'shop'), await vault.list(bob.id)]).toEqual([null, []]);
    expect(await vault.remove(bob.id, 'shop')).toBe(false);
    expect(await vault.remove(alice.id, 'shop')).toBe(true);
    expect(await vault.find(alice.id, 'shop')).toBe(null);
  });
}
