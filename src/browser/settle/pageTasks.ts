/** The task recorder of one document, called from the service: see src/browser/injected/settle/tasks.ts. */
import { randomUUID } from 'node:crypto';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import { type IsolatedWorld, injectedScript, type MainWorldContext } from '../cdp/isolatedWorld.ts';
import type { TaskWait } from '../injected/settle/report.ts';
import type { TaskRecorder } from '../injected/settle/tasks.ts';

/** The moment before a step: `settleTab` waits for what starts after it. */
export interface SettleMark {
  /** Number of the tab's latest request before the step. */
  readonly requestNumber: number;
  /** Id of the document before the step; default: that at the start of the wait. */
  readonly document?: string | undefined;
  /** Number of requests that had ended before the step; default: that at the start of the wait. */
  readonly endedCount?: number;
  /** Number of the tab's frame documents before the step. */
  readonly frameDocumentCount?: number;
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

/** With this, a page's `requestPointerLock` returns its recorder. No page knows it. */
const START_TOKEN = randomUUID();

/** Returns the script that runs in each document before the page's own. */
export const documentStartScript = (): string =>
  `{ const startToken = ${JSON.stringify(START_TOKEN)}; ${injectedScript('documentStart')} }`;

/**
 * Source of a function that calls the recorder; null without one, as in a page that has put a function of its own in its place. It has no
 * rest parameter and no spread: those call the iterators of the page's arrays, which a page can make endless.
 */
const CALL = `function (method, argument) {
  const recorder = ${HAS_ITERATORS} ? Element.prototype.requestPointerLock(${JSON.stringify(START_TOKEN)}) : null;
  return recorder && recorder.unusedRequests ? recorder[method](argument) : null;
}`;

/** Records the timers and messages of a document while a step runs. A page that breaks the recorder is settled without it. */
export class PageTasks {
  readonly #channel: CdpChannel;
  readonly #page: MainWorldContext;

  private constructor(channel: CdpChannel, page: MainWorldContext) {
    this.#channel = channel;
    this.#page = page;
  }

  /** Returns the recorder of a document as it is; null if the document is gone or has broken it. */
  static of(
    { channel, worlds }: Pick<IsolatedWorld, 'channel' | 'worlds'>,
    frameId: string,
  ): PageTasks | null {
    const page = worlds.mainWorldContext(frameId);
    return page === null || page.refusesTaskRecorder ? null : new PageTasks(channel, page);
  }

  /** Starts to record a step. @returns the recorder; null if the document is gone or does not allow it */
  static async begin(world: IsolatedWorld, deadline: Deadline): Promise<PageTasks | null> {
    const tasks = PageTasks.of(world, world.context.frameId);
    if (tasks === null) return null;
    const isBegun = (await tasks.#call('begin', deadline).catch(() => false)) === true;
    // A page that broke it once would cost each of its steps the same time.
    tasks.#page.refusesTaskRecorder = !isBegun && !deadline.signal.aborted;
    return isBegun ? tasks : null;
  }

  /** Calls `TaskRecorder.next`. The page could return anything. @returns nothing of all also when the document is gone */
  async next(
    wait: TaskWait,
    deadline: Deadline,
  ): Promise<{ waited: boolean; isIdle: boolean; startsDownload: boolean; timersMs: readonly number[] }> {
    const words = await this.#words('next', deadline, wait);
    const timersMs = words.filter(word => /^\d{1,9}$/.test(word)).map(Number);
    const has = (word: string): boolean => words.includes(word);
    return { waited: has('waited'), isIdle: has('idle'), startsDownload: has('download'), timersMs };
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
    this.#channel.sendNoReply('Runtime.callFunctionOn', this.#callOf('end'));
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
    const params = { ...this.#callOf(method, argument), returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#channel.send('Runtime.callFunctionOn', params, deadline);
    return exceptionDetails === undefined ? result.value : null;
  }

  #callOf(method: keyof TaskRecorder, argument: unknown = null) {
    return {
      functionDeclaration: CALL,
      executionContextId: this.#page.contextId,
      arguments: [{ value: method }, { value: argument }],
    };
  }
}
