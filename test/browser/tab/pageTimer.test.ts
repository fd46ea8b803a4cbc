import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterPageMs, type StopWhen, waitUntil, whenSilent } from '../../../src/async/race.ts';

const answers = async (): Promise<void> => {};
const isSilent = (): Promise<void> => new Promise(() => {});
const answersAfter = (ms: number) => (): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Returns true if the wait has ended after this time. */
async function endsWithin(ms: number, stop: StopWhen<string>): Promise<boolean> {
  let hasEnded = false;
  void waitUntil(stop).then(() => {
    hasEnded = true;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return hasEnded;
}

describe('The time of a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('passes as that of the clock while the page answers at once', async () => {
    expect(
      await endsWithin(
        900,
        afterPageMs(answers, 1_000, 500, () => 'over'),
      ),
    ).toBe(false);
    expect(
      await endsWithin(
        1_100,
        afterPageMs(answers, 1_000, 500, () => 'over'),
      ),
    ).toBe(true);
  });

  it('passes slowly while the page answers slowly, and not at all while it is silent', async () => {
    expect(
      await endsWithin(
        3_000,
        afterPageMs(answersAfter(450), 1_000, 500, () => 'over'),
      ),
    ).toBe(false);
    expect(
      await endsWithin(
        6_000,
        afterPageMs(answersAfter(450), 1_000, 500, () => 'over'),
      ),
    ).toBe(true);
    expect(
      await endsWithin(
        60_000,
        afterPageMs(isSilent, 1_000, 500, () => 'over'),
      ),
    ).toBe(false);
  });

  it('ends the wait for a frame that is silent while the page answers', async () => {
    expect(
      await endsWithin(
        2_000,
        whenSilent(isSilent, answers, 1_500, () => 'silent'),
      ),
    ).toBe(true);
  });

  it('does not end the wait for a frame that answers late, or that is silent while the page is', async () => {
    expect(
      await endsWithin(
        60_000,
        whenSilent(answersAfter(1_000), answers, 1_500, () => 'silent'),
      ),
    ).toBe(false);
    expect(
      await endsWithin(
        60_000,
        whenSilent(isSilent, isSilent, 1_500, () => 'silent'),
      ),
    ).toBe(false);
  });
});
