/** One page of a session: Playwright's page, a CDP session of the same page, and the state of both. */

import type { CDPSession, Page } from 'playwright';
import { z } from 'zod';
import { race, type StopWhen } from '../../async/race.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { normalizeText } from '../../domain/space/pageText.ts';
import type { PageMessage } from '../../domain/space/space.ts';
import { redactUrl } from '../../domain/webAddress.ts';
import { CdpChannel, directSession } from '../cdp/cdpChannel.ts';
import { pageGivenUpFailure } from '../cdp/errors.ts';
import { FrameWorlds, type IsolatedWorld, readyScripts } from '../cdp/isolatedWorld.ts';
import { ownFailure } from '../cdp/ownFailures.ts';
import {
  isDialogBlocked,
  isDocumentGone,
  isExecutionTerminated,
  isNestedTooDeeply,
} from '../cdp/playwrightInternals.ts';
import {
  addWorldScript,
  childSessions,
  receivePageEvents,
  userAgentOverrideOf,
} from '../cdp/playwrightSessions.ts';
import { UNLOAD_MESSAGES_BINDING } from '../injected/dom/bindings.ts';
import { RendererPidTracker } from '../limits/sessionResourceUsage.ts';
import { ConsoleErrorCounter } from './consoleErrors.ts';
import { FileChoosers } from './downloads.ts';
import { NetworkIdleTracker, ServiceWorkers } from './networkIdleTracker.ts';
import { type CdpTarget, PageFrames } from './pageFrames.ts';
import { type ScriptUsageDeps, ScriptWatch, TERMINATION_INTERVAL_MS } from './scriptWatch.ts';
import { clipboardOf } from './sessionClipboard.ts';
import { dialogOpenedFailure, endingNavigation, type OpenDialog, TabDialogs } from './tabDialogs.ts';

const MAX_TEXTS = 5;

const reportSchema = z
  .string()
  .transform(text => JSON.parse(text) as unknown)
  .pipe(
    z.object({
      url: z.string(),
      messages: z.array(z.object({ kind: z.enum(['alert', 'status', 'appeared']), text: z.string() })),
    }),
  );

/** Keeps the last messages of the documents that the present step has left. */
class UnloadMessages {
  readonly #documentId: () => string | undefined;
  readonly #texts = new Map<
    string,
    { readonly message: PageMessage; readonly document: string | undefined }
  >();

  /** @param documentId returns the id of the present document */
  constructor(documentId: () => string | undefined) {
    this.#documentId = documentId;
  }

  /** Receives the messages of one CDP target. `Runtime.enable` must have been answered. Takes no round trip. */
  watch(session: CDPSession, { worldName }: FrameWorlds): void {
    if (worldName === null) return;
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === UNLOAD_MESSAGES_BINDING) this.#received(payload);
    });
    const params = { name: UNLOAD_MESSAGES_BINDING, executionContextName: worldName };
    session.send('Runtime.addBinding', params).catch(() => {});
  }

  #received(payload: string): void {
    const { url, messages } = reportSchema.parse(payload);
    const document = this.#documentId();
    for (const { kind, text } of messages) {
      if (this.#texts.size >= MAX_TEXTS) return;
      const message = { kind, text: normalizeText(text), action: null, isNew: true, page: redactUrl(url) };
      this.#texts.set(text, { message, document });
    }
  }

  clear(): void {
    this.#texts.clear();
  }

  /** Returns the messages of the documents that have been left, and forgets them. @param shown the messages of the present document, which may repeat them */
  take(shown: readonly PageMessage[]): readonly PageMessage[] {
    const texts = [...this.#texts.values()];
    this.clear();
    return texts
      .filter(
        ({ document, message }) =>
          document !== this.#documentId() && !shown.some(one => one.text === message.text),
      )
      .map(({ message }) => message);
  }
}

interface EndingTab {
  readonly page: Page;
  readonly target: { readonly channel: CdpChannel };
  readonly rendererPids: { readonly known: readonly number[] };
  readonly killRenderers: (pids: readonly number[]) => void;
  terminateScript(): void;
}

function endPage(tab: EndingTab): void {
  const { page, target } = tab;
  // A page that is closed already reports neither a crash nor its end again.
  if (page.isClosed()) return;
  target.channel.sendNoReply('Page.crash');
  // A loop that reports an event in each round keeps Chromium so busy that it carries out the crash many seconds later.
  tab.killRenderers(tab.rendererPids.known);
  const timer = setInterval(() => tab.terminateScript(), TERMINATION_INTERVAL_MS);
  const stop = (): void => clearInterval(timer);
  page.once('crash', stop);
  page.once('close', stop);
}

/** Returns the id of the main frame. The page itself answers: one that opens dialogs without end becomes no tab until it lets itself be stopped. */
async function mainFrameIdOf(session: CDPSession): Promise<string> {
  try {
    return (await session.send('Page.getFrameTree')).frameTree.frame.id;
  } catch (error) {
    if (!isNestedTooDeeply(error)) throw error;
    return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
  }
}

/** Controls of a page that Chromium carries out also while a script of the page runs. */
interface ScriptControls extends ScriptUsageDeps {
  /** While true, each new request of the page fails at once, also while a script of the page waits. */
  setOffline(isOffline: boolean): void;
  /** While true, no script of the page begins, only the calls of the service. A script that runs goes on. */
  setScriptsPaused(isPaused: boolean): void;
}

const scriptControls = (
  channel: CdpChannel,
  rendererPids: Pick<RendererPidTracker, 'mainThreadsMs'>,
): ScriptControls => ({
  processMs: () => rendererPids.mainThreadsMs(),
  async threadMs() {
    const { metrics } = await channel.session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0) * 1_000;
  },
  setOffline(isOffline) {
    const speed = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    channel.sendNoReply('Network.emulateNetworkConditions', { offline: isOffline, ...speed });
  },
  setScriptsPaused(isPaused) {
    channel.sendNoReply('Emulation.setScriptExecutionDisabled', { value: isPaused });
  },
});

/** Error of a call to a page that cannot respond any more: a dialog opened, or the page crashed or was closed. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const NO_TIMERS = { document: undefined, dueAt: [] };
/** A page that replaces its document this often while it is waited for does so without end. */
export const MAX_DOCUMENTS = 12;

export interface TabListener {
  /** Returns true if operations run in the tab, so that the caller sees its dialogs. */
  isActive(tab: Tab): boolean;
  /** Called when the page opens a dialog. @param isKept false if the dialog is dismissed at once */
  dialogOpened(dialog: OpenDialog, isKept: boolean): void;
  dialogKept(tab: Tab): void;
  dialogChanged(tab: Tab): void;
  /** Returns how many dialogs the pages of the session have opened, those that were dismissed at once included. */
  openedDialogCount(): number;
  /** A dialog of another tab is open: it blocks every page of its process, such as the opener of its window. */
  isBlocked(tab: Tab): boolean;
  crashed(tab: Tab): void;
  closed(tab: Tab): void;
}

export class Tab {
  /** `T1`, `T2`, … A new tab never gets the id of an earlier tab; the replacement of a crashed or closed tab keeps its id. */
  readonly id: string;
  readonly page: Page;
  /** The CDP target of the page: its top frame, and the child frames in the same process. */
  readonly target: CdpTarget;
  readonly frames: PageFrames;
  readonly network: NetworkIdleTracker;
  readonly rendererPids: RendererPidTracker;
  readonly fileChoosers: FileChoosers;
  readonly consoleErrors: ConsoleErrorCounter;
  /** Receives the events of the tab; null while the tab does not belong to a session yet. */
  listener: TabListener | null = null;
  readonly dialogs: TabDialogs;
  readonly scripts: ScriptWatch;
  readonly controls: ScriptControls;
  readonly serviceWorkers: ServiceWorkers;
  readonly unloadMessages = new UnloadMessages(() => this.network.document?.id);
  crashed = false;
  /** True if the service has ended the page because it did not answer. */
  isGivenUp = false;
  givenUpFailure = pageGivenUpFailure;
  /** True if a page of the session has opened the tab: its scripts can write into the blank document. */
  isOpenedByPage = false;
  /** True if the page replaced its document again and again while an operation waited: it does not let itself be left. */
  replacesItself = false;
  /** Kills those of the processes that run pages of the tab's browser. */
  killRenderers: (pids: readonly number[]) => void = () => {};
  /** Maximum time for which a page that loads another one by itself is waited for, in milliseconds. */
  navigationTimeoutMs = 30_000;
  /** Address of the page whose load was stopped since the last observation; null for none. */
  #stoppedLoad: string | null = null;
  /** Time for which operations have waited for the page to settle, in milliseconds. */
  settlingMs = 0;
  /** Id of the document at the end of the last operation; undefined before the first. */
  #settledDocument: string | undefined;
  /** The timers that the last operation has set in a document and that have not run: when they are due, as `performance.now()`. */
  timers: { readonly document: string | undefined; readonly dueAt: readonly number[] } = NO_TIMERS;
  /** Title of the page at the last observation; empty before the first. Used in lists of tabs, and while a dialog is open. */
  title = '';
  readonly #interrupts = new Set<() => void>();

  private constructor(id: string, page: Page, target: CdpTarget, network: NetworkIdleTracker) {
    this.id = id;
    this.page = page;
    this.target = target;
    this.frames = new PageFrames(page, target);
    this.network = network;
    this.rendererPids = new RendererPidTracker(page, target.channel.session);
    this.consoleErrors = new ConsoleErrorCounter(page, target.channel.session);
    this.fileChoosers = new FileChoosers(page, target.channel.session);
    this.serviceWorkers = new ServiceWorkers(page, target.channel, network);
    this.dialogs = new TabDialogs({
      isVisible: () => this.listener?.isActive(this) ?? false,
      report: (dialog, isKept) => this.listener?.dialogOpened(dialog, isKept),
      onKept: () => {
        this.interrupt();
        this.listener?.dialogKept(this);
      },
      onChange: () => this.listener?.dialogChanged(this),
      ping: () => this.ping(),
      terminateScript: () => this.terminateScript(),
      crash: () => this.crash(),
    });
    this.controls = scriptControls(target.channel, this.rendererPids);
    this.scripts = new ScriptWatch({
      ...this.controls,
      ping: () => this.ping(),
      // Chromium holds calls to the page back while a server has not answered: silence then says nothing about the page.
      canAnswer: () => !this.isUnresponsive && !this.network.awaitsDocument,
      terminateScript: () => this.terminateScript(),
      giveUp: () => this.giveUp(),
      documentId: () => this.network.document?.id,
      hasOpenRequest: () => this.network.requests.openCount > 0,
      stopSlowLoad: () => this.#stopSlowLoad(),
      setScriptsPaused: isPaused => {
        this.controls.setScriptsPaused(isPaused);
        network.notifyChange();
      },
    });
    network.onDocument = () => this.scripts.resume();
    page.on('crash', () => {
      this.crashed = true;
      this.listener?.crashed(this);
      this.interrupt();
    });
    page.on('close', () => {
      this.listener?.closed(this);
      this.interrupt();
    });
  }

  /**
   * Creates a tab for an open page. Needs three round trips to Chromium, so the pool creates tabs before a session needs them.
   * The caller answers the dialogs that the page opens meanwhile: while one is open, the page does not answer, and becomes no tab.
   * @param onDialogsHandled called when the tab handles the dialogs of the page
   */
  static async open(id: string, page: Page, onDialogsHandled: () => void = () => {}): Promise<Tab> {
    const session = directSession(await page.context().newCDPSession(page));
    const channel = new CdpChannel(session);
    const worlds = new FrameWorlds(session);
    const network = new NetworkIdleTracker(session, await mainFrameIdOf(session));
    const tab = new Tab(id, page, { channel, worlds }, network);
    const agent = userAgentOverrideOf(page.context());
    await Promise.all([
      session.send('Runtime.enable'),
      agent && session.send('Emulation.setUserAgentOverride', agent),
      // The service does not read request bodies, and they would make the events too long for the pipe.
      session.send('Network.enable', { maxPostDataSize: 1 }),
      receivePageEvents(page, session),
      session.send('Log.enable'),
      session.send('Performance.enable', { timeDomain: 'timeTicks' }),
      session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
    ]);
    page.on('dialog', dialog => tab.dialogs.opened(endingNavigation(dialog, tab.network)));
    onDialogsHandled();
    clipboardOf(page.context()).watch(session, worlds);
    tab.unloadMessages.watch(session, worlds);
    if (worlds.worldName !== null) addWorldScript(page, worlds.worldName, readyScripts());
    else if (!page.isClosed())
      ownFailure('the documents of a page do not keep the scripts ready', 'no isolated world');
    return tab;
  }

  /** The URL of the page without credentials; while an error page is open, the URL that could not be opened. */
  get redactedUrl(): string {
    return redactUrl(this.network.unreachableUrl ?? this.page.url());
  }

  get mainFrameId(): string {
    return this.network.mainFrameId;
  }

  /** The dialog that the page has opened and the caller has not answered; null if there is none. */
  get dialog(): OpenDialog | null {
    return this.dialogs.open;
  }

  /** Number of dialogs that the pages of the session have opened. While one is open, Chromium drops the input to each page of its process. */
  get openedDialogCount(): number {
    return this.listener?.openedDialogCount() ?? 0;
  }

  get canHaveScripts(): boolean {
    return this.isOpenedByPage || this.network.document !== null;
  }

  /** True if the scripts of this document had to be paused before: one after another ran without end. */
  get loops(): boolean {
    return this.scripts.hasPaused;
  }

  /** True when the page cannot respond: a dialog of the session is open, or the page crashed or is closed. */
  get isUnresponsive(): boolean {
    const isBlocked = this.dialog !== null || (this.listener?.isBlocked(this) ?? false);
    return isBlocked || this.crashed || this.page.isClosed();
  }

  /** True if the page has replaced its document since the last operation settled, which only the page itself can have done. */
  get hasReplacedDocument(): boolean {
    return this.#settledDocument !== undefined && this.network.document?.id !== this.#settledDocument;
  }

  /** Call when the page has settled. @param documents number of documents that the page had meanwhile, the first included */
  settled(documents: number): void {
    this.#settledDocument = this.network.document?.id;
    this.replacesItself = documents > MAX_DOCUMENTS;
  }

  /** Returns the isolated world of the top document. Waits until it exists, during a navigation. @throws Failure of the deadline */
  world(deadline: Deadline): Promise<IsolatedWorld> {
    return this.frames.topWorld(this.mainFrameId, deadline);
  }

  /** Returns the result of `work`, which is not cancelled; rejects with `Interrupted` once a dialog opens, or the page crashes or closes. */
  interruptible<T>(work: Promise<T>): Promise<T> {
    return race(work, this.onInterrupt);
  }

  /** For `race` and `waitUntil`: rejects the wait with `Interrupted` as soon as the page cannot respond. */
  readonly onInterrupt: StopWhen<never> = ({ reject }) => {
    const interrupt = () => reject(new Interrupted('The page cannot answer now.'));
    this.#interrupts.add(interrupt);
    if (this.isUnresponsive) interrupt();
    return () => this.#interrupts.delete(interrupt);
  };

  /** Returns the failure of an operation that an open dialog or the end of the page has interrupted; every other error unchanged. */
  withReason(error: unknown): unknown {
    if (this.isGivenUp && (!isFailure(error) || isFailure(error, 'BROWSER_CRASHED')))
      return this.givenUpFailure();
    return error instanceof Interrupted && this.dialog !== null ? dialogOpenedFailure() : error;
  }

  /** Resolves when the page answers: it runs no script without end, and has no open dialog. May never settle. */
  ping(): Promise<unknown> {
    return this.target.channel.session.send('Runtime.evaluate', { expression: '0' });
  }

  /** Calls `listener` with the time when a handler of `beforeunload` has asked for a dialog, which Chromium then does not open. @returns a function that ends this */
  onBlockedDialog(listener: (atMs: number) => void): () => void {
    const { session } = this.target.channel;
    const onEntry = ({ entry }: { entry: { text: string; timestamp: number } }): void => {
      if (isDialogBlocked(entry.text)) listener(entry.timestamp);
    };
    session.on('Log.entryAdded', onEntry);
    return () => session.off('Log.entryAdded', onEntry);
  }

  /** Ends the page for good. @param failure returns that of the operations which it delays */
  giveUp(failure = pageGivenUpFailure): void {
    this.isGivenUp = true;
    this.givenUpFailure = failure;
    this.crashed = true;
    this.crash();
    this.interrupt();
  }

  /** Ends the processes of the page at once, whatever they do. The next operation replaces the tab. */
  crash(): void {
    endPage(this);
  }

  /** Ends the script that the page runs now, or the next one, unless it waits in a dialog. If the page `loops`, also those of its workers, which can flood it. */
  terminateScript(): void {
    this.target.channel.sendNoReply('Runtime.terminateExecution');
    if (!this.loops) return;
    for (const child of childSessions(this.page)) child.send('Runtime.terminateExecution').catch(() => {});
  }

  /** Returns the address of the page whose load was stopped since the last call; null for none. */
  takeStoppedLoad(): string | null {
    const url = this.#stoppedLoad;
    this.#stoppedLoad = null;
    return url;
  }

  /** Stops the load of a page whose server does not answer: until then Chromium holds every call to the old page back. */
  #stopSlowLoad(): void {
    if (this.serviceWorkers.stopIfSilent(this.navigationTimeoutMs)) this.#stoppedLoad = this.network.mainUrl;
    if (this.network.documentAwaitedMs < this.navigationTimeoutMs) return;
    this.#stoppedLoad = this.network.mainUrl;
    this.target.channel.sendNoReply('Page.stopLoading');
  }

  /** Ends every wait for the page with `Interrupted`. Call it when the page cannot respond any more. */
  interrupt(): void {
    for (const interrupt of [...this.#interrupts]) interrupt();
    this.network.notifyChange();
  }
}

/** A page that replaces its document this often while it is read does so without end. */
const MAX_REPLACEMENTS = 12;
/** A page that is not read after so many ends of scripts never is. */
const MAX_TERMINATIONS = 50;

/** Counts the attempts to read one page. */
export class ReplacementLimit {
  readonly #tab: Tab;
  #replacements = 0;
  #terminations = 0;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /**
   * Returns normally if the page can be read again after an attempt that failed.
   * @throws Failure NAVIGATION_FAILED when the page replaces its document without end; BROWSER_CRASHED when its scripts were
   * ended too often; `error` itself when reading again cannot help
   */
  assertMayReadAgain(error: unknown): void {
    if (isDocumentGone(error)) {
      if (++this.#replacements > MAX_REPLACEMENTS) throw this.#endlessReplacement(error);
    } else if (!isExecutionTerminated(error)) throw error;
    else if (++this.#terminations > MAX_TERMINATIONS) throw pageGivenUpFailure();
  }

  #endlessReplacement(cause: unknown): Failure {
    this.#tab.replacesItself = true;
    return new Failure(
      'NAVIGATION_FAILED',
      'The page replaces itself without end, so it could not be read. Open another address.',
      { retryable: false, cause },
    );
  }
}
