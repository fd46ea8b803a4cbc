/** Tests of the start and the drain of a node of a tested.cluster. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../main/runProgram.ts';
import { CLUSTER_HOOK_TIMEOUT_MS } from '../support/startNodes.ts';
import { openDashboard } from '../web/openDashboard.ts';
import type { TestedCluster } from './useCluster.ts';

/** Starts a server that accepts connections and says nothing. */
async function silentServer(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

/** @param tested its nodes wait for their sessions when they drain */
export function describeStartAndDrain(tested: TestedCluster): void {
  describe('starts and drains', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pagespace-start-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    // A node that a test has stopped starts again only if another test follows.
    beforeEach(async () => {
      for (const node of tested.cluster.nodes) await node.restore();
    });

    it(
      'a start with an unreachable address of an engine ends with one line that says which and why',
      async () => {
        await using silent = await silentServer();
        const good = { DATABASE_URL: tested.cluster.databaseUrl, NATS_URL: tested.cluster.nats.url };
        const cases: readonly (readonly [object, RegExp])[] = [
          [
            { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
            /127\.0\.0\.1:1\/x \(PostgreSQL\).*ECONNREFUSED/,
          ],
          // Both engines are asked at the same time, each for less than ten seconds.
          [
            { DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${silent.port}/x` },
            /\(PostgreSQL\).*no answer within 5 s/,
          ],
          [{ NATS_URL: 'nats://u:hunter2@127.0.0.1:1' }, /127\.0\.0\.1:1.*/],
          [{ NATS_URL: `nats://127.0.0.1:${silent.port}` }, /NATS.*no answer within 4 s/],
        ];
        const results = await Promise.all(
          cases.map(
            ([env], n) =>
              runProgram(['serve'], {
                PORT: '0',
                PAGESPACE_DATA_DIR: join(folder, String(n)),
                LOG_LEVEL: 'warn',
                ...good,
                ...env,
              }).result,
          ),
        );
        for (const [n, { code, out, err }] of results.entries()) {
          expect(code).toBe(1);
          expect(out).toBe('');
          expect(err).toMatch(cases[n]?.[1] ?? /never/);
          expect(err).not.toContain('hunter2');
          expect(err.trim().split('\n')).toHaveLength(1);
        }
      },
      CLUSTER_HOOK_TIMEOUT_MS,
    );

    it('SIGTERM drains: /ready says so, new sessions go elsewhere, the old ones end in peace, then the node stops', async () => {
      const id = await tested.cluster.nodes[0].startSession();
      const [owner, other] = await tested.cluster.ownerOf(id);
      owner.send('SIGTERM');
      await expect.poll(() => owner.ready()).toBe('503 draining');
      expect((await owner.call('GET', '/health')).status).toBe(200);
      const elsewhere = await owner.startSession();
      expect((await tested.cluster.ownerOf(elsewhere))[0]).not.toBe(owner);
      // Both nodes still serve both sessions.
      for (const node of [owner, other])
        for (const session_id of [id, elsewhere])
          expect(
            (await node.post('/env/observe', { session_id, url: `${tested.site.url}/forms` })).status,
          ).toBe(200);
      await other.post('/session/close', { session_id: id });
      expect((await owner.program.result).code).toBe(0);
      expect(await tested.cluster.status(id)).toBe('closed');
      // The start of a node ends no session of another one.
      await owner.start();
      expect((await owner.post('/env/observe', { session_id: elsewhere })).status).toBe(200);
      await other.post('/session/close', { session_id: elsewhere });
    });

    it('the operator drains a node in the dashboard of another one, and sees that it drains', async () => {
      const id = await tested.cluster.nodes[2].startSession();
      const [owner, other] = await tested.cluster.ownerOf(id);
      await using dashboard = await openDashboard(other.url, tested.cluster.key);
      const { page } = dashboard;
      await dashboard.go('/dashboard/operator');
      await page.getByRole('button', { name: `Drain ${owner.id}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
      await page
        .getByRole('row', { name: new RegExp(`^${owner.id}`) })
        .getByText('draining')
        .waitFor();
      await expect.poll(() => owner.ready()).toBe('503 draining');
      // Its session keeps it until a signal ends both.
      expect((await owner.stop()).code).toBe(0);
    });

    it('`drain --node` drains a node from anywhere; SIGINT closes its sessions at once', async () => {
      const id = await tested.cluster.nodes[1].startSession();
      const [owner, other] = await tested.cluster.ownerOf(id);
      const asked = await runProgram(['drain', '--node', owner.id], {
        DATABASE_URL: tested.cluster.databaseUrl,
        NATS_URL: tested.cluster.nats.url,
      }).result;
      expect(asked).toMatchObject({ code: 0, out: `Node ${owner.id} was asked to drain.\n` });
      await expect.poll(() => owner.ready()).toBe('503 draining');
      expect(await tested.cluster.status(id)).toBe('active');
      owner.send('SIGINT');
      expect((await owner.program.result).code).toBe(0);
      const ended = await other.post('/env/observe', { session_id: id });
      expect(ended).toMatchObject({ status: 410, body: { code: 'SESSION_CLOSED' } });
      expect((await other.call('GET', `/session/${id}`)).body).toMatchObject({
        end_reason: 'The service was shut down.',
        ended_by: null,
      });
    });
  });
}
