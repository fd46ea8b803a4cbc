/** The contract of every NodeMessenger. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessengerNetwork, MessengerPair } from './messengerNetwork.ts';
import { describePlacement } from './messengerPlacementContract.ts';
import { describeRequests } from './messengerRequestContract.ts';
import { describeStreams } from './messengerStreamContract.ts';

/** Runs the contract over an adapter. */
export function describeNodeMessengerContract(name: string, make: () => Promise<MessengerNetwork>): void {
  describe(`NodeMessenger ${name}`, () => {
    let pair: MessengerPair;
    beforeEach(async () => {
      const network = await make();
      pair = { network, caller: await network.connect(), owner: await network.connect() };
    });
    afterEach(() => pair.network.close());

    describeRequests(() => pair);
    describeStreams(() => pair);
    describePlacement(() => pair);

    it('close() is idempotent', async () => {
      await pair.caller.close();
      await pair.caller.close();
      expect(pair.caller.isConnected).toBe(false);
    });
  });
}
