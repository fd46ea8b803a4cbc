/** Selects the recorded tasks that a step waits for. */
import type { TaskHistory } from './taskHistory.ts';

/** The tasks for which `next` waits. */
export interface TaskWait {
  /** Maximum delay of the timers to wait for. Milliseconds. */
  readonly longestDelayMs: number;
  /** The same for timers whose code goes on with the work of the step (`Task.goesOn`); it may be longer. Milliseconds. */
  readonly longestOngoingMs: number;
  /** True if the step has shown an effect. */
  readonly showsEffect: boolean;
  /** Maximum wait. Milliseconds. */
  readonly maxMs: number;
  /** True to wait also for timers that no work of the step has set: a response that the step requested may have set them. */
  readonly includesOthers: boolean;
  /** True if requests have started since the last call: then the timers that fired before have had an effect. */
  readonly hadRequests: boolean;
}

/** A timer, or a message that awaits its reply. */
export interface Task {
  readonly kind: 'timeout' | 'interval' | 'reply';
  /** Time at which the task is due, as `performance.now()`; for a reply, the time until which it is awaited. */
  dueAt: number;
  readonly delayMs: number;
  /** True if the code does not seem to take an effect back. */
  readonly goesOn: boolean;
  /** True if work of the step has set it. */
  ofStep: boolean;
  /** Time at which the chain of tasks started that has led to this one. */
  chainStartedAt: number;
  /** Identifies the code of the task and the element of the step. */
  readonly signature: string;
  /** Number of times in a row that other work than the step's has set it anew when it ran. */
  rounds: number;
  readonly target: string;
  /** Number of answers that a message still awaits; 0 if the wait for them is over. */
  expected: number;
  /** True if what the message was sent to has answered before. */
  readonly answers: boolean;
  /** True if the browser itself answers: a database, a file, a key. */
  readonly isSure: boolean;
  /** True if the message has its answer, and more may follow it. */
  follows?: boolean;
  /** True if the answer may only be the first effect of the step: nothing shows that one is to come. */
  isGuess?: boolean;
}

/** Number of characters of a function's source that identify it. */
const SOURCE_LENGTH = 300;

/** Identifies the code of a task. */
export const taskSignature = (kind: Task['kind'], delayMs: number, source: string): string =>
  `${kind} ${Math.round(delayMs / 10)} ${source.slice(0, SOURCE_LENGTH)}`;

/** Maximum wait for the answer of what has answered before. Milliseconds. */
const MAX_ANSWER_MS = 3_200;
/** Maximum time in which a chain of timers or an interval of a step counts as its work; after that, it is a clock. Milliseconds. */
const MAX_CHAIN_MS = 3_200;
/** A timer that sets itself anew so often, without work of the step, is a clock. */
const MAX_ROUNDS = 3;
/** An interval of at most this length moves something; a longer one, once the step has shown its effect, is a clock. Milliseconds. */
const MAX_MOVING_INTERVAL_MS = 300;
/**
 * Returns true if a task may still show an effect of the step. Records chains that do not end.
 * @param now the present time, as `performance.now()`
 */
export function isAwaited(task: Task, wait: TaskWait, now: number, history: TaskHistory): boolean {
  if (!(task.ofStep || (wait.includesOthers && !history.isClock(task))) || history.isIneffective(task))
    return false;
  if (task.kind === 'reply') {
    if (task.expected === 0 || (task.isGuess === true && wait.showsEffect)) return false;
    const chainMs = now - task.chainStartedAt;
    if (task.follows === true) return now < task.dueAt && chainMs < MAX_CHAIN_MS;
    if (task.isSure && chainMs > MAX_CHAIN_MS) {
      history.markEndless(task);
      return false;
    }
    const longestMs = Math.max(wait.longestDelayMs, task.answers ? MAX_ANSWER_MS : wait.longestOngoingMs);
    if (now < task.dueAt + Math.max(0, longestMs - task.delayMs)) return true;
    task.expected = 0;
    history.expired(task);
    return false;
  }
  const { kind, delayMs, dueAt } = task;
  if (!task.ofStep && task.rounds >= MAX_ROUNDS) {
    history.markClock(task);
    return false;
  }
  const chainMs = now - task.chainStartedAt;
  if ((kind === 'interval' || delayMs < chainMs / 2) && chainMs > MAX_CHAIN_MS) {
    history.markEndless(task);
    return false;
  }
  if (kind === 'interval' && chainMs > delayMs && delayMs > MAX_MOVING_INTERVAL_MS) return false;
  const isShort = delayMs <= wait.longestDelayMs || (task.goesOn && delayMs <= wait.longestOngoingMs);
  return isShort && dueAt <= now + wait.maxMs;
}
