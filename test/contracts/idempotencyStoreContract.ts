/** The contract of every IdempotencyStore. */
import { describe, expect, it } from 'vitest';
import type { IdempotencyClaim } from '../../src/domain/ports/nodes.ts';
import type { TestCluster } from './clusterNodes.ts';

const claim: IdempotencyClaim = { accountId: 'account-a', key: 'k', inputHash: 'h' };
const response = new Uint8Array([0, 1, 255]);

/** @param cluster the cluster of the running test; `one` and `other` are registered */
export function describeIdempotencyStoreContract(cluster: () => TestCluster): void {
  const of = (node: 'one' | 'other') => cluster()[node].store.idempotency;
  const epoch = (node: 'one' | 'other') => cluster()[node].epoch;
  const claimAs = (node: 'one' | 'other', given = claim) => of(node).claim(given, epoch(node));

  describe('IdempotencyStore', () => {
    it('gives a key to one of many requests on all nodes', async () => {
      const states = await Promise.all(
        Array.from({ length: 20 }, (_, i) => claimAs(i % 2 === 0 ? 'one' : 'other')),
      );
      expect(states.filter(({ type }) => type === 'claimed')).toHaveLength(1);
      expect(states.filter(({ type }) => type === 'running')).toHaveLength(19);
    });

    it('names the node that runs the operation', async () => {
      await claimAs('one');
      expect(await claimAs('other')).toEqual({ type: 'running', owner: epoch('one') });
    });

    it('returns the stored response on every node, byte by byte', async () => {
      await claimAs('one');
      expect(await of('one').complete(claim, epoch('one'), response)).toBe(true);
      const state = await claimAs('other');
      expect(state.type === 'done' ? [...state.response] : state).toEqual([...response]);
    });

    it('says that a key stands for another request', async () => {
      await claimAs('one');
      expect(await claimAs('other', { ...claim, inputHash: 'x' })).toEqual({ type: 'reused' });
    });

    it('keeps the keys of each account apart', async () => {
      await claimAs('one');
      expect(await claimAs('one', { ...claim, accountId: 'account-b' })).toEqual({ type: 'claimed' });
    });

    it('frees a released key', async () => {
      await claimAs('one');
      await of('one').release(claim, epoch('one'));
      expect(await claimAs('other')).toEqual({ type: 'claimed' });
    });

    it('lets no other node complete or release a claim', async () => {
      await claimAs('one');
      await of('other').complete(claim, epoch('other'), response);
      await of('other').release(claim, epoch('other'));
      expect(await claimAs('other')).toEqual({ type: 'running', owner: epoch('one') });
    });

    it('keeps a response that is stored already', async () => {
      await claimAs('one');
      await of('one').complete(claim, epoch('one'), response);
      await of('one').release(claim, epoch('one'));
      expect(await of('one').complete(claim, epoch('one'), new Uint8Array([9]))).toBe(true);
      expect(await claimAs('one')).toMatchObject({ type: 'done', response: Buffer.from(response) });
    });

    it('says that an outcome is unknown when the node has ended, and stores nothing of it later', async () => {
      const { one } = cluster();
      const lost = { ...one.epoch };
      await claimAs('one');
      await one.store.nodes.release(lost);
      expect(await of('one').complete(claim, lost, response)).toBe(false);
      await of('one').release(claim, lost);
      expect(await claimAs('other')).toEqual({ type: 'running', owner: null });
    });

    it('frees an expired key, and a lost one ten minutes after its node', async () => {
      const { shared, one } = cluster();
      await claimAs('one');
      await of('one').complete(claim, epoch('one'), response);
      await shared.outside.query(`update idempotency_keys set expires_at = expires_at - interval '601 s'`);
      expect(await claimAs('other')).toEqual({ type: 'claimed' });
      const second = { ...claim, key: 'second' };
      await claimAs('one', second);
      await one.store.nodes.release(one.epoch);
      await shared.outside.query(`update nodes set ended_at = ended_at - interval '601 s'`);
      expect(await claimAs('other', second)).toEqual({ type: 'claimed' });
    });

    it('removeExpired() removes expired responses, and the oldest of an account beyond 16 MB', async () => {
      const { shared } = cluster();
      const keys = ['old', 'middle', 'young', 'expired'];
      for (const [i, key] of keys.entries()) {
        await claimAs('one', { ...claim, key });
        await of('one').complete(
          { ...claim, key },
          epoch('one'),
          new Uint8Array(key === 'expired' ? 1 : 6e6),
        );
        const shift = key === 'expired' ? '-1 day' : `${i} seconds`;
        await shared.outside.query(
          `update idempotency_keys set expires_at = expires_at + $1::interval where key = $2`,
          [shift, key],
        );
      }
      await of('other').removeExpired();
      const { rows } = await shared.outside.query('select key from idempotency_keys order by key');
      expect(rows.map(({ key }) => key)).toEqual(['middle', 'young']);
    });
  });
}
