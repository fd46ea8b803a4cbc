/** Commands for tests of a cluster. */
import type {
  CloseCommand,
  ObserveCommand,
  StartCommand,
  StepCommand,
} from '../../../src/service/sessions/sessionOperations.ts';

const never = new AbortController().signal;

/** Starts a session that stays. */
export const START: StartCommand = {
  keepAlive: true,
  timeoutMinutes: null,
  screenshot: false,
  signal: never,
};

/** Observes a page in a session, or in a new one. */
export const observeCommand = (sessionId: string | null, url: string | null): ObserveCommand => ({
  ...START,
  sessionId,
  url,
  limits: { max: 10, min: null },
  data: null,
  space: true,
});

/** Performs an action in a session. */
export const stepCommand = (sessionId: string, actionId: string): StepCommand => ({
  ...observeCommand(sessionId, null),
  sessionId,
  actionId,
  value: null,
  enter: false,
  params: {},
});

/** Closes a session. */
export const closeCommand = (sessionId: string): CloseCommand => ({
  sessionId,
  screenshot: false,
  signal: never,
});
