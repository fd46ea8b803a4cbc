/** The contract of NodeMessenger for placement, announcements and breaks of the connection. */
import { describe, expect, it } from 'vitest';
import type { NodeEpoch, NodeMessenger } from '../../src/domain/ports/nodes.ts';
import {
  bytes,
  type MessengerPair,
  NODE_A,
  NODE_B,
  NODE_C,
  requestOptions,
  serveEndless,
  text,
} from './messengerNetwork.ts';

const load = (sessions: number, capacity = 100) => ({ sessions, capacity, draining: false });

/** @param pair returns the nodes of the running test */
export function describePlacement(pair: () => MessengerPair): void {
  const network = () => pair().network;
  const caller = () => pair().caller;
  const owner = () => pair().owner;

  describe('a break of the connection', () => {
    it('makes running requests silent and new ones unavailable, until it is back', async () => {
      const { received } = await serveEndless(owner());
      const changes: boolean[] = [];
      caller().onConnectionChange(isConnected => changes.push(isConnected));
      const waiting = caller().request(NODE_B, bytes(''), requestOptions());
      const silent = expect(waiting).rejects.toMatchObject({ reason: 'silent' });
      await await received;
      await network().interrupt();
      await silent;
      expect(caller().isConnected).toBe(false);
      await expect(caller().request(NODE_B, bytes(''), requestOptions())).rejects.toMatchObject({
        reason: 'unavailable',
      });
      await expect(caller().place(requestOptions())).rejects.toMatchObject({ reason: 'unavailable' });
      caller().announce('topic', 'lost');
      await network().resume();
      expect(caller().isConnected).toBe(true);
      expect(changes).toEqual([false, true]);
      await owner().serve(NODE_C, async () => bytes('again'));
      expect(text(await caller().request(NODE_C, bytes(''), requestOptions()))).toBe('again');
    });
  });

  describe('place()', () => {
    /** Returns the id of the chosen node, or the reason why there is none. */
    const placed = async (messenger: NodeMessenger, except: readonly NodeEpoch[] = []): Promise<string> =>
      messenger.place({ signal: new AbortController().signal, timeoutMs: 5_000, except }).then(
        ({ nodeId }) => nodeId,
        (error: { reason: string }) => error.reason,
      );

    it('is full while no node offers itself', async () => {
      expect(await placed(caller())).toBe('full');
    });

    it('chooses the least loaded node', async () => {
      caller().reportLoad(NODE_A, load(60));
      owner().reportLoad(NODE_B, load(10));
      await expect.poll(() => placed(caller())).toBe(NODE_B.nodeId);
      await expect.poll(() => placed(owner())).toBe(NODE_B.nodeId);
    });

    it('leaves out full nodes and draining ones', async () => {
      caller().reportLoad(NODE_A, load(10, 10));
      owner().reportLoad(NODE_B, { ...load(0), draining: true });
      const third = await network().connect();
      third.reportLoad(NODE_C, load(99));
      await expect.poll(() => placed(caller())).toBe(NODE_C.nodeId);
      third.reportLoad(NODE_C, load(100));
      await expect.poll(() => placed(caller())).toBe('full');
      caller().reportLoad(NODE_A, load(9, 10));
      await expect.poll(() => placed(caller())).toBe(NODE_A.nodeId);
    });

    it('leaves out the nodes of `except`', async () => {
      caller().reportLoad(NODE_A, load(60));
      owner().reportLoad(NODE_B, load(10));
      await expect.poll(() => placed(caller())).toBe(NODE_B.nodeId);
      expect(await placed(caller(), [NODE_B])).toBe(NODE_A.nodeId);
      expect(await placed(caller(), [NODE_A, NODE_B])).toBe('full');
    });

    it('spreads many questions at once over the nodes', async () => {
      const third = await network().connect();
      caller().reportLoad(NODE_A, load(0));
      owner().reportLoad(NODE_B, load(0));
      third.reportLoad(NODE_C, load(0));
      await expect
        .poll(async () => [await placed(caller(), [NODE_A, NODE_B]), await placed(owner(), [NODE_A, NODE_C])])
        .toEqual([NODE_C.nodeId, NODE_B.nodeId]);
      const chosen = await Promise.all(Array.from({ length: 30 }, () => placed(caller())));
      for (const { nodeId } of [NODE_A, NODE_B, NODE_C])
        expect(chosen.filter(each => each === nodeId).length).toBeGreaterThanOrEqual(5);
    });
  });

  describe('announce()', () => {
    it('reaches every node, also this one, by topic', async () => {
      const received: string[] = [];
      const both = Promise.withResolvers<void>();
      const record = (by: string) => (message: string) => {
        received.push(`${by} ${message}`);
        if (received.length === 2) both.resolve();
      };
      caller().onAnnouncement('cache.keys', record('caller'));
      owner().onAnnouncement('cache.keys', record('owner'));
      owner().onAnnouncement('other', record('other'));
      const removed = caller().onAnnouncement('cache.keys', record('removed'));
      removed();
      await owner().serve(NODE_B, async () => bytes(''));
      // The response proves that the subscriptions of the owner are in effect.
      await caller().request(NODE_B, bytes(''), requestOptions());
      caller().announce('cache.keys', 'drop');
      await both.promise;
      expect(received.toSorted()).toEqual(['caller drop', 'owner drop']);
    });
  });
}
