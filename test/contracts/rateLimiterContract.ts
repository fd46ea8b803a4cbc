/** The contract of every RateLimiter. */
import { describe, expect, it } from 'vitest';
import type { RateLimiter } from '../../src/domain/account/rateLimit.ts';

/** Returns how many of the requests were granted. */
export const granted = async (asked: readonly Promise<{ readonly granted: boolean }>[]): Promise<number> =>
  (await Promise.all(asked)).filter(one => one.granted).length;

/** Runs the contract. @param limiter makes another limiter on the same counts, which are empty at the start of a test */
export function describeRateLimiterContract(name: string, limiter: () => RateLimiter): void {
  describe(`RateLimiter.consume() on ${name}`, () => {
    it('grants exactly the limit of two hundred concurrent requests', async () => {
      const one = limiter();
      expect(await granted(Array.from({ length: 200 }, () => one.consume('a', 1, 60)))).toBe(60);
    });

    it('returns the remaining requests and the seconds until the next window', async () => {
      const one = limiter();
      expect(await one.consume('a', 3, 10)).toEqual({
        limit: 10,
        remaining: 7,
        resetSeconds: 60,
        granted: true,
      });
      expect(await one.consume('a', 7, 10)).toMatchObject({ remaining: 0, granted: true });
      expect(await one.consume('a', 1, 10)).toMatchObject({ remaining: 0, granted: false });
    });

    it('counts refused requests too', async () => {
      const one = limiter();
      await one.consume('a', 8, 10);
      expect(await one.consume('a', 5, 10)).toMatchObject({ granted: false });
      expect(await one.consume('a', 1, 10)).toMatchObject({ granted: false });
    });

    it('counts each name separately', async () => {
      const one = limiter();
      await one.consume('a', 10, 10);
      expect(await one.consume('b', 1, 10)).toMatchObject({ remaining: 9, granted: true });
    });

    it('continues a window after a change of the limit', async () => {
      const one = limiter();
      await one.consume('a', 10, 10);
      expect(await one.consume('a', 1, 600)).toMatchObject({ remaining: 589, granted: true });
    });

    it('shares its counts with other processes on the same file', async () => {
      const [one, other] = [limiter(), limiter()];
      const asked = Array.from({ length: 100 }, () => [one.consume('a', 1, 60), other.consume('a', 1, 60)]);
      expect(await granted(asked.flat())).toBe(60);
    });
  });
}
