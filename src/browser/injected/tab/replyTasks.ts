/** The answers that the messages of a step await. */
import type { Task } from './awaitedTask.ts';
import type { TaskHistory } from './taskHistory.ts';

/** Maximum wait for an answer to a message to a server or worker, after a first effect of the step. Milliseconds. */
const REPLY_TIMEOUT_MS = 1_000;

/** Wait for a second answer to the first message to a server or worker. Milliseconds. */
const SECOND_ANSWER_MS = 500;
/** Wait for one more answer of what has answered several times. Milliseconds. */
const NEXT_ANSWER_MS = 1_000;
/** Number of servers or workers of a kind without a second answer after which none of that kind is waited for. */
const MAX_WITHOUT_SECOND = 2;
/** Answers that go on for longer than this are those of a feed, which is not followed again. Milliseconds. */
const FEED_MS = 3_000;

const LOCAL = [IDBRequest, IDBTransaction, FileReader, Promise] as const;

/** Returns true for what the browser itself answers: databases, files, keys. */
const isAnsweredByBrowser = (source: unknown): boolean => LOCAL.some(type => source instanceof type);

/** The habits of a server or worker. */
interface Habits {
  /** True if answers have come that no message awaited. */
  answersAgain: boolean;
  /** True if its answers have not ended in time. */
  isFeed: boolean;
  /** True if a second answer was waited for. */
  wasFollowed: boolean;
}

/** Records messages as tasks. */
export interface ReplyTasksDeps {
  readonly tasks: Map<unknown, Task>;
  readonly history: TaskHistory;
  /** Adds a task. @returns null if there are too many */
  add(id: unknown, kind: Task['kind'], callback: unknown, delayMs: number): Task | null;
  /** Called before or after the page's own listener of an answer. @param at the time of the answer, as `performance.now()` */
  claim(reply: Task, at: number): void;
  wakeAll(): void;
}

/** Counts the messages that have no answer yet, for each object that answers: a worker, a socket, a request to a database. */
export class ReplyTasks {
  readonly #deps: ReplyTasksDeps;
  /** The objects that have answered before. */
  readonly #answering = new WeakSet<object>();
  readonly #habits = new WeakMap<object, Habits>();
  /** Numbers of servers or workers that were followed, less those that have answered again, by the names of their kinds. */
  readonly #withoutSecond = new Map<string, number>();

  constructor(deps: ReplyTasksDeps) {
    this.#deps = deps;
  }

  /** Returns what is known of the source of an answer: whether it has answered a message of a step, and whether the browser itself answers. */
  knownOf(source: unknown): Pick<Task, 'answers' | 'isSure'> {
    const isSure = isAnsweredByBrowser(source);
    const isKnown = typeof source === 'object' && source !== null && this.#answering.has(source);
    return { answers: isSure || isKnown, isSure };
  }

  /** Records a message. @param isGuess see `Task.isGuess` @returns the function `ReplyObserver.asked` returns */
  asked(source: object, isGuess = false): ((answer?: unknown) => boolean) | null {
    const { tasks, add } = this.#deps;
    const open = tasks.get(source);
    if (open?.isGuess === true && open.expected > 0) {
      open.isGuess = isGuess;
      if (!isGuess) open.dueAt = performance.now() + REPLY_TIMEOUT_MS;
      return null;
    }
    if (open !== undefined && open.expected > 0 && open.follows !== true) {
      open.expected++;
      open.dueAt = performance.now() + REPLY_TIMEOUT_MS;
      return null;
    }
    const task = add(source, 'reply', source.constructor.name, REPLY_TIMEOUT_MS);
    if (isGuess && task !== null) task.isGuess = true;
    return answer => this.#answered(source, task, answer);
  }

  /** Called for each answer. @returns true if no more answers are expected */
  #answered(source: object, task: Task | null, answer: unknown): boolean {
    const { tasks, history, claim, wakeAll } = this.#deps;
    this.#answering.add(source);
    if (task === null || task.expected === 0 || tasks.get(source) !== task) {
      if (task?.expected === 0) history.answeredLate(task);
      return true;
    }
    if (task.follows === true) this.#answeredAgain(source, task);
    else if (--task.expected === 0 && !this.#follow(source, task)) tasks.delete(source);
    // The page's own listener may have run before: what it has changed is an effect of the answer.
    claim(task, answer instanceof Event ? answer.timeStamp : performance.now());
    wakeAll();
    return task.expected === 0;
  }

  /** Waits for more answers than the messages await, if there may be some: progress, parts of a text. @returns true if it does */
  #follow(source: object, task: Task): boolean {
    if (task.isSure || !(source instanceof EventTarget)) return false;
    const habits = this.#habitsOf(source);
    const kind = source.constructor.name;
    const withoutSecond = this.#withoutSecond.get(kind) ?? 0;
    if (
      habits.isFeed ||
      (!habits.answersAgain && (habits.wasFollowed || withoutSecond >= MAX_WITHOUT_SECOND))
    )
      return false;
    if (!habits.wasFollowed) this.#withoutSecond.set(kind, withoutSecond + 1);
    habits.wasFollowed = true;
    const now = performance.now();
    Object.assign(task, { expected: 1, follows: true, isGuess: false });
    task.dueAt = now + (habits.answersAgain ? NEXT_ANSWER_MS : SECOND_ANSWER_MS);
    return true;
  }

  #answeredAgain(source: object, task: Task): void {
    const habits = this.#habitsOf(source);
    const now = performance.now();
    if (!habits.answersAgain) this.#withoutSecond.delete(source.constructor.name);
    habits.answersAgain = true;
    habits.isFeed ||= now - task.chainStartedAt > FEED_MS;
    task.dueAt = now + NEXT_ANSWER_MS;
  }

  #habitsOf(source: object): Habits {
    const known = this.#habits.get(source) ?? { answersAgain: false, isFeed: false, wasFollowed: false };
    this.#habits.set(source, known);
    return known;
  }
}
