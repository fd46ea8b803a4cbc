/** The answers that the messages of a step await. */
import type { Task } from './awaitedTask.ts';
import type { TaskHistory } from './taskHistory.ts';

/** Maximum wait for an answer to a message to a server or worker, after a first effect of the step. Milliseconds. */
const REPLY_TIMEOUT_MS = 1_000;

const LOCAL = [IDBRequest, IDBTransaction, FileReader, Promise] as const;

/** Records messages as tasks. */
export interface ReplyTasksDeps {
  readonly tasks: Map<unknown, Task>;
  readonly history: TaskHistory;
  /** Adds a task. @returns null if there are too many */
  add(id: unknown, kind: Task['kind'], callback: unknown, delayMs: number): Task | null;
  /** Called before the page's own listener of an answer. */
  claim(reply: Task): void;
  wakeAll(): void;
}

/** Counts the messages that have no answer yet, for each object that answers: a worker, a socket, a request to a database. */
export class ReplyTasks {
  readonly #deps: ReplyTasksDeps;
  /** The objects that have answered before. */
  readonly #answering = new WeakSet<object>();

  constructor(deps: ReplyTasksDeps) {
    this.#deps = deps;
  }

  /** Returns true for what has answered a message of a step, and for what the browser itself answers: databases, files, keys. */
  hasAnswered(source: unknown): boolean {
    if (typeof source !== 'object' || source === null) return false;
    return LOCAL.some(type => source instanceof type) || this.#answering.has(source);
  }

  /** Records a message. @returns the function `ReplyObserver.asked` returns */
  asked(source: object): (() => boolean) | null {
    const { tasks, add } = this.#deps;
    const open = tasks.get(source);
    if (open !== undefined && open.expected > 0) {
      open.expected++;
      open.dueAt = performance.now() + REPLY_TIMEOUT_MS;
      return null;
    }
    const task = add(source, 'reply', source.constructor.name, REPLY_TIMEOUT_MS);
    return () => this.#answered(source, task);
  }

  /** Called for each answer. @returns true if no more answers are expected */
  #answered(source: object, task: Task | null): boolean {
    const { tasks, history, claim, wakeAll } = this.#deps;
    this.#answering.add(source);
    if (task === null || task.expected === 0 || tasks.get(source) !== task) {
      if (task?.expected === 0) history.answeredLate(task);
      return true;
    }
    if (--task.expected === 0) tasks.delete(source);
    claim(task);
    wakeAll();
    return task.expected === 0;
  }
}
