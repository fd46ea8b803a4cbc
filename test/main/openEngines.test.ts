import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ClusterEngines, openEngines } from '../../src/main/engines.ts';
import { dataFolder } from '../../src/store/files/dataFolder.ts';
import { startNats } from '../support/startNats.ts';
import { enginesMissing } from '../support/startNodes.ts';
import { createTestDatabase } from '../support/startPostgres.ts';

it.skipIf(enginesMissing !== null)(
  'two clusters with one NATS server start their sessions on their own nodes, and say what is wrong',
  async () => {
    await using resources = new AsyncDisposableStack();
    const nats = await startNats();
    resources.use(nats);
    const folder = await mkdtemp(join(tmpdir(), 'pagespace-engines-'));
    resources.defer(() => rm(folder, { recursive: true }));
    const open = async (warn: (message: string) => void): Promise<ClusterEngines> => {
      const { url } = await createTestDatabase();
      const config = {
        databaseUrl: url,
        natsUrl: nats.url,
        natsCredentials: null,
        natsCa: null,
        nodeId: 'n1',
      };
      const { cluster } = await openEngines(config, dataFolder(folder), resources, warn);
      if (cluster === null) throw new Error('These are the engines of one machine.');
      return cluster;
    };
    const warning = Promise.withResolvers<string>();
    const [full, free] = await Promise.all([open(warning.resolve), open(() => {})]);
    const load = (sessions: number) => ({ sessions, capacity: 1, draining: false });
    const epochs = [await full.store.nodes.register('n1', '1'), await free.store.nodes.register('n1', '1')];
    expect(epochs).toEqual(Array(2).fill({ nodeId: 'n1', epoch: 1 }));
    full.messenger.reportLoad({ nodeId: 'n1', epoch: 1 }, load(1));
    free.messenger.reportLoad({ nodeId: 'n1', epoch: 1 }, load(0));
    expect(await warning.promise).toContain('Nodes with another database use this NATS server too');
    const placing = full.messenger.place({ signal: new AbortController().signal, timeoutMs: 5_000 });
    await expect(placing).rejects.toMatchObject({ reason: 'full' });
  },
);
