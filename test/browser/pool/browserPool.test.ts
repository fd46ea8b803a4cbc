import { describe, expect, it } from 'vitest';
import { type BrowserInstance, BrowserPool } from '../../../src/browser/pool/browserPool.ts';

const ignore = () => {};

describe('BrowserPool.start', () => {
  it('does not keep a browser that closed before its start was complete', async () => {
    const closed = { isClosed: true } as Partial<BrowserInstance> as BrowserInstance;
    const pool = new BrowserPool({
      start: async onClosed => {
        onClosed(closed);
        return closed;
      },
      sessionsPerBrowser: 1,
      isolateAccounts: false,
      onUnavailable: ignore,
      onLost: ignore,
      onClosing: ignore,
    });
    await pool.start(null);
    expect(pool.running()).toEqual([]);
  });
});
