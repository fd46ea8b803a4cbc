/**
 * Records the timers, animation frames and messages with which a page continues the work of a step. It runs in the world
 * of the page's own scripts, because no other world sees them, and only while a step runs: `begin` replaces the
 * functions of the window, `end` puts the page's own back. The page has no reference to the recorder itself.
 *
 * The work of a step is what its input events start, and what that work starts in turn. A timer that other work of the
 * page sets, such as a clock, is recorded apart.
 */

import { isAwaited, type Task, type TaskWait, taskSignature } from './awaitedTask.ts';
import { BodyReads } from './bodyReads.ts';
import { goesOn } from './callbackSource.ts';
import { clipboardWrites } from './clipboardWrites.ts';
import { ContentWatch } from './contentWatch.ts';
import { INPUT_EVENTS, watchDetachedInput } from './inputEvents.ts';
import { PostedMessages } from './postedMessages.ts';
import { replySources } from './replySources.ts';
import { ReplyTasks } from './replyTasks.ts';
import { TaskHistory } from './taskHistory.ts';
import { watchedClick } from './watchedClick.ts';
import { type Callback, WindowFunctions } from './windowFunctions.ts';

/** The recorder of one document. */
export interface TaskRecorder {
  /** Starts to record. @param target identifies the element of the step, for what the recorder learns about its timers */
  begin(target: string): void;
  /**
   * Waits until the recorded tasks have run, or one of them has changed the document.
   * @returns the words `waited`, if it waited, and `download`, if the step has clicked a link to a file, then the milliseconds until each
   *   timer of the step is due; a page could hold back an object
   */
  next(wait: TaskWait): Promise<string>;
  /** Returns true if the step has no work left but what timers and messages of others do. */
  isIdle(): boolean;
  /** Returns true while the page reads the body of a response. */
  readsBody(): boolean;
  /** Stops to record. */
  end(): void;
}

/** Maximum time in which animation frames by script that change nothing count as work of the step. Milliseconds. */
const MAX_FRAMES_MS = 1_500;
/** Maximum time between two checks of the recorded tasks. Milliseconds. */
const CHECK_INTERVAL_MS = 100;
/** Maximum delay of a recorded timer. Milliseconds. */
const MAX_DELAY_MS = 60_000;
/** Maximum number of timers that are reported. */
const MAX_REPORTED = 20;
/** Maximum number of recorded tasks. */
const MAX_TASKS = 500;

/** Creates the recorder of the current document. It records nothing before `begin`. */
export function createTaskRecorder(): TaskRecorder {
  const { apply } = Reflect;
  const sourceOf = Function.prototype.toString;
  const post = MessagePort.prototype.postMessage;
  const native = {
    setTimeout: window.setTimeout,
    setInterval: window.setInterval,
    clearTimeout: window.clearTimeout,
    clearInterval: window.clearInterval,
    requestAnimationFrame: window.requestAnimationFrame,
    cancelAnimationFrame: window.cancelAnimationFrame,
  };
  const now = () => performance.now();
  const tasks = new Map<unknown, Task>();
  /** Times at which the chains started that requested the next animation frames, by the frames' ids. */
  const frames = new Map<unknown, number>();
  const history = new TaskHistory();
  const roots = new Set<Node>();
  const endOfTask = new MessageChannel();
  const waiters = new Set<() => void>();
  let isRecording = false;
  let target = '';
  /** The chain whose work is running now; null while other work of the page runs. */
  let current: { readonly startedAt: number } | null = null;
  /** The timer of other work of the page that is running now. */
  let running: Task | null = null;
  /** Timers with a longer delay may only take an effect back: they are judged by what they add. */
  let longestDelayMs = 0;
  let startsDownload = false;
  /** The tasks that no known work of the step has set since the page's present task began. */
  const unclaimed: Task[] = [];

  endOfTask.port1.onmessage = () => {
    current = running = null;
    unclaimed.length = 0;
  };
  const enter = (startedAt: number): void => {
    // Ends with the task, not with the function: what its promises do next is work of the step too.
    if (current === null) apply(post, endOfTask.port2, [0]);
    current = { startedAt };
  };
  const changes = new ContentWatch(wakeAll);
  const posts = new PostedMessages(wakeAll);
  function wakeAll(): void {
    for (const wake of [...waiters]) wake();
  }
  /** Ends the work of an event whose listeners have run, and what their promises did: the next task is another's. */
  function onInputHandled(): void {
    queueMicrotask(() => {
      current = null;
    });
  }
  function onInput(event: Event): void {
    if (!isRecording) return;
    enter(now());
    for (const node of event.composedPath()) if (node instanceof ShadowRoot) roots.add(node);
  }

  function add(id: unknown, kind: Task['kind'], callback: unknown, delayMs: number): Task | null {
    if (tasks.size >= MAX_TASKS) return null;
    const source = typeof callback === 'function' ? apply(sourceOf, callback, []) : String(callback);
    const task: Task = {
      kind,
      dueAt: now() + delayMs,
      delayMs,
      goesOn: goesOn(source, typeof callback === 'function' ? callback.name : ''),
      ofStep: isOfStep(),
      chainStartedAt: current?.startedAt ?? now(),
      signature: taskSignature(kind, delayMs, source),
      rounds: 0,
      target,
      expected: 1,
      ...replies.knownOf(id),
    };
    if (running?.signature === task.signature) task.rounds = running.rounds + 1;
    tasks.set(id, task);
    if (!task.ofStep) {
      if (unclaimed.length === 0) apply(post, endOfTask.port2, [0]);
      unclaimed.push(task);
    }
    return task;
  }
  function fired(task: Task, at = now()): void {
    if (task.ofStep) {
      enter(task.chainStartedAt);
      // One answer of a database does not say whether the work has an effect.
      if (changes.isObserving && !task.isSure) history.fired(task, at);
    } else {
      if (current === null) apply(post, endOfTask.port2, [0]);
      current = null;
      running = task;
    }
  }

  /** @param reply has come: what the page's own listener has started before this is work of the step too */
  function claim(reply: Task, at: number): void {
    const { ofStep, chainStartedAt } = reply;
    for (const started of unclaimed.splice(0)) Object.assign(started, { ofStep, chainStartedAt });
    fired(reply, at);
  }

  /** Returns a function that sets a timer as the native one does, and records it. */
  const timer = (kind: 'timeout' | 'interval', set: typeof setTimeout | typeof setInterval) =>
    new Proxy(set as Callback, {
      apply(original, self, args: unknown[]) {
        const [callback, delay = 0, ...rest] = args;
        const delayMs = Math.max(0, Number(delay) || 0);
        if (!isRecording || delayMs > MAX_DELAY_MS || typeof callback !== 'function')
          return apply(original, self, args);
        let task: Task | null = null;
        const run = function (this: unknown, ...given: unknown[]): unknown {
          if (task !== null) {
            fired(task);
            if (kind === 'timeout') tasks.delete(id);
            else task.dueAt = now() + task.delayMs;
          }
          try {
            return apply(callback, this, given);
          } finally {
            wakeAll();
          }
        };
        const id = apply(original, self, [run, delay, ...rest]);
        task = add(id, kind, callback, delayMs);
        return id;
      },
    });
  const clearing = (clear: typeof clearTimeout) =>
    new Proxy(clear as Callback, {
      apply(original, self, args: unknown[]) {
        const id = typeof args[0] === 'string' ? Number(args[0]) : args[0];
        if (tasks.delete(id)) wakeAll();
        return apply(original, self, args);
      },
    });
  const replacements: Readonly<Record<keyof typeof native, Callback>> = {
    setTimeout: timer('timeout', native.setTimeout),
    setInterval: timer('interval', native.setInterval),
    clearTimeout: clearing(native.clearTimeout),
    clearInterval: clearing(native.clearInterval),
    requestAnimationFrame: new Proxy(native.requestAnimationFrame as unknown as Callback, {
      apply(original, self, args: unknown[]) {
        const [callback] = args;
        if (!isRecording || current === null || typeof callback !== 'function')
          return apply(original, self, args);
        const { startedAt } = current;
        const id = apply(original, self, [
          function (this: unknown, ...given: unknown[]): unknown {
            frames.delete(id);
            enter(startedAt);
            return apply(callback, this, given);
          },
        ]);
        frames.set(id, startedAt);
        return id;
      },
    }),
    cancelAnimationFrame: new Proxy(native.cancelAnimationFrame as unknown as Callback, {
      apply(original, self, args: unknown[]) {
        frames.delete(args[0]);
        return apply(original, self, args);
      },
    }),
  };
  const replies = new ReplyTasks({ tasks, history, add, claim, wakeAll });
  const bodies = new BodyReads();
  const isOfStep = (): boolean => current !== null || posts.isRecent();
  const sources = replySources({
    asked: (source, isGuess) => (isRecording && isOfStep() ? replies.asked(source, isGuess) : null),
    posted() {
      if (isRecording && isOfStep()) posts.posted();
    },
  });
  const click = watchedClick(link => {
    if (!isRecording) return;
    startsDownload ||= link instanceof HTMLAnchorElement && link.hasAttribute('download');
    watchDetachedInput(link, onInput);
  });
  const functions = new WindowFunctions([
    click,
    ...Object.entries(native).map(([name, original]) => ({
      holder: window as unknown as Record<string, Callback>,
      name,
      original: original as unknown as Callback,
      replacement: replacements[name as keyof typeof native],
    })),
    ...sources,
    ...bodies.replacements,
    ...clipboardWrites(() => isRecording),
  ]);
  const awaited = (wait: TaskWait): boolean => {
    for (const task of tasks.values()) if (isAwaited(task, wait, now(), history)) return true;
    if (posts.isPending()) return true;
    const animation = { signature: 'frames', target };
    for (const startedAt of frames.values()) {
      if (history.isIneffective(animation)) return false;
      if (now() - startedAt < MAX_FRAMES_MS) return true;
      history.markEndless(animation);
    }
    return false;
  };

  const timersOfStep = (): readonly number[] => {
    const left: number[] = [];
    for (const { kind, ofStep, dueAt } of tasks.values())
      if (kind !== 'reply' && ofStep && left.length < MAX_REPORTED)
        left.push(Math.max(1, Math.ceil(dueAt - now())));
    return left;
  };

  return {
    begin(element) {
      tasks.clear();
      frames.clear();
      roots.clear();
      target = element;
      changes.reset();
      startsDownload = false;
      if (isRecording) return;
      isRecording = true;
      functions.replace();
      for (const type of INPUT_EVENTS) {
        window.addEventListener(type, onInput, { capture: true, passive: true });
        window.addEventListener(type, onInputHandled, { passive: true });
      }
    },
    async next(wait) {
      const changedAt = (delayMs: number) =>
        delayMs > longestDelayMs ? changes.lastAdditionAt : changes.lastChangeAt;
      history.learn((at, delayMs) => wait.hadRequests || roots.size > 0 || changedAt(delayMs) >= at);
      ({ longestDelayMs } = wait);
      const end = now() + wait.maxMs;
      const rest = () => `${startsDownload ? 'download' : ''} ${timersOfStep().join(' ')}`;
      if (!awaited(wait)) return rest();
      changes.observe(roots);
      const changedBefore = changes.lastChangeAt;
      for (let left = wait.maxMs; left > 0; left = end - now()) {
        await new Promise<void>(resolve => {
          apply(native.setTimeout, window, [resolve, Math.min(left, CHECK_INTERVAL_MS)]);
          waiters.add(resolve);
        });
        waiters.clear();
        if (changes.lastChangeAt > changedBefore || !awaited({ ...wait, maxMs: end - now() })) break;
      }
      return `waited ${rest()}`;
    },
    isIdle: () => tasks.size === 0 && frames.size === 0 && !posts.isRecent(),
    readsBody: () => bodies.isReading,
    end() {
      isRecording = false;
      changes.end();
      functions.restore();
      for (const type of INPUT_EVENTS) {
        window.removeEventListener(type, onInput, { capture: true });
        window.removeEventListener(type, onInputHandled);
      }
    },
  };
}
