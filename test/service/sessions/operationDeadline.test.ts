import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/domain/failure/failures.ts';
import { operationDeadline, settleByDeadline } from '../../../src/service/sessions/operationDeadline.ts';

const never = new Promise<never>(() => {});
const connected = new AbortController().signal;

describe('settleByDeadline()', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('settles like the work', async () => {
    using deadline = operationDeadline(1_000, connected);
    expect(await settleByDeadline(deadline, Promise.resolve('done'))).toBe('done');
    await expect(settleByDeadline(deadline, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('still returns the result of work that ends within two seconds after the deadline', async () => {
    using deadline = operationDeadline(1_000, connected);
    const slow = new Promise(resolve => setTimeout(resolve, 2_900, 'late'));
    const ended = settleByDeadline(deadline, slow);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(await ended).toBe('late');
  });

  it('rejects with OPERATION_TIMEOUT two seconds after the deadline', async () => {
    using deadline = operationDeadline(1_000, connected);
    const ended = settleByDeadline(deadline, never);
    const rejection = expect(ended).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(3_000);
    await rejection;
  });

  it('waits for the full time again after renew()', async () => {
    using deadline = operationDeadline(1_000, connected);
    for (let renewals = 0; renewals < 5; renewals += 1) {
      await vi.advanceTimersByTimeAsync(900);
      expect(deadline.signal.aborted).toBe(false);
      deadline.renew();
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deadline.signal.reason).toMatchObject({ code: 'OPERATION_TIMEOUT' });
  });

  it('rejects with the failure of abort() two seconds after it', async () => {
    using deadline = operationDeadline(60_000, connected);
    deadline.abort(new Failure('SESSION_CLOSED', 'It is closed.'));
    const rejection = expect(settleByDeadline(deadline, never)).rejects.toMatchObject({
      code: 'SESSION_CLOSED',
    });
    await vi.advanceTimersByTimeAsync(2_000);
    await rejection;
  });
});
