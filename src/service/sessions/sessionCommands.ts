import { callerOf, type Viewer } from '../../domain/account/account.ts';
import { DEFAULT_APPROVAL_MINUTES, type StepKind } from '../../domain/account/keyPolicy.ts';
import { assertKindAllowed, assertNoPolicy } from '../../domain/account/policyChecks.ts';
import { type Failure, type FailureCode, isFailure } from '../../domain/failure/failures.ts';
import { type Audit, auditLostTakeOver } from '../../domain/ports/auditLog.ts';
import { type ChangeableOptions, shownOptions } from '../../domain/session/browserOptions.ts';
import type { Session } from '../../domain/session/session.ts';
import type { InputAnswer, InputEvent } from '../../domain/session/takeOver.ts';
import { cutText } from '../../domain/space/pageText.ts';
import { mentionsVault } from '../../domain/vault.ts';
import type { Decision } from './approvalControl.ts';
import type { LiveSession } from './liveSession.ts';
import type { OperationDeadline } from './operationDeadline.ts';
import type { StepCommand } from './sessionOperations.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

interface UpdateSessionCommand {
  readonly sessionId: string;
  /** The new name; null to remove it, absent to keep it. */
  readonly name?: string | null;
  /** The new labels, which replace the present ones; absent to keep them. */
  readonly labels?: readonly string[];
  readonly options?: ChangeableOptions;
}

interface ExtendSessionCommand {
  readonly sessionId: string;
  /** New idle timeout in minutes; null or absent to keep the present one. */
  readonly timeoutMinutes?: number | null;
}

/** Changes of a running session. They wait for no operation and are not charged. */
export interface SessionEdits {
  /** @throws Failure SESSION_NOT_FOUND, VALIDATION_ERROR, BROWSER_CRASHED, or that of an ended session */
  updateSession(viewer: Viewer, command: UpdateSessionCommand): Promise<Session>;
  /** Starts the idle timer again. @throws Failure SESSION_NOT_FOUND, VALIDATION_ERROR, or that of an ended session */
  extendSession(viewer: Viewer, command: ExtendSessionCommand): Promise<Session>;
}

/** @param validateTimeout throws Failure VALIDATION_ERROR for one above the maximum of the account */
export function createSessionEdits(
  registry: SessionRegistry,
  validateTimeout: (viewer: Viewer, timeoutMinutes: number) => Promise<number>,
): SessionEdits {
  return {
    async updateSession(viewer, { sessionId, name, labels, options = {} }) {
      const live = await registry.requireLive(viewer, sessionId);
      if (Object.keys(options).length > 0) {
        await live.lease.changeOptions(options);
        const shown = shownOptions(options);
        if (shown !== null) await live.change({ type: 'options_changed', options: shown });
      }
      if (name === undefined && labels === undefined) return live.session;
      await live.change({
        type: 'renamed',
        ...(name !== undefined && { name }),
        ...(labels !== undefined && { labels }),
      });
      return live.session;
    },
    async extendSession(viewer, { sessionId, timeoutMinutes }) {
      const live = await registry.requireLive(viewer, sessionId);
      const minutes = timeoutMinutes == null ? undefined : await validateTimeout(viewer, timeoutMinutes);
      await live.change({
        type: 'extended',
        at: registry.now(),
        ...(minutes !== undefined && { timeoutMinutes: minutes }),
      });
      return live.session;
    },
  };
}

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

interface ApprovalCommand {
  readonly sessionId: string;
  readonly approvalId: string;
}

export interface Approvals {
  /** @throws Failure APPROVAL_NOT_FOUND, POLICY_REFUSED for a key with a policy, and those of `requireLive` */
  approveStep(viewer: Viewer, command: ApprovalCommand): Promise<Session>;
  /** @param command `reason`: a sentence for the agent; null for none */
  denyStep(viewer: Viewer, command: ApprovalCommand & { readonly reason: string | null }): Promise<Session>;
}

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

interface RequestTakeOverCommand {
  readonly sessionId: string;
  readonly instructions: string;
  readonly timeoutSeconds: number;
}

interface TakeOverCommand {
  readonly sessionId: string;
  readonly name: string;
  /** Id of the take-over that this person has, to go on with it; null or absent for a new one. */
  readonly holdId?: string | null;
}

export interface Hold {
  /** Known to this person only: input and hand-back need it. */
  readonly holdId: string;
  readonly session: Session;
}

interface SendInputCommand {
  readonly sessionId: string;
  readonly holdId: string;
  readonly events: readonly InputEvent[];
}

interface RenewTakeOverCommand {
  readonly sessionId: string;
  readonly holdId: string;
  /** False when the connection of the person has just ended: all keys and buttons are released then. */
  readonly isConnected: boolean;
}

interface HandBackCommand {
  readonly sessionId: string;
  /** Id of the take-over; null or absent to withdraw the request for a person. */
  readonly holdId?: string | null;
}

/** The take-over of sessions. Each throws Failure SESSION_NOT_FOUND, and that of an ended session. */
export interface TakeOvers {
  /** @throws Failure TAKEN_OVER if a person has the session */
  requestTakeOver(viewer: Viewer, command: RequestTakeOverCommand): Promise<Session>;
  /** @throws Failure TAKEN_OVER if another person has the session; POLICY_REFUSED */
  takeOver(viewer: Viewer, command: TakeOverCommand): Promise<Hold>;
  /** @throws Failure TAKE_OVER_ENDED, RATE_LIMITED */
  sendInput(viewer: Viewer, command: SendInputCommand): Promise<InputAnswer>;
  /** Call it every few seconds while the person is connected. @throws Failure TAKE_OVER_ENDED */
  renewTakeOver(viewer: Viewer, command: RenewTakeOverCommand): Promise<Session>;
  /** @throws Failure TAKEN_OVER if somebody else has the session */
  handBack(viewer: Viewer, command: HandBackCommand): Promise<Session>;
}

/** Maximum wait of input for the operation that runs: longer than an operation takes. Milliseconds. */
const INPUT_TIMEOUT_MS = 120_000;

const ENDS_OF_RIGHTS: readonly FailureCode[] = [
  'POLICY_REFUSED',
  'REVOKED_API_KEY',
  'EXPIRED_API_KEY',
  'SHARE_LINK_ENDED',
];

/** Creates the take-over of the sessions of this process. @param callerNow returns the caller with the policy of now @throws Failure for one whose key or link has ended */
export function createTakeOvers(
  registry: SessionRegistry,
  audit: Audit,
  callerNow: (viewer: Viewer) => Promise<Viewer>,
  warn: (message: string, error?: unknown) => void,
): TakeOvers {
  const live = (viewer: Viewer, { sessionId }: { readonly sessionId: string }) =>
    registry.requireLive(viewer, sessionId);
  /** Returns why a person has lost the right to a take-over since it began; null if they have it, or if nobody can tell now. */
  const endOfRight = (viewer: Viewer): Promise<Failure | null> =>
    callerNow(viewer)
      .then(assertNoPolicy)
      .then(
        () => null,
        error => (isFailure(error) && ENDS_OF_RIGHTS.includes(error.code) ? error : null),
      );
  return {
    async requestTakeOver(viewer, command) {
      const found = await live(viewer, command);
      await found.takeOver.request(command.instructions, command.timeoutSeconds * 1_000, callerOf(viewer));
      return found.session;
    },
    async takeOver(viewer, command) {
      const found = await live(viewer, command);
      // The steps of a person are of no kind that a policy could refuse.
      assertNoPolicy(viewer);
      const by = { ...callerOf(viewer), kind: 'person' as const };
      found.takeOver.assertFree(command.holdId ?? null);
      // Before the act, as for a use of the vault: one that cannot be written down does not happen.
      if (command.holdId == null) {
        const details = { name: command.name };
        await audit(viewer, { action: 'take_over.begun', subject: found.id, details });
      }
      try {
        // The key can have lost the right meanwhile.
        assertNoPolicy(await callerNow(viewer));
        const holdId = await found.takeOver.begin(command.name, by, command.holdId ?? null);
        return { holdId, session: found.session };
      } catch (error) {
        if (command.holdId == null)
          await auditLostTakeOver(audit, found.session, {
            name: command.name,
            reason: 'It did not begin.',
          }).catch(unwritten =>
            warn('A take-over that did not begin could not be written in the audit log', unwritten),
          );
        throw error;
      }
    },
    async sendInput(viewer, command) {
      const found = await live(viewer, command);
      assertNoPolicy(viewer);
      return found.takeOver.dispatch(command.holdId, command.events, AbortSignal.timeout(INPUT_TIMEOUT_MS));
    },
    async renewTakeOver(viewer, command) {
      const found = await live(viewer, command);
      const ended = command.isConnected ? await endOfRight(viewer) : null;
      if (ended !== null) {
        await found.takeOver.end(({ keyId }) => keyId === viewer.keyId, ended.message);
        throw ended;
      }
      await found.takeOver.renew(command.holdId, command.isConnected);
      return found.session;
    },
    async handBack(viewer, command) {
      const found = await live(viewer, command);
      const { holdId = null } = command;
      if (holdId !== null) {
        found.takeOver.assertFree(holdId);
        // Ended already: nothing to write down, and the request of another time is not this person's.
        if (found.takeOver.holder === null) return found.session;
      }
      await found.takeOver.handBack(holdId, () =>
        audit(viewer, { action: 'take_over.ended', subject: found.id }),
      );
      return found.session;
    },
  };
}
