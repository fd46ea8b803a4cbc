/** Asks a person about a step, if the policy of its caller's key says so. */
import type { Viewer } from '../../domain/account/account.ts';
import { DEFAULT_APPROVAL_MINUTES, type StepKind } from '../../domain/account/keyPolicy.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { mentionsVault } from '../../domain/vault.ts';
import type { LiveSession } from './liveSession.ts';
import type { OperationDeadline } from './operationDeadline.ts';
import { assertKindAllowed } from './policyChecks.ts';
import type { StepCommand } from './sessionOperations.ts';

/** Maximum length of the value of a step that a person is asked about. Characters. */
const MAX_APPROVAL_VALUE = 1_000;

/** Waits for a person, if the policy of the key asks one about this step. Returns the kinds that are approved. @throws Failure APPROVAL_REFUSED, POLICY_REFUSED */
export async function approvedKinds(
  viewer: Viewer,
  { actionId, value, enter, params }: StepCommand,
  live: LiveSession,
  deadline: OperationDeadline,
): Promise<readonly StepKind[]> {
  const { requireApproval = [], approvalMinutes = DEFAULT_APPROVAL_MINUTES } = viewer.policy ?? {};
  if (requireApproval.length === 0) return [];
  const found = await live.lease.stepKinds({ actionId, value, enter, params }, deadline);
  const isVaulted = value !== null && mentionsVault(value);
  const kinds = isVaulted ? [...found, 'vault' as const] : found;
  for (const kind of kinds) assertKindAllowed(viewer, kind);
  const needed = kinds.filter(kind => requireApproval.includes(kind));
  if (needed.length === 0) return [];
  const { description = null } = live.observations.last?.actions.find(({ id }) => id === actionId) ?? {};
  const entered = value ?? Object.values(params).join(' ');
  await live.approval.wait(
    {
      kinds: needed,
      actionId,
      description,
      value: entered === '' ? null : live.lease.secrets.maskValue(cutText(entered, MAX_APPROVAL_VALUE)),
      timeoutMs: approvalMinutes * 60_000,
    },
    deadline,
  );
  return needed;
}
