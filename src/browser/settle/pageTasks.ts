/** The task recorder of one document, called from the service: see src/browser/injected/settle/tasks.ts. */
import { randomUUID } from 'node:crypto';
import type { Deadline } from '../../domain/ports/clock.ts';
import { type CdpChannel, raceDeadline } from '../cdp/cdpChannel.ts';
import { type IsolatedWorld, injectedScript, type MainWorldContext } from '../cdp/isolatedWorld.ts';
import type { TaskWait } from '../injected/settle/report.ts';
import type { TaskRecorder } from '../injected/settle/tasks.ts';
import type { CdpTarget } from '../tab/pageFrames.ts';

/** The moment before a step: `settleTab` waits for what starts after it. */
export interface SettleMark {
  /** Number of the tab's latest request before the step. */
  readonly requestNumber: number;
  /** Id of the document before the step; default: that at the start of the wait. */
  readonly document?: string | undefined;
  /** Number of requests that had ended before the step; default: that at the start of the wait. */
  readonly endedCount?: number;
  /** Number of the tab's latest image before the step; undefined if no images are waited for. */
  readonly imageNumber?: number;
  /** Number of the tab's navigations before the step whose response was a file to download. */
  readonly downloadNavigationCount?: number;
  /** The recorders of the work of the step, one for each document that it concerns. */
  readonly tasks?: readonly PageTasks[];
}

/** True if the iterators of the page, which every loop of the recorder calls, come to an end. Calls none of them more than twice. */
const HAS_ITERATORS = `[() => [0], () => new Set([0]), () => new Map()].every(create => {
  const iterator = create()[Symbol.iterator]();
  return iterator.next().done || iterator.next().done === true;
})`;

/** With this, a page's `requestPointerLock` returns what the script `documentStart` has put there for the recorder. No page knows it. */
const START_TOKEN = randomUUID();

/** Returns the script that runs in each document before the page's own. */
export const documentStartScript = (): string =>
  `{ const startToken = ${JSON.stringify(START_TOKEN)}; ${injectedScript('documentStart')} }`;

/** Source of an expression: the object that `documentStart` has left; null if the page has put a function of its own in its place. */
const START = `(() => {
  try {
    const start = Element.prototype.requestPointerLock(${JSON.stringify(START_TOKEN)});
    return start.relays && start.observed ? start : null;
  } catch {
    return null;
  }
})()`;

/** Creates the recorder and starts it, if it is told to, in one round trip. The script's variable stays inside of the function. */
const startScript = (): string =>
  `(begins => { if (!${HAS_ITERATORS}) return null; ${injectedScript('tasks')}; const recorder = tasks.createTaskRecorder(${START}); if (begins) recorder.begin(); return recorder; })`;

/** Records the timers and messages of a document while a step runs. A page that breaks the recorder is settled without it. */
export class PageTasks {
  readonly #world: IsolatedWorld;

  private constructor(world: IsolatedWorld) {
    this.#world = world;
  }

  /** Starts to record the tasks of a document. @returns the recorder; null if the document is gone or does not allow it */
  static async begin(world: IsolatedWorld, deadline: Deadline): Promise<PageTasks | null> {
    const page = world.worlds.mainWorldContext(world.context.frameId);
    if (page === null || page.refusesTaskRecorder) return null;
    const tasks = new PageTasks(world);
    try {
      if (page.taskRecorderHandle !== null) await tasks.#call('begin', deadline);
      else {
        page.taskRecorderHandle = await raceDeadline(createRecorder(world.channel, page, true), deadline);
        page.refusesTaskRecorder = page.taskRecorderHandle === null;
      }
      return tasks;
    } catch {
      // A page that broke it once would cost each of its steps the same time.
      page.refusesTaskRecorder = !deadline.signal.aborted;
      return null;
    }
  }

  /** Creates the recorder of a document, if it has none, so that the next step does not have to wait for that. Does not wait for it. */
  static prepare({ channel, worlds }: CdpTarget, frameId: string): void {
    const page = worlds.mainWorldContext(frameId);
    if (page === null || page.refusesTaskRecorder || page.taskRecorderHandle !== null) return;
    createRecorder(channel, page, false).then(
      handle => {
        page.taskRecorderHandle ??= handle;
        page.refusesTaskRecorder = handle === null;
      },
      // The document is gone, or its script was ended while it kept the recorder from its end.
      () => {
        page.refusesTaskRecorder = true;
      },
    );
  }

  /** Calls `TaskRecorder.next`. The page could return anything. @returns nothing of all also when the document is gone */
  async next(
    wait: TaskWait,
    deadline: Deadline,
  ): Promise<{ waited: boolean; startsDownload: boolean; timersMs: readonly number[] }> {
    const words = await this.#words('next', deadline, wait);
    const timersMs = words.filter(word => /^\d{1,9}$/.test(word)).map(Number);
    return { waited: words.includes('waited'), startsDownload: words.includes('download'), timersMs };
  }

  /** Calls `TaskRecorder.isIdle`. @returns false also when the document is gone */
  async isIdle(deadline: Deadline): Promise<boolean> {
    return (await this.#call('isIdle', deadline).catch(() => false)) === true;
  }

  /** Calls `TaskRecorder.unusedRequests`. @returns nothing also when the document is gone */
  async unusedRequests(deadline: Deadline): Promise<ReadonlySet<string>> {
    return new Set(await this.#words('unusedRequests', deadline));
  }

  /** Stops to record, without waiting for the page. */
  end(): void {
    const objectId = this.#handle;
    if (objectId === null) return;
    this.#world.channel.sendNoReply('Runtime.callFunctionOn', {
      functionDeclaration: callOf('end'),
      objectId,
    });
  }

  get #handle(): string | null {
    return this.#world.worlds.mainWorldContext(this.#world.context.frameId)?.taskRecorderHandle ?? null;
  }

  async #words(
    method: keyof TaskRecorder,
    deadline: Deadline,
    argument?: unknown,
  ): Promise<readonly string[]> {
    const answer = await this.#call(method, deadline, argument).catch(() => null);
    return typeof answer === 'string' ? answer.split(/\s/) : [];
  }

  async #call(method: keyof TaskRecorder, deadline: Deadline, argument?: unknown): Promise<unknown> {
    const objectId = this.#handle;
    if (objectId === null) return null;
    const { result } = await this.#world.channel.send(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: callOf(method),
        objectId,
        arguments: argument === undefined ? [] : [{ value: argument }],
        returnByValue: true,
        awaitPromise: true,
      },
      deadline,
    );
    return result.value;
  }
}

async function createRecorder(
  { session }: CdpChannel,
  { contextId }: MainWorldContext,
  begins: boolean,
): Promise<string | null> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: startScript(),
    executionContextId: contextId,
    arguments: [{ value: begins }],
  });
  return result.objectId ?? null;
}

/** Without a rest parameter or a spread: those call the iterators of the page's arrays, which a page can make endless. */
const callOf = (method: keyof TaskRecorder): string => `function (arg) { return this.${method}(arg); }`;
