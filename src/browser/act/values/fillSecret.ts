/** Fills a value of the vault into a field of its kind, on an origin of its entry. */
import { type VaultSecret, vaultRefused } from '../../../domain/vault.ts';
import type { ElementContext, KeptCheck } from '../element/elementContext.ts';
import { checkKeptNow, keptCheck, pressEnter } from './valueChecks.ts';

/**
 * Checks, before anything happens on the page, that a field may have a value of the vault. `fillSecret` checks it again in the task in which
 * it fills the value.
 * @throws Failure VAULT_REFUSED
 */
export async function assertSecretAllowed(element: ElementContext, secret: VaultSecret): Promise<void> {
  const { tab, world, listed } = element;
  const top = URL.parse(tab.page.url())?.origin ?? 'null';
  if (!secret.origins.includes(top)) throw refused(element, secret, `the page is of ${top}`);
  const problem = await world.callAgent('secretProblem', listed.key, secret.field, secret.origins);
  if (problem !== null) throw refused(element, secret, problem);
}

/**
 * Fills the value into the field, which has the focus. The value goes to the document only after a check without it, and the document
 * checks again and fills in one task: no navigation, no other frame and no other field comes between.
 * @throws Failure VAULT_REFUSED
 */
export async function fillSecret(element: ElementContext, secret: VaultSecret): Promise<KeptCheck> {
  const { world, listed } = element;
  await assertSecretAllowed(element, secret);
  const value = secret.read();
  element.keepSecret?.(value);
  const problem = await world.callAgent('fillSecret', listed.key, secret.field, secret.origins, value);
  if (problem !== null) throw refused(element, secret, problem);
  if (!element.enter) return keptCheck(element, value);
  await checkKeptNow(element, value);
  return pressEnter(element);
}

const refused = ({ listed: { id, description } }: ElementContext, secret: VaultSecret, problem: string) =>
  vaultRefused(
    `${secret.entry}.${secret.field} was not filled into ${id} (${description}): ${problem}. The entry is bound to ${secret.origins.join(', ')}.`,
  );
