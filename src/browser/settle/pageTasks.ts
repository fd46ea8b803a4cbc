/** The task recorder of one document, called from the service: see src/browser/injected/settle/tasks.ts. */
import type { Deadline } from '../../domain/ports/clock.ts';
import type { CdpChannel } from '../cdp/cdpChannel.ts';
import { type IsolatedWorld, injectedScript, type MainWorldContext } from '../cdp/isolatedWorld.ts';
import { ownFailure } from '../cdp/ownFailures.ts';
import { isDocumentGone, isTargetGone } from '../cdp/playwrightInternals.ts';
import type { TaskWait } from '../injected/settle/replies.ts';
import type { TaskRecorder } from '../injected/settle/tasks.ts';
import type { NetworkIdleTracker } from '../tab/networkIdleTracker.ts';
import { MAX_FAILURE_TEXT } from './policy.ts';

type MarkedCount = 'frameDocumentCount' | 'imageNumber' | 'downloadNavigationCount' | 'scheduledNavigation';

/** The moment before a step, with what the tab's network counted then: `settleTab` waits for what starts after it. */
export interface SettleMark extends Partial<Pick<NetworkIdleTracker, MarkedCount>> {
  readonly requestNumber: number;
  /** Default: that at the start of the wait. */
  readonly document?: string | undefined;
  readonly endedCount?: number;
  /** The documents of frames before the step. */
  readonly documents?: ReadonlySet<MainWorldContext | null>;
  /** The recorders of the work of the step, one for each document that it concerns. */
  readonly tasks?: readonly PageTasks[];
}

/** The globals that the recorder reads while the page runs, which may declare the same names for itself. */
const KEPT_GLOBALS =
  'Animation Element Error EventTarget FileReader HTMLAnchorElement HTMLIFrameElement HTMLImageElement HTMLInputElement IDBCursor IDBRequest IDBTransaction KeyframeEffect Location Map Math MessagePort Number Object Promise Reflect Request Set ShadowRoot String Symbol URL WeakMap WeakSet XMLHttpRequest navigator queueMicrotask';

export const documentStartScript = (): string =>
  `{ const { ${KEPT_GLOBALS.replaceAll(' ', ', ')} } = globalThis; ${injectedScript('documentStart')} }`;

const CALL = 'function (method, argument) { return this.call(method, argument); }';

/**
 * Returns the CDP object id of the handler that holds the recorder: no script can reach the handler of a proxy.
 * @throws Error if the page has a function of its own in the place of the proxy; Playwright's error when the document is gone
 */
async function findRecorder(
  channel: CdpChannel,
  { contextId }: MainWorldContext,
  deadline: Deadline,
): Promise<string> {
  const expression = `document.createElement('a').requestPointerLock`;
  const { result } = await channel.send('Runtime.evaluate', { expression, contextId }, deadline);
  const { objectId } = result;
  const read = { objectId: objectId ?? '', ownProperties: true };
  const { internalProperties = [] } =
    objectId === undefined ? {} : await channel.send('Runtime.getProperties', read, deadline);
  const handler = internalProperties.find(({ name }) => name === '[[Handler]]')?.value?.objectId;
  if (handler === undefined) throw new Error('The page has replaced the function that holds the recorder.');
  return handler;
}

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

  /** Finds the recorder of a document, for the calls that follow: they find it again if this fails. */
  static async prepare(world: IsolatedWorld, deadline: Deadline): Promise<void> {
    const tasks = PageTasks.of(world, world.context.frameId);
    if (tasks !== null) await tasks.#found(deadline).catch(() => {});
  }

  /** Starts to record a step. @returns the recorder; null if the document is gone or does not allow it */
  static async begin(world: IsolatedWorld, deadline: Deadline): Promise<PageTasks | null> {
    const tasks = PageTasks.of(world, world.context.frameId);
    if (tasks === null) return null;
    const answer = await tasks.#call('begin', deadline).catch((error: unknown) => error);
    if (answer === true) return tasks;
    // A page that broke it once would cost each of its steps the same time.
    tasks.#page.refusesTaskRecorder = !deadline.signal.aborted;
    if (!deadline.signal.aborted && !isDocumentGone(answer) && !isTargetGone(answer))
      ownFailure('the work of a page is not recorded', answer);
    return null;
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

  async isIdle(deadline: Deadline): Promise<boolean> {
    return (await this.#call('isIdle', deadline).catch(() => false)) === true;
  }

  async unusedRequests(deadline: Deadline): Promise<ReadonlySet<string>> {
    return new Set(await this.#words('unusedRequests', deadline));
  }

  /** Stops to record, without waiting for the page. */
  end(): void {
    this.#page.recorder?.then(
      recorder => this.#channel.sendNoReply('Runtime.callFunctionOn', callOf(recorder, 'end')),
      () => {},
    );
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
    const call = callOf(await this.#found(deadline), method, argument);
    const params = { ...call, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#channel.send('Runtime.callFunctionOn', params, deadline);
    return exceptionDetails === undefined
      ? result.value
      : exceptionDetails.exception?.description?.slice(0, MAX_FAILURE_TEXT);
  }

  #found(deadline: Deadline): Promise<string> {
    this.#page.recorder ??= findRecorder(this.#channel, this.#page, deadline).catch(error => {
      this.#page.recorder = null;
      throw error;
    });
    return this.#page.recorder;
  }
}

const callOf = (objectId: string, method: keyof TaskRecorder, argument: unknown = null) => ({
  functionDeclaration: CALL,
  objectId,
  arguments: [{ value: method }, { value: argument }],
});
