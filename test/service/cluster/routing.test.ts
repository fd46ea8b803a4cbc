import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import { startCluster, type TestCluster, type TestNode } from '../../support/startCluster.ts';
import { addAccount } from '../../support/startService.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';
import { closeCommand, observeCommand, START, stepCommand } from './clusterCommands.ts';

describe('a session of another node', () => {
  let cluster: TestCluster;
  let site: TestSite;
  let owner: TestNode;
  let other: TestNode;
  let sessionId: string;

  beforeAll(async () => {
    site = await startTestSite();
    // The second node has no places, so every session runs on the first one.
    cluster = await startCluster({ capacities: [10, 0] });
    [owner, other] = cluster.nodes as [TestNode, TestNode];
    ({
      session: { id: sessionId },
    } = await other.service.start(cluster.viewer, START));
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await site.close();
  });

  it('starts on the node that has a place', () => {
    expect([owner.browsers.sessionCount, other.browsers.sessionCount]).toEqual([1, 0]);
  });

  it('observes a page with the same result as on its own node', async () => {
    const command = observeCommand(sessionId, `${site.url}/index.html`);
    const there = await other.service.observe(cluster.viewer, command);
    const here = await owner.service.observe(cluster.viewer, command);
    expect(there.metadata.url).toBe(`${site.url}/index.html`);
    expect(there.space).toEqual(here.space);
    expect(there.observationId).toBe('O1');
  });

  it('keeps code, detail, session and space of a failure', async () => {
    const command = stepCommand(sessionId, 'L999');
    const there = await other.service.step(cluster.viewer, command).catch(error => error);
    const here = await owner.service.step(cluster.viewer, command).catch(error => error);
    expect(isFailure(there, 'ACTION_NOT_FOUND')).toBe(true);
    expect(there.message).toBe(here.message);
    expect(there.context.session).toMatchObject({ id: sessionId, status: 'active' });
  });

  it('shows its tabs and the changes between its observations', async () => {
    expect(await other.service.tabs(sessionId)).toMatchObject([{ id: 'T1', active: true }]);
    const { observationId } = await other.service.observe(cluster.viewer, observeCommand(sessionId, null));
    expect(await other.service.observationDiff(sessionId, observationId ?? '', null)).toMatchObject({
      added: [],
    });
    await expect(other.service.observationDiff(sessionId, 'O999', null)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('has its record read: lists as they were, the console and the requests', async () => {
    const there = await other.service.recordedObservation(sessionId, 1);
    expect(there).toEqual(await owner.service.recordedObservation(sessionId, 1));
    for (const kind of ['console', 'request'] as const) {
      const query = { after: 0, limit: 5 };
      const page = await other.service.readPageLog(sessionId, kind, query);
      expect(page).toEqual(await owner.service.readPageLog(sessionId, kind, query));
      const ended = new AbortController();
      const parts = other.service.followPageLog(sessionId, kind, 0, ended.signal);
      const first = parts.next();
      if (page.last > 0) expect((await first).value?.[0]).toEqual(page.entries[0]);
      ended.abort();
      expect(await (page.last > 0 ? parts.next() : first)).toMatchObject({ done: true });
    }
  });

  it('sends its live images', async () => {
    const ended = new AbortController();
    const options = { maxWidth: 800, quality: 50 };
    const frames = await other.service.frames(cluster.viewer, sessionId, options, ended.signal);
    const { value } = await frames.next();
    expect(value).toMatchObject({ tabId: 'T1', width: 1_280 });
    ended.abort();
    expect(await frames.next()).toMatchObject({ done: true });
  });

  it('is taken over and handed back by a person on this node', async () => {
    const { viewer } = cluster;
    const { holdId, session } = await other.service.takeOver(viewer, { sessionId, name: 'Ana' });
    expect(session).toMatchObject({ takeOver: { status: 'held', holder: 'Ana' } });
    const refused = await owner.service
      .observe(viewer, observeCommand(sessionId, null))
      .catch(error => error);
    expect(isFailure(refused, 'TAKEN_OVER')).toBe(true);
    const key = { key: 'a', code: 'KeyA', keyCode: 65, modifiers: 0, repeat: false };
    const events = [{ type: 'key_down', ...key } as const, { type: 'key_up', ...key } as const];
    expect(await other.service.sendInput(viewer, { sessionId, holdId, events })).toMatchObject({
      copied: null,
    });
    await other.service.renewTakeOver(viewer, { sessionId, holdId, isConnected: false });
    const [lease] = owner.browsers.leases;
    expect(lease?.received.map(({ type }) => type)).toEqual(['key_down', 'key_up', 'release']);
    const after = await other.service.handBack(viewer, { sessionId, holdId });
    expect(after).not.toHaveProperty('takeOver');
    const { space } = await other.service.observe(viewer, observeCommand(sessionId, null));
    expect(space?.messages[0]?.text).toContain('a person: 1 input, 0 navigations');
  });

  it('ends the open view of a share link on each node when it is revoked on another one', async () => {
    const { viewer } = cluster;
    const command = { sessionId, mode: 'read', minutes: 5 } as const;
    const { link, secret } = await owner.service.createShareLink(viewer, command);
    const { token } = await other.service.openShareLink(secret);
    const guest = await other.service.authenticate(`Bearer ${token}`);
    expect(guest.link).toMatchObject({ sessionId, mode: 'read' });
    const ended = Promise.withResolvers<string>();
    other.service.onKeyEnd(guest, ({ code }) => ended.resolve(code));
    await owner.service.revokeShareLink(viewer, { sessionId, linkId: link.id });
    expect(await ended.promise).toBe('SHARE_LINK_ENDED');
  });

  it('takes an upload, lists it and refuses an unknown download', async () => {
    const chunks = (async function* () {
      yield new TextEncoder().encode('one ');
      yield new TextEncoder().encode('two');
    })();
    const upload = { sessionId, name: 'a.txt', chunks, signal: new AbortController().signal };
    const file = await other.service.uploadFile(cluster.viewer, upload);
    expect(file).toMatchObject({ id: 'U1', name: 'a.txt', bytes: 7 });
    expect(await other.service.listFiles(sessionId, 'upload')).toEqual([file]);
    await expect(other.service.openDownload(cluster.viewer, sessionId, 'D1')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is unknown to another account', async () => {
    const stranger = await addAccount(cluster.store, { now: Date.now } as never, 'stranger');
    await expect(
      other.service.observe(stranger.viewer, observeCommand(sessionId, null)),
    ).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('ends with the failure of its caller when the caller disconnects', async () => {
    const gone = new AbortController();
    const hanging = `${site.url}/hang`;
    const observing = other.service.observe(cluster.viewer, {
      ...observeCommand(sessionId, hanging),
      signal: gone.signal,
    });
    gone.abort();
    await expect(observing).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    // The queue of the session is free again.
    await expect(
      owner.service.observe(cluster.viewer, observeCommand(sessionId, null)),
    ).resolves.toBeDefined();
  });

  it('ends an operation at its deadline, which its own node keeps', async () => {
    await using quick = await startCluster({ capacities: [10, 0], operationTimeoutMs: 2_000 });
    const [own, away] = quick.nodes as [TestNode, TestNode];
    const { session } = await away.service.start(quick.viewer, START);
    const details: unknown[] = [];
    for (const { service } of [own, away]) {
      const hanging = service.observe(quick.viewer, observeCommand(session.id, `${site.url}/hang`));
      const error = await hanging.catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'OPERATION_TIMEOUT',
        context: { session: { id: session.id, status: 'active' } },
      });
      details.push((error as Error).message);
    }
    expect(details[1]).toBe(details[0]);
  });

  it('closes on any node, and then answers SESSION_CLOSED on every node', async () => {
    const { session } = await other.service.close(cluster.viewer, closeCommand(sessionId));
    expect(session.status).toBe('closed');
    for (const { service } of cluster.nodes)
      await expect(service.observe(cluster.viewer, observeCommand(sessionId, null))).rejects.toMatchObject({
        code: 'SESSION_CLOSED',
      });
  });
});
