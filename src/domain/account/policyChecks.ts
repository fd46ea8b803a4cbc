/** Checks of the policy of an API key that need no browser. Each throws Failure POLICY_REFUSED. */

import { withDefaultScheme } from '../defaultScheme.ts';
import { Failure } from '../failure/failures.ts';
import type { ProfileChoice } from '../session/browserOptions.ts';
import type { UpstreamProxy } from '../session/upstreamProxy.ts';
import { normalizeHost, quoteUrl } from '../webAddress.ts';
import type { Viewer } from './account.ts';
import { hostRefusal, type StepKind } from './keyPolicy.ts';

const refused = (detail: string): Failure => new Failure('POLICY_REFUSED', detail);

/** A key with a policy acts only in the sessions that it has started: the requests of others follow another policy. @throws Failure POLICY_REFUSED */
export function assertOwnSession(
  { policy, keyId }: Viewer,
  { charges }: { readonly charges: { readonly options: { readonly keyId: string } } },
): void {
  if (policy !== undefined && charges.options.keyId !== keyId)
    throw refused('Another key started this session, and the key of this request has a policy.');
}

export function assertNoPolicy({ policy }: Viewer): void {
  if (policy !== undefined)
    throw refused(
      'A key with a policy takes no session over, shares none, ends no link, removes no record, and approves no step.',
    );
}

/** Checks the profile, the proxy and the first address of a new session, before anything of it exists. @throws Failure POLICY_REFUSED; VALIDATION_ERROR for an address that is none */
export function assertStartAllowed(
  viewer: Viewer,
  {
    profile,
    url,
    proxy,
  }: {
    readonly profile?: ProfileChoice | null;
    readonly url?: string | null;
    readonly proxy?: UpstreamProxy | null;
  },
): void {
  if (profile != null) assertProfile(viewer, profile.name);
  const { policy } = viewer;
  if (policy === undefined) return;
  // A proxy of the caller sees all requests, and can answer for any host over http: the policy must name it.
  const limitsHosts = policy.allowHosts !== undefined || (policy.denyHosts ?? []).length > 0;
  if (
    proxy != null &&
    limitsHosts &&
    (policy.allowHosts === undefined || hostRefusal(policy, proxy.host) !== null)
  )
    throw refused(
      `The policy of the API key does not allow the proxy ${proxy.host}: allowHosts must name it.`,
    );
  if (url == null) return;
  const address = URL.parse(withDefaultScheme(url));
  const host = address === null ? '' : normalizeHost(address);
  const refusal = host === '' ? null : hostRefusal(policy, host);
  if (refusal !== null) throw refused(`${quoteUrl(url)} was not opened: ${refusal}.`);
}

export function assertProfile({ policy }: Viewer, name: string): void {
  if (policy?.profiles !== undefined && !policy.profiles.includes(name))
    throw refused(`The policy of the API key does not allow the profile "${name}".`);
}

export function assertVaultEntry({ policy }: Viewer, name: string): void {
  if (policy?.vaultEntries !== undefined && !policy.vaultEntries.includes(name))
    throw refused(`The policy of the API key does not allow the vault entry "${name}".`);
}

const KIND_WORDS: Readonly<Record<StepKind, string>> = {
  write: 'steps that act on a page: it is for reading',
  submit: 'steps that send a form',
  upload: 'uploads',
  download: 'downloads',
  vault: 'values of the vault',
};

export function assertKindAllowed({ policy }: Viewer, kind: StepKind): void {
  if (policy?.denySteps?.includes(kind))
    throw refused(`The policy of the API key does not allow ${KIND_WORDS[kind]}.`);
}

/** Returns the check that the browser calls with each kind of the step; undefined without a policy. @param approved kinds that a person has approved */
export const kindCheckOf = (
  viewer: Viewer,
  approved: readonly StepKind[],
): ((kind: StepKind) => Promise<void>) | undefined =>
  viewer.policy === undefined
    ? undefined
    : async kind => {
        assertKindAllowed(viewer, kind);
        if (viewer.policy?.requireApproval?.includes(kind) && !approved.includes(kind))
          throw refused(`The element has changed: the step needs an approval for ${KIND_WORDS[kind]}.`);
      };
