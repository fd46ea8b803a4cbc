import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import type { IsolatedWorld } from '../../../src/browser/cdp/isolatedWorld.ts';
import { type CdpTarget, PageFrames } from '../../../src/browser/tab/pageFrames.ts';

// Stands in for a browser: in a real one, the document comes between two calls only by chance.
it('PageFrames finds the world of a frame that gets its document while frames of other processes are searched', async () => {
  const context = { contextId: 3, uniqueId: '3.1', frameId: 'F', installed: new Set<never>() };
  let isLoaded = false;
  const frame = {};
  const page = {
    frames: () => [frame],
    mainFrame: () => null,
    context: () => ({
      newCDPSession: async () => {
        isLoaded = true;
        throw new Error('This frame does not have a separate CDP session.');
      },
    }),
  };
  const target = { worlds: { find: () => (isLoaded ? context : null), mainWorldContext: () => null } };
  const frames = new PageFrames(page as unknown as Page, target as unknown as CdpTarget);
  const owner = { channel: { send: async () => ({ node: { frameId: 'F' } }) } };
  const deadline = { signal: new AbortController().signal, remainingMs: () => 1_000 };
  const world = await frames.worldOf(owner as unknown as IsolatedWorld, 'iframe', deadline);
  expect(world?.context).toBe(context);
});

// The same: the two worlds of a document come together, but not in one event.
it('PageFrames waits for the isolated world of a document whose main world has begun', async () => {
  const context = { contextId: 3, uniqueId: '3.1', frameId: 'F', installed: new Set<never>() };
  const worlds = { find: () => null, mainWorldContext: () => ({}), waitFor: async () => context };
  const frames = new PageFrames({} as unknown as Page, { worlds } as unknown as CdpTarget);
  const owner = { channel: { send: async () => ({ node: { frameId: 'F' } }) } };
  const deadline = { signal: new AbortController().signal, remainingMs: () => 1_000 };
  const world = await frames.worldOf(owner as unknown as IsolatedWorld, 'iframe', deadline);
  expect(world?.context).toBe(context);
});
