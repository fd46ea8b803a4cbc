/** Records the effects of the timers of earlier steps: a step does not wait again for a timer that never changes anything. */

/** A task by its code and by the element of the step that set it. */
interface TaskIdentity {
  readonly signature: string;
  readonly target: string;
}

interface FiredTask extends TaskIdentity {
  readonly delayMs: number;
}

/** Number of tasks of one kind, over all elements, after which a kind without any effect is not waited for at new elements. */
const MIN_TASKS_OF_A_KIND = 2;
/** Maximum number of remembered kinds of tasks. */
const MAX_REMEMBERED = 1_000;

/** Remembers which tasks of a document had an effect. */
export class TaskHistory {
  readonly #counts = new Map<string, { count: number; effective: number }>();
  /** Signatures of timers that the page sets again and again by itself. */
  readonly #clocks = new Set<string>();
  #unjudged: { readonly task: FiredTask; readonly at: number }[] = [];

  /** Records that a task has run at this time. */
  fired(task: FiredTask, at: number): void {
    this.#unjudged.push({ task, at });
  }

  /** Judges the tasks that have run. @param hadEffect returns true if a task with this delay that ran at this time had an effect */
  learn(hadEffect: (at: number, delayMs: number) => boolean): void {
    for (const { task, at } of this.#unjudged)
      for (const key of keysOf(task)) this.#count(key, hadEffect(at, task.delayMs));
    this.#unjudged = [];
  }

  /** Records that an answer did not come in time. */
  expired(task: TaskIdentity): void {
    for (const key of keysOf(task)) this.#count(key, false);
  }

  /** Forgets that an answer did not come in time: it has come later. */
  answeredLate(task: TaskIdentity): void {
    for (const key of keysOf(task)) if (this.#counts.get(key)?.effective === 0) this.#counts.delete(key);
  }

  /** Records that a task repeats without end. */
  markEndless(task: TaskIdentity): void {
    this.#counts.set(keysOf(task)[0], { count: 1, effective: 0 });
  }

  /** Records that the page sets a timer again and again by itself. */
  markClock({ signature }: TaskIdentity): void {
    if (this.#clocks.size >= MAX_REMEMBERED) this.#clocks.clear();
    this.#clocks.add(signature);
  }

  /** True for a timer that the page sets again and again by itself. */
  isClock({ signature }: TaskIdentity): boolean {
    return this.#clocks.has(signature);
  }

  /** True if such a task of this element, or enough such tasks of any elements, changed nothing. */
  isIneffective(task: TaskIdentity): boolean {
    const [own, ofKind] = keysOf(task).map(key => this.#counts.get(key));
    if (own !== undefined) return own.effective === 0;
    return ofKind !== undefined && ofKind.count >= MIN_TASKS_OF_A_KIND && ofKind.effective === 0;
  }

  #count(key: string, effective: boolean): void {
    if (this.#counts.size >= MAX_REMEMBERED) this.#counts.clear();
    const known = this.#counts.get(key) ?? { count: 0, effective: 0 };
    this.#counts.set(key, { count: known.count + 1, effective: known.effective + (effective ? 1 : 0) });
  }
}

const keysOf = ({ signature, target }: TaskIdentity): readonly [string, string] => [
  `${target}\n${signature}`,
  `\n${signature}`,
];
