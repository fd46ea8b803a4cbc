/** Refusals by the wallet's door, counted against the address that they go to. */
import { isFailure } from '../../domain/failures.ts';
import type { RateLimit } from '../../service/pagespace.ts';

/**
 * Does the work. Its refusal counts as that of a key does: too many from one address are refused as such.
 * @throws Failure RATE_LIMITED, and what the work throws
 */
export async function countRefusals<Result>(
  service: Pick<RateLimit, 'countRefusedKey'>,
  address: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) await service.countRefusedKey(address);
    throw error;
  }
}
