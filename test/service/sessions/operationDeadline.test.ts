import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/domain/failures.ts';
import { operationDeadline, settleByDeadline } from '../../../src/service/sessions/operationDeadline.ts';

const never = new Promise<never>(() => {});
const nobody = new AbortController().signal;

describe('work with a deadline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is answered as it ends', async () => {
    using deadline = operationDeadline(1_000, nobody);
    expect(await settleByDeadline(deadline, Promise.resolve('done'))).toBe('done');
    await expect(settleByDeadline(deadline, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('may still say how it ended, two seconds after the deadline', async () => {
    using deadline = operationDeadline(1_000, nobody);
    const slow = new Promise(resolve => setTimeout(resolve, 2_900, 'late'));
    const ended = settleByDeadline(deadline, slow);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(await ended).toBe('late');
  });

  it('that never ends is given up two seconds after the deadline', async () => {
    using deadline = operationDeadline(1_000, nobody);
    const ended = settleByDeadline(deadline, never);
    const said = expect(ended).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(3_000);
    await said;
  });

  it('has its whole time again after each renewal', async () => {
    using deadline = operationDeadline(1_000, nobody);
    for (let renewals = 0; renewals < 5; renewals += 1) {
      await vi.advanceTimersByTimeAsync(900);
      expect(deadline.signal.aborted).toBe(false);
      deadline.renew();
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deadline.signal.reason).toMatchObject({ code: 'OPERATION_TIMEOUT' });
  });

  it('that never ends is given up with the reason that ended it early', async () => {
    using deadline = operationDeadline(60_000, nobody);
    deadline.abort(new Failure('SESSION_CLOSED', 'It is closed.'));
    const said = expect(settleByDeadline(deadline, never)).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    await vi.advanceTimersByTimeAsync(2_000);
    await said;
  });
});
