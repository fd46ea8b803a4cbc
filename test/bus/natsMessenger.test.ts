import { afterAll, beforeAll, describe } from 'vitest';
import { connectNats, type NatsConnection } from '../../src/bus/natsConnection.ts';
import { natsMessenger } from '../../src/bus/natsMessenger.ts';
import type { NodeMessenger } from '../../src/domain/ports/nodes.ts';
import { describeNodeMessengerContract } from '../contracts/nodeMessengerContract.ts';
import { natsIsMissing, startNats, type TestNats } from '../support/startNats.ts';

describe.skipIf(natsIsMissing)(`over nats-server${natsIsMissing ? ` (${natsIsMissing})` : ''}`, () => {
  let nats: TestNats;
  beforeAll(async () => {
    // Small messages, so that payloads are split.
    nats = await startNats({ maxPayload: 65_536 });
  });
  afterAll(() => nats[Symbol.asyncDispose]());

  describeNodeMessengerContract('over NATS', async () => {
    const connections: NatsConnection[] = [];
    const messengers: NodeMessenger[] = [];
    const allAre = (isConnected: boolean): Promise<unknown> =>
      Promise.all(
        connections.map(
          connection =>
            new Promise<void>(resolve => {
              if (connection.isConnected === isConnected) resolve();
              else connection.onConnectionChange(() => resolve());
            }),
        ),
      );
    return {
      connect: async () => {
        const connection = await connectNats({ url: nats.url, name: 'test' });
        connections.push(connection);
        const messenger = natsMessenger(connection, { tickMs: 100 });
        messengers.push(messenger);
        return messenger;
      },
      interrupt: async () => {
        await nats.stop();
        await allAre(false);
      },
      resume: async () => {
        await nats.restart();
        await allAre(true);
      },
      close: async () => {
        await Promise.all(messengers.map(messenger => messenger.close()));
      },
    };
  });
});
