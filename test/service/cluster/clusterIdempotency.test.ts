import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/failure/failures.ts';
import type { TestNode } from '../../support/startCluster.ts';
import { observeCommand, START, stepCommand } from './clusterCommands.ts';
import { twoNodes } from './twoNodes.ts';

const { clock, cluster, site, first, second } = twoNodes();

const start = (node: TestNode, idempotencyKey: string, more = {}) =>
  node.service.start(cluster.viewer, { ...START, idempotencyKey, ...more });
const sessionCount = () => cluster.store.sessions.count(cluster.viewer.account.id, null);

describe('an idempotency key in a cluster', () => {
  it('runs an operation once, and answers its stored response on every node', async () => {
    const once = await start(first, 'a');
    expect(await start(second, 'a')).toEqual(once);
    expect(await start(first, 'a')).toEqual(once);
    // The keys of an account share them; one with a policy has its own.
    const limited = { ...cluster.viewer, policy: { denySteps: ['write'] } } as const;
    const command = { ...START, idempotencyKey: 'a' };
    expect(await second.service.start({ ...cluster.viewer, keyId: 'other' }, command)).toEqual(once);
    expect(await sessionCount()).toBe(1);
    await second.service.start(limited, command);
    expect(await sessionCount()).toBe(2);
  });

  it('runs requests once that arrive on all nodes at the same time', async () => {
    const results = await Promise.all([first, second, first, second].map(node => start(node, 'b')));
    expect(new Set(results.map(({ session }) => session.id)).size).toBe(1);
  });

  it('is announced at the end of its operation only if another request waits for it', async () => {
    const announced: string[] = [];
    second.messenger.onAnnouncement('operationEnded', text => announced.push(JSON.parse(text).key));
    await start(first, 'alone');
    const hang = { ...observeCommand(null, `${site.url}/slow?ms=300`), idempotencyKey: 'awaited' };
    const waited = Promise.withResolvers<void>();
    first.messenger.onAnnouncement('operationAwaited', () => waited.resolve());
    const running = first.service.observe(cluster.viewer, hang);
    await expect.poll(() => first.browsers.sessionCount + second.browsers.sessionCount).toBe(2);
    expect(await second.service.observe(cluster.viewer, hang)).toEqual(await running);
    await waited.promise;
    expect(announced).toEqual(['awaited']);
  });

  it('is refused for another request', async () => {
    await start(first, 'c');
    await expect(start(second, 'c', { timeoutMinutes: 3 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      context: { errors: [{ path: 'idempotencyKey' }] },
    });
  });

  it('stores a failure that had an effect, and runs one again that had none', async () => {
    const { session } = await start(first, 'd');
    const failing = (url: string, idempotencyKey: string) => (node: TestNode) =>
      node.service
        .observe(cluster.viewer, { ...observeCommand(session.id, url), idempotencyKey })
        .catch(error => error);
    const refused = failing('http://127.0.0.2:39999/', 'e');
    const [once, twice] = [await refused(first), await refused(second)];
    expect(once).toMatchObject({ code: 'NAVIGATION_FAILED' });
    expect(twice.message).toBe(once.message);
    const events = await first.service.events(cluster.viewer, session.id, 0, 100);
    expect(events.filter(({ event }) => event.type === 'failed')).toHaveLength(1);

    const unknown = { ...stepCommand(session.id, 'B9'), idempotencyKey: 'f' };
    await expect(first.service.step(cluster.viewer, unknown)).rejects.toMatchObject({ code: 'NOT_OBSERVED' });
    await first.service.observe(cluster.viewer, observeCommand(session.id, `${site.url}/index.html`));
    await expect(second.service.step(cluster.viewer, unknown)).rejects.toMatchObject({
      code: 'ACTION_NOT_FOUND',
    });
  });

  it('answers OUTCOME_UNKNOWN when the node on which the request arrived has stopped', async () => {
    const hang = { ...observeCommand(null, `${site.url}/hang`), idempotencyKey: 'g' };
    const running = first.service.observe(cluster.viewer, hang).catch(error => error);
    await expect.poll(() => first.browsers.sessionCount).toBe(1);
    const repeated = second.service.observe(cluster.viewer, hang).catch(error => error);
    first.isolate();
    for (let passed = 0; passed < 5_000; passed += 100) {
      clock.advance(100);
      await turn();
    }
    expect(await repeated).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await running).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('answers OUTCOME_UNKNOWN when the response cannot be stored: each request with the key gets the same answer', async () => {
    first.idempotencyKeys.complete = async () => {
      first.isolate();
      throw new Error('The connection broke.');
    };
    const running = start(first, 'k').catch(error => error);
    await expect.poll(() => cluster.cutOff.size).toBe(1);
    const repeated = start(second, 'k').catch(error => error);
    for (let passed = 0; passed < 5_000; passed += 100) {
      clock.advance(100);
      await turn();
    }
    expect(await running).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await repeated).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('runs the operation of a claim whose answer this node did not get', async () => {
    const { claim } = first.idempotencyKeys;
    first.idempotencyKeys.claim = async (...given) => {
      first.idempotencyKeys.claim = claim;
      await claim(...given);
      throw new Failure('OUTCOME_UNKNOWN', 'The answer was lost.');
    };
    await expect(start(first, 'l')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    const results = await Promise.all([start(first, 'l'), start(second, 'l')]);
    expect(results[0]).toEqual(results[1]);
    expect(await sessionCount()).toBe(1);
  });

  it('lets a caller stop waiting for the request that runs', async () => {
    const hang = { ...observeCommand(null, `${site.url}/hang`), idempotencyKey: 'h' };
    const running = first.service.observe(cluster.viewer, hang).catch(error => error);
    await expect.poll(() => first.browsers.sessionCount + second.browsers.sessionCount).toBe(1);
    const gone = new AbortController();
    const waiting = second.service.observe(cluster.viewer, { ...hang, signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    await Promise.all([first.service.shutDown(), second.service.shutDown(), running]);
  });
});
