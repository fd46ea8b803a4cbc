/** The decisions of persons about steps that wait for an approval. */
import type { Viewer } from '../../domain/account/account.ts';
import type { AuditLog } from '../../domain/ports/auditLog.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Decision } from './approvalControl.ts';
import { assertNoPolicy } from './policyChecks.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

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
export function createApprovals(registry: SessionRegistry, auditLog: AuditLog): Approvals {
  async function decide(
    viewer: Viewer,
    { sessionId, approvalId }: ApprovalCommand,
    decision: Decision,
  ): Promise<Session> {
    // An agent must not approve its own steps.
    assertNoPolicy(viewer);
    const live = await registry.requireLive(viewer, sessionId);
    const { actionId, kinds, description } = live.approval.decide(approvalId, decision);
    await auditLog.append(viewer.account.id, {
      at: registry.now(),
      actor: viewer.keyId,
      action: decision.isGranted ? 'approval.granted' : 'approval.denied',
      subject: live.id,
      details: { actionId, kinds, description },
    });
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
