/** Limits failed wallet sign-ins by network address. */
import { isFailure } from '../../domain/failure/failures.ts';
import type { RateLimit } from '../../service/pagespace.ts';

/**
 * Runs `work`. If it fails with WALLET_REFUSED, counts the failure against the limit of the caller's network, which
 * refused API keys count against too.
 * @throws Failure RATE_LIMITED after too many refusals, and every error of `work`
 */
export async function countRefusals<Result>(
  service: Pick<RateLimit, 'countRefusedKey'>,
  callerNetwork: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) await service.countRefusedKey(callerNetwork);
    throw error;
  }
}
