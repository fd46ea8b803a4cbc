import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectNats, ofDatabase } from '../../src/bus/natsConnection.ts';
import { natsMessenger } from '../../src/bus/natsMessenger.ts';
import type { NodeEpoch, NodeMessenger } from '../../src/domain/ports/nodes.ts';
import { bytes, NODE_A, NODE_B, requestOptions, text } from '../contracts/messengerNetwork.ts';
import { natsIsMissing, startNats, type TestNats } from '../support/startNats.ts';

const free = { sessions: 0, capacity: 10, draining: false };
const full = { sessions: 10, capacity: 10, draining: false };
const OURS = '7301234567890123456-16384';
const THEIRS = '7301234567890123456-16999';

describe.skipIf(natsIsMissing)(`nodes of several databases ${natsIsMissing ?? ''}`, () => {
  let nats: TestNats;
  const messengers: NodeMessenger[] = [];
  beforeAll(async () => {
    nats = await startNats();
  });
  afterEach(async () => {
    await Promise.all(messengers.splice(0).map(messenger => messenger.close()));
  });
  afterAll(() => nats[Symbol.asyncDispose]());

  /** @param databaseId null for a node of the version before */
  async function connect(
    databaseId: string | null,
    warn?: (message: string) => void,
  ): Promise<NodeMessenger> {
    const connection = ofDatabase(await connectNats({ url: nats.url, name: 'test' }), databaseId, warn);
    const messenger = natsMessenger(connection, { tickMs: 100 });
    messengers.push(messenger);
    return messenger;
  }

  const placed = (messenger: NodeMessenger): Promise<string> =>
    messenger.place({ signal: new AbortController().signal, timeoutMs: 5_000 }).then(
      ({ nodeId }) => nodeId,
      (error: { reason: string }) => error.reason,
    );

  /** Serves as a node, and resolves when the server knows it. */
  const serve = (messenger: NodeMessenger, node: NodeEpoch, answer: string) =>
    messenger.serve(node, async () => bytes(answer));

  it('do not place sessions on each other, nor answer for a node of the same name and epoch, nor receive announcements, and say so', async () => {
    const warnings = { ours: Promise.withResolvers<string>(), theirs: Promise.withResolvers<string>() };
    const ours = await connect(OURS, warnings.ours.resolve);
    const caller = await connect(OURS);
    const theirs = await connect(THEIRS, warnings.theirs.resolve);
    ours.reportLoad(NODE_A, full);
    theirs.reportLoad(NODE_A, free);
    await serve(ours, NODE_A, 'ours');
    await serve(theirs, NODE_A, 'theirs');
    expect(await warnings.ours.promise).toMatch(
      /^Nodes with another database use this NATS server too: "7301234567890123456-16999", and this node has 7301234567890123456-16384 .* give each cluster a NATS account of its own\.$/,
    );
    await warnings.theirs.promise;
    expect(await placed(caller)).toBe('full');
    ours.reportLoad(NODE_A, free);
    for (let i = 0; i < 10; i++)
      expect(text(await caller.request(NODE_A, bytes(''), requestOptions()))).toBe('ours');

    const received: string[] = [];
    const receivedHere = Promise.withResolvers<string>();
    theirs.onAnnouncement('drain', message => received.push(message));
    await serve(theirs, NODE_B, '');
    ours.onAnnouncement('drain', receivedHere.resolve);
    await serve(ours, NODE_B, '');
    caller.announce('drain', '{}');
    await receivedHere.promise;
    // The answer of their node comes after what was announced before.
    await (await connect(THEIRS)).request(NODE_B, bytes(''), requestOptions());
    expect(received).toEqual([]);
  });

  it('work with nodes of the version before, which do not name their database', async () => {
    const before = await connect(null);
    const now = await connect(OURS);
    await serve(before, NODE_A, 'before');
    await serve(now, NODE_B, 'now');
    before.reportLoad(NODE_A, full);
    now.reportLoad(NODE_B, free);
    await expect.poll(() => placed(before)).toBe(NODE_B.nodeId);
    expect(await placed(now)).toBe(NODE_B.nodeId);
    now.reportLoad(NODE_B, full);
    before.reportLoad(NODE_A, free);
    await expect.poll(() => placed(now)).toBe(NODE_A.nodeId);
    expect(await placed(before)).toBe(NODE_A.nodeId);
    expect(text(await before.request(NODE_B, bytes(''), requestOptions()))).toBe('now');
    expect(text(await now.request(NODE_A, bytes(''), requestOptions()))).toBe('before');
  });
});
