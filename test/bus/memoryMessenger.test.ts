import { describeNodeMessengerContract } from '../contracts/nodeMessengerContract.ts';
import { type MemoryMessenger, MemoryNetwork } from '../support/memoryMessenger.ts';

describeNodeMessengerContract('in memory', async () => {
  const network = new MemoryNetwork();
  const connected: MemoryMessenger[] = [];
  return {
    connect: async () => {
      const messenger = network.messenger();
      connected.push(messenger);
      return messenger;
    },
    interrupt: async () => {
      for (const messenger of connected) messenger.disconnect();
    },
    resume: async () => {
      for (const messenger of connected) messenger.reconnect();
    },
    close: async () => {
      await Promise.all(connected.map(messenger => messenger.close()));
    },
  };
});
