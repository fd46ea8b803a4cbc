/** The decisions of persons about steps that wait for an approval. */
import type { Viewer } from '../../domain/account/account.ts';
import { DEFAULT_APPROVAL_MINUTES, type StepKind } from '../../domain/account/keyPolicy.ts';
import { assertKindAllowed, assertNoPolicy } from '../../domain/account/policyChecks.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { Session } from '../../domain/session/session.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { mentionsVault } from '../../domain/vault.ts';
import type { Decision } from './approvalControl.ts';
import type { LiveSession } from './liveSession.ts';
import type { OperationDeadline } from './operationDeadline.ts';
import type { StepCommand } from './sessionOperations.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

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
  // All that the step may use: parameters win over the value in special actions.
  const named = Object.entries(params).map(([name, text]) => `${name}: ${text}`);
  const entered = [...(value === null ? [] : [value]), ...named, ...(enter ? ['then Enter'] : [])].join(
    ' | ',
  );
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

/** Input of `approveStep` and `denyStep`. */
export interface ApprovalCommand {
  readonly sessionId: string;
  readonly approvalId: string;
}

/** The decisions of persons about steps. */
export interface Approvals {
  /** @throws Failure APPROVAL_NOT_FOUND, POLICY_REFUSED for a key with a policy, and those of `requireLive` */
  approveStep(viewer: Viewer, command: ApprovalCommand): Promise<Session>;
  /** @param command `reason`: a sentence for the agent; null for none */
  denyStep(viewer: Viewer, command: ApprovalCommand & { readonly reason: string | null }): Promise<Session>;
}

/** Creates the decisions about the steps of the sessions of this process. */
export function createApprovals(registry: SessionRegistry, audit: Audit): Approvals {
  async function decide(
    viewer: Viewer,
    { sessionId, approvalId }: ApprovalCommand,
    decision: Decision,
  ): Promise<Session> {
    // An agent must not approve its own steps.
    assertNoPolicy(viewer);
    const live = await registry.requireLive(viewer, sessionId);
    const { actionId, kinds, description } = live.approval.pending(approvalId);
    await audit(viewer, {
      action: decision.isGranted ? 'approval.granted' : 'approval.denied',
      subject: live.id,
      details: { actionId, kinds, description },
    });
    // After the row: a decision that cannot be written down is none.
    live.approval.decide(approvalId, decision);
    return live.session;
  }
  return {
    approveStep: (viewer, command) => decide(viewer, command, { isGranted: true }),
    denyStep: (viewer, { reason, ...command }) =>
      decide(viewer, command, {
        isGranted: false,
        reason: reason === null ? 'A person has denied it.' : `A person has denied it: ${reason}`,
      }),
  };
}
