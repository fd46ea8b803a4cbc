import { expect, it } from 'vitest';
import { createFirstClusterKey } from '../../src/main/engines.ts';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { NodeAuthority } from '../../src/service/cluster/nodeAuthority.ts';
import { systemClock } from '../../src/service/systemClock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';

it('a node whose lease is not valid at the end of its start waits for it, and then creates the first key', async () => {
  const store = await openSqliteStore(':memory:');
  const authority = new NodeAuthority(systemClock);
  const idempotency = { claim: async () => ({ type: 'claimed' }), release: async () => undefined };
  const engines = { nodeId: 'n1', authority, store: { ...store, idempotency } };
  const created = createFirstClusterKey(
    engines as unknown as Parameters<typeof createFirstClusterKey>[0],
    systemClock,
  );
  authority.grant({ nodeId: 'n1', epoch: 2 }, systemClock.monotonicNow());
  expect(parseApiKey((await created) ?? '')).not.toBeNull();
  await store.close();
});
