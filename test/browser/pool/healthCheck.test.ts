import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HealthCheck } from '../../../src/browser/pool/healthCheck.ts';

const OPTIONS = { intervalMs: 1_000, timeoutMs: 3_000 };
let done: string[];
let hasSuspect: boolean;
let respond: () => void;
let check: HealthCheck;
beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  hasSuspect = true;
  check = new HealthCheck({
    options: OPTIONS,
    ping: () => {
      done.push('ping');
      const { promise, resolve } = Promise.withResolvers<void>();
      respond = resolve;
      return promise;
    },
    endSuspect: async () => {
      done.push('end suspect');
      return hasSuspect;
    },
    kill: () => done.push('kill'),
  });
  check.start();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('HealthCheck', () => {
  it('asks again after each response, and ends nothing', async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    respond();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual(['ping', 'ping']);
  });

  it('ends the session that may block the browser, and goes on if the browser then responds', async () => {
    await vi.advanceTimersByTimeAsync(4_000);
    expect(done).toEqual(['ping', 'end suspect']);
    respond();
    await vi.advanceTimersByTimeAsync(1_000);
    respond();
    await vi.advanceTimersByTimeAsync(500);
    expect(done).toEqual(['ping', 'end suspect', 'ping']);
  });

  it('kills the browser if it does not respond without that session either', async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    expect(done).toEqual(['ping', 'end suspect', 'kill']);
  });

  it('kills the browser at once if no session is to blame', async () => {
    hasSuspect = false;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(done).toEqual(['ping', 'end suspect', 'kill']);
  });

  it('does nothing after stop', async () => {
    await vi.advanceTimersByTimeAsync(4_000);
    check.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done).toEqual(['ping', 'end suspect']);
  });
});
