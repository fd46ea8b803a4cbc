/** The take-over of sessions by persons: commands and their implementation. They wait for no operation but `sendInput`, and are not charged. */
import { callerOf, type Viewer } from '../../domain/account/account.ts';
import { assertNoPolicy } from '../../domain/account/policyChecks.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { InputAnswer, InputEvent } from '../../domain/session/inputEvent.ts';
import type { Session } from '../../domain/session/session.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** Input of `requestTakeOver`. */
export interface RequestTakeOverCommand {
  readonly sessionId: string;
  /** The task of the person. */
  readonly instructions: string;
  /** Time after which the request lapses if nobody has come. */
  readonly timeoutSeconds: number;
}

/** Input of `takeOver`. */
export interface TakeOverCommand {
  readonly sessionId: string;
  /** Name of the person, for the others and for the events. */
  readonly name: string;
  /** Id of the take-over that this person has, to go on with it; null or absent for a new one. */
  readonly holdId?: string | null;
}

/** The take-over that a person has begun. */
export interface Hold {
  /** Known to this person only: input and hand-back need it. */
  readonly holdId: string;
  readonly session: Session;
}

export interface SendInputCommand {
  readonly sessionId: string;
  readonly holdId: string;
  readonly events: readonly InputEvent[];
}

/** Input of `renewTakeOver`. */
export interface RenewTakeOverCommand {
  readonly sessionId: string;
  readonly holdId: string;
  /** False when the connection of the person has just ended: all keys and buttons are released then. */
  readonly isConnected: boolean;
}

/** Input of `handBack`. */
export interface HandBackCommand {
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

/** Creates the take-over of the sessions of this process. */
export function createTakeOvers(registry: SessionRegistry, audit: Audit): TakeOvers {
  const live = (viewer: Viewer, { sessionId }: { readonly sessionId: string }) =>
    registry.requireLive(viewer, sessionId);
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
      const holdId = await found.takeOver.begin(command.name, by, command.holdId ?? null);
      return { holdId, session: found.session };
    },
    async sendInput(viewer, command) {
      const found = await live(viewer, command);
      return found.takeOver.dispatch(command.holdId, command.events, AbortSignal.timeout(INPUT_TIMEOUT_MS));
    },
    async renewTakeOver(viewer, command) {
      const found = await live(viewer, command);
      await found.takeOver.renew(command.holdId, command.isConnected);
      return found.session;
    },
    async handBack(viewer, command) {
      const found = await live(viewer, command);
      const { holdId = null } = command;
      if (holdId !== null) {
        found.takeOver.assertFree(holdId);
        // Ended already: nothing to write down, and the request of another time is not this person's.
        if (!found.takeOver.isHeld) return found.session;
        await audit(viewer, { action: 'take_over.ended', subject: found.id });
      }
      await found.takeOver.handBack(holdId);
      return found.session;
    },
  };
}
