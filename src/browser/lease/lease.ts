import { setImmediate } from 'node:timers/promises';
import { afterMs, onAbort, race } from '../../async/race.ts';
import type { StepKind } from '../../domain/account/keyPolicy.ts';
import {
  DEFAULT_SCREENSHOT,
  type ScrapedData,
  type ScrapeRequest,
  type Screenshot,
  type ScreenshotOptions,
} from '../../domain/content/scrape.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { BrowserLease, GotoOptions, StepOutcome, StepRequest } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { SecretMask } from '../../domain/secretMask.ts';
import { type ChangeableOptions, type StorageState, secretsOf } from '../../domain/session/browserOptions.ts';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/session/takeOver.ts';
import { DEFAULT_MAX_ACTIONS } from '../../domain/space/actionFilter.ts';
import type { ListingLimits, PageMetadata, PageObservation, TabInfo } from '../../domain/space/space.ts';
import { suggestionsFirst } from '../../domain/space/staleSuggestions.ts';
import type { WaitCondition } from '../../domain/specialActions/specialActionDefinition.ts';
import { findSpecialAction } from '../../domain/specialActions/specialActions.ts';
import { StaleAction } from '../act/element/elementContext.ts';
import { PersonInput } from '../act/personInput.ts';
import type { StepContext } from '../act/resolveElement.ts';
import { step, stepKinds } from '../act/step.ts';
import { ReadOnlyField, RefusedValue } from '../act/values/refusedValue.ts';
import { pageCrashedFailure, toFailure, withSilence } from '../cdp/errors.ts';
import { isTargetGone, messageOf } from '../cdp/playwrightInternals.ts';
import { SessionResourceUsage } from '../limits/sessionResourceUsage.ts';
import { EnteredValues } from '../perceive/enteredValues.ts';
import { shownDialog } from '../perceive/observeTab.ts';
import type { DownloadedFile } from '../scrape/resource/fileResource.ts';
import { refuseConsent, scrapeTab } from '../scrape/scrapeTab.ts';
import { captureScreenshot } from '../tab/captureScreenshot.ts';
import { Downloads } from '../tab/downloads.ts';
import { TabStuck } from '../tab/navigate.ts';
import { PageLogger } from '../tab/pageLogger.ts';
import { Screencast } from '../tab/screencast.ts';
import { clipboardOf } from '../tab/sessionClipboard.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import { endlessDialogsFailure } from '../tab/tabDialogs.ts';
import { TabSet } from '../tab/tabSet.ts';
import { openUrl, throwNewTabError, waitForCondition } from './openUrl.ts';
import { SecretsInPictures } from './secretsInPictures.ts';
import { type LeaseDeps, TabObserver } from './tabObserver.ts';

/** @throws Failure ACTION_BLOCKED when the page opens dialogs without end */
async function readDismissingDialogs(tab: Tab, read: () => Promise<ScrapedData>): Promise<ScrapedData> {
  tab.dialogs.begin('dismiss');
  try {
    await tab.dialogs.clear();
    return await tab.scripts.whileReading(read);
  } catch (error) {
    throw error instanceof Interrupted && tab.dialog !== null ? endlessDialogsFailure() : error;
  } finally {
    tab.dialogs.begin('keep');
  }
}

/** Null while a dialog is open, which stays open for the caller. */
async function readWithoutDialog<Result>(tab: Tab, read: () => Promise<Result>): Promise<Result | null> {
  if (tab.dialog !== null) return null;
  try {
    return await tab.scripts.whileReading(read);
  } catch (error) {
    if (error instanceof Interrupted && tab.dialog !== null) return null;
    throw error;
  }
}

const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Waits, after the crash of a page, until it is known whether its browser lives. If it does not, the session has ended when this
 * resolves, and the deadline has aborted with the reason. Never rejects.
 * @param browserAnswers resolves when the browser answers or has disconnected
 */
async function untilLossIsKnown(browserAnswers: Promise<void>, { signal }: Deadline): Promise<void> {
  await race(browserAnswers, afterMs(ANSWER_TIMEOUT_MS), onAbort(signal)).catch(() => {});
  // The listeners of the disconnection end the session in this turn of the event loop.
  await setImmediate();
}

/** Adds the current list of actions to an ACTION_STALE failure (the most similar ones first), to VALUE_REFUSED, and to that of a read-only field. Returns every other error unchanged. */
async function withFreshSpace(error: unknown, observe: () => Promise<PageObservation>): Promise<unknown> {
  const isOfField = error instanceof RefusedValue || error instanceof ReadOnlyField;
  if (!(error instanceof StaleAction || isOfField)) return error;
  const space = (await observe().catch(() => null))?.space;
  if (space === undefined) return error;
  if (isOfField) return error.withContext({ space });
  return error.withContext({ space: { ...space, actions: suggestionsFirst(space.actions, error.target) } });
}

const BLANK_URL = 'about:blank';
const DEFAULT_LIMITS: ListingLimits = { max: DEFAULT_MAX_ACTIONS, min: null };
const UNLIMITED: ListingLimits = { max: Number.MAX_SAFE_INTEGER, min: null };
/** Maximum wait at the end of a step for running downloads, which continue after that. */
const DOWNLOAD_TIMEOUT_MS = 5_000;
const MAX_SKIPPED = 10;
const MAX_FRAME_READERS = 50;

export class Lease implements BrowserLease {
  readonly resourceUsage: SessionResourceUsage;
  readonly secrets = new SecretMask();
  readonly person: PersonInput;
  readonly #deps: LeaseDeps;
  readonly #tabs: TabSet;
  readonly #downloads: Downloads;
  readonly #observer: TabObserver;
  readonly #pictures: SecretsInPictures;
  readonly #screencast: Screencast;
  /** Null if the session records no console and no requests. */
  readonly #logger: PageLogger | null = null;
  /** The replacement of a crashed or closed tab, while an operation waits for it. */
  #revival: Promise<Tab> | null = null;
  /** The stored file, if the URL that `goto` opened last was a file; null otherwise, and after a step. */
  #downloadedFile: DownloadedFile | null = null;
  #closing: Promise<void> | null = null;
  #hasStepped = false;
  #hasExceededLimit = false;
  readonly #skipped = new Set<string>();

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
    const { onEvent } = deps.listener;
    this.#downloads = new Downloads({ ...deps, onEvent });
    this.#downloads.watch(deps.tab.page);
    deps.context.on('page', page => this.#downloads.watch(page));
    const onCrash = (): void => {
      const reason = deps.killReason();
      if (reason !== null) this.limitExceeded(reason);
    };
    if (deps.pageLog)
      this.#logger = new PageLogger({
        onConsole: message => deps.listener.onConsole(message),
        onRequest: request => deps.listener.onRequest(request),
        refusalOf: url => {
          const failure = deps.connectionFailure(url.replace(/^ws/i, 'http'));
          return failure?.code === 'URL_BLOCKED' ? failure.message : null;
        },
        now: deps.now,
      });
    const onTab = (tab: Tab): void => this.#logger?.watch(tab);
    const onDialog = (dialog: Tab['dialog']): void =>
      deps.listener.onDialog(dialog === null ? null : shownDialog(dialog));
    this.#tabs = new TabSet(deps.context, deps.tab, { ...deps, onEvent, onDialog, onCrash, onTab });
    this.#logger?.watchWorkers(deps.context, () => this.#tabs.active.id);
    clipboardOf(deps.context).withholds = text => this.secrets.hasVaulted && this.secrets.mask(text) !== text;
    this.#pictures = new SecretsInPictures(this.secrets);
    this.#screencast = new Screencast(this.#tabs, (tab, at) => this.#pictures.boxesInFrame(tab, at));
    this.#observer = new TabObserver(this.#tabs, new EnteredValues(this.secrets), {
      ...deps,
      onSkipped: skipped => this.#warnOfSkipped(skipped),
    });
    this.person = new PersonInput({
      tabs: this.#tabs,
      secrets: this.secrets,
      entered: this.#observer.entered,
      run: work => this.#observer.preparation.whileOperating(work),
    });
    this.resourceUsage = new SessionResourceUsage(deps.context, deps.tab.page, this.#tabs, deps.egressUsage);
  }

  #warnOfSkipped({ count, first }: { readonly count: number; readonly first: string }): void {
    if (this.#skipped.size >= MAX_SKIPPED || this.#skipped.has(first)) return;
    this.#skipped.add(first);
    this.#deps.warn(`An exception has left ${count} parts of a page out: ${this.secrets.maskAll(first)}`);
  }

  get isBlank(): boolean {
    return (
      this.#downloadedFile === null &&
      this.#tabs.rows().length === 1 &&
      this.#tabs.active.page.url() === BLANK_URL
    );
  }

  tabs(): readonly TabInfo[] {
    return this.#closing === null ? this.secrets.maskAll(this.#tabs.rows()) : [];
  }

  goto(url: string, deadline: Deadline, options: GotoOptions = {}): Promise<void> {
    const opening = this.#observer.preparation.whileOperating(() => this.#goto(url, deadline, options));
    return opening.catch(error => this.#failed(error, deadline));
  }

  async #goto(url: string, deadline: Deadline, options: GotoOptions): Promise<void> {
    this.#downloadedFile = null;
    const { checkUrl, connectionFailure, markConnections, navigationTimeoutMs } = this.#deps;
    const checkedUrl = checkUrl(url);
    const open = (tab: Tab): Promise<DownloadedFile | null> => {
      tab.dialogs.begin('keep');
      return openUrl({
        tab,
        url: checkedUrl,
        navigationTimeoutMs,
        deadline,
        allowDownload: options.allowDownload === true,
        waitMs: options.waitMs ?? null,
        downloads: this.#downloads,
        connectionFailure,
        markConnections,
      });
    };
    const tab = await this.#liveTab(null);
    const { canHaveScripts } = tab;
    try {
      this.#downloadedFile = await open(tab);
    } catch (error) {
      // The new page may share the process of the old one, in which workers and messages of the old page go on.
      const isHeld = tab.isGivenUp && canHaveScripts;
      if (!(error instanceof TabStuck || isHeld)) throw error;
      if (!isHeld) tab.crash();
      this.#downloadedFile = await open(await this.#tabs.replace(tab)).catch(throwNewTabError);
    }
    if (!this.#deps.dismissesBanners || this.#downloadedFile !== null) return;
    const opened = await this.#liveTab(null);
    if (/html/.test(opened.network.document?.contentType ?? ''))
      await readWithoutDialog(opened, () => refuseConsent(opened, deadline));
  }

  async observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    return this.#withFailures(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      const observation = await this.#observer.observe(tab, limits, deadline);
      this.#observer.prepare(tab);
      const whole = this.#withDownloadsAndConsole(tab, observation);
      this.#downloads.told();
      this.#hasStepped = false;
      return whole;
    });
  }

  #withDownloadsAndConsole(tab: Tab, { metadata, space }: PageObservation): PageObservation {
    const errors = this.#hasStepped ? tab.consoleErrors.found : null;
    const downloads = this.#downloads.untold;
    return { metadata, space: { ...space, downloads, ...(errors !== null && { console: errors }) } };
  }

  async peek(deadline: Deadline): Promise<PageObservation | null> {
    const tab = this.#tabs.active;
    if (this.isBlank || tab.crashed || tab.page.isClosed()) return null;
    try {
      const observation = await this.#observer.preparation.whileOperating(() =>
        this.#observer.peek(tab, UNLIMITED, deadline),
      );
      return this.secrets.maskAll(this.#withDownloadsAndConsole(tab, observation));
    } catch (error) {
      throw this.secrets.maskError(toFailure(tab.withReason(error), deadline));
    }
  }

  async metadata(deadline: Deadline): Promise<PageMetadata> {
    return this.#withFailures(deadline, async () =>
      this.#observer.metadata(await this.#liveTab(deadline), deadline),
    );
  }

  async waitFor(condition: WaitCondition, waitMs: number | null, deadline: Deadline): Promise<void> {
    return this.#withFailures(deadline, async () => {
      await this.#liveTab(deadline);
      await waitForCondition({
        condition,
        waitMs,
        deadline,
        activeTab: () => this.#tabs.active,
        observe: () => this.#observer.observe(this.#tabs.active, DEFAULT_LIMITS, deadline),
      });
    });
  }

  async step(command: StepRequest, deadline: Deadline): Promise<StepOutcome> {
    return this.#withFailures(deadline, async () => {
      this.#downloadedFile = null;
      this.#hasStepped = true;
      for (const { consoleErrors } of this.#tabs.all) consoleErrors.clear();
      const leavesPage = findSpecialAction(command.actionId)?.leavesPage === true;
      const tab = await this.#liveTab(leavesPage ? null : deadline);
      tab.dialogs.begin('keep');
      if (leavesPage) tab.scripts.release();
      try {
        const outcome = await tab.scripts.during(step(this.#stepContext(command, deadline)));
        return { ...outcome, notes: outcome.notes.map(note => this.secrets.maskSentence(note)) };
      } catch (error) {
        const observe = () => this.#observer.observe(this.#tabs.active, DEFAULT_LIMITS, deadline);
        throw await withFreshSpace(error, observe);
      }
    });
  }

  async stepKinds(command: StepRequest, deadline: Deadline): Promise<readonly StepKind[]> {
    return this.#withFailures(deadline, async () => {
      await this.#liveTab(deadline);
      return stepKinds(this.#stepContext(command, deadline));
    });
  }

  async scrape(asked: ScrapeRequest, deadline: Deadline): Promise<ScrapedData> {
    const request = this.#deps.dismissesBanners ? { ...asked, dismissBanners: true } : asked;
    return this.#withFailures(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      return readDismissingDialogs(tab, () => scrapeTab(tab, this.#downloadedFile, request, deadline));
    });
  }

  async scrapeWithoutDialog(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData | null> {
    return this.#withFailures(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      return readWithoutDialog(tab, () => scrapeTab(tab, this.#downloadedFile, request, deadline));
    });
  }

  async screenshot(
    deadline: Deadline,
    options: ScreenshotOptions = DEFAULT_SCREENSHOT,
  ): Promise<Screenshot | null> {
    return this.#unmasked(deadline, async () => {
      const tab = await this.#liveTab(deadline);
      if (tab.dialog !== null) return null;
      const gpu = { restart: this.#deps.restartGpu };
      const capture = () => captureScreenshot(tab, options, deadline, gpu);
      try {
        return await this.#pictures.screenshot(tab, options, () =>
          tab.interruptible(tab.scripts.whileReading(capture)),
        );
      } catch (error) {
        if (error instanceof Interrupted && tab.dialog !== null) return null;
        throw error;
      }
    });
  }

  takeSettlingMs(): number {
    let sum = 0;
    for (const tab of this.#tabs.all) {
      sum += tab.settlingMs;
      tab.settlingMs = 0;
    }
    return sum;
  }

  frames(options: ScreencastOptions, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame> {
    if (this.#screencast.readerCount >= MAX_FRAME_READERS)
      throw new Failure('RATE_LIMITED', `This session has ${MAX_FRAME_READERS} live views already.`);
    return this.#screencast.read(options, this.#closing === null ? signal : AbortSignal.abort());
  }

  async changeOptions(options: ChangeableOptions): Promise<void> {
    for (const secret of secretsOf(options)) this.secrets.add(secret);
    try {
      await this.#deps.changeOptions(options);
    } catch (error) {
      throw isTargetGone(error) ? pageCrashedFailure(error) : error;
    }
  }

  async storageState(): Promise<{ readonly state: StorageState; readonly left: string | null }> {
    const { context } = this.#deps;
    try {
      return { state: await context.storageState({ indexedDB: true }), left: null };
    } catch (error) {
      if (!/IndexedDB/.test(messageOf(error))) throw error;
      // Playwright names no database that it can read then.
      const left =
        'A database (IndexedDB) of a page cannot be read: the profile keeps the databases that it had before.';
      return { state: await context.storageState(), left };
    }
  }

  close(): Promise<void> {
    this.#screencast.end();
    this.#logger?.end();
    this.#tabs.stopReporting();
    this.#closing ??= this.#deps.release();
    return this.#closing;
  }

  /** Closes the lease and reports to its listener that the browser is gone. Does nothing after `close`. */
  browserLost(reason: string): void {
    if (this.#closing !== null) return;
    void this.close();
    this.#deps.listener.onLost(reason);
  }

  /** Reports to the listener that the session has exceeded one of its limits; only once, and not after `close`. */
  limitExceeded(reason: string): void {
    if (this.#closing !== null || this.#hasExceededLimit) return;
    this.#hasExceededLimit = true;
    this.#deps.listener.onLimitExceeded(reason);
  }

  #stepContext(command: StepRequest, deadline: Deadline): StepContext {
    const { files, sessionId, navigationTimeoutMs } = this.#deps;
    const { startedCount } = this.#downloads;
    const { secret } = command;
    const origins = secret?.origins.filter(origin => origin.startsWith('https:')) ?? [];
    return {
      tabs: this.#tabs,
      // The proxy of the caller can be any origin over http.
      command:
        secret != null && this.#deps.hasOwnProxy ? { ...command, secret: { ...secret, origins } } : command,
      deadline,
      navigationTimeoutMs,
      hasObserved: this.#observer.hasObserved,
      stateOf: tab => this.#observer.stateOf(tab),
      reobserve: async () => {
        await this.#observer.peek(this.#tabs.active, DEFAULT_LIMITS, deadline, true);
      },
      goto: url => this.goto(url, deadline, { waitMs: command.waitMs ?? null }),
      waitFor: condition => this.waitFor(condition, command.waitMs ?? null, deadline),
      uploadPath: async id => (await files.find(sessionId, 'upload', id))?.path ?? null,
      hasDownloaded: () => this.#downloads.startedCount > startedCount,
      waitForDownloads: isAnnounced =>
        this.#downloads.waitForStepDownloads(startedCount, isAnnounced, DOWNLOAD_TIMEOUT_MS),
    };
  }

  /**
   * Returns the active tab. Replaces it first if it has crashed or is closed; with a `deadline`, loads the URL of a crashed tab again: once
   * for the parts of an operation that begin together, such as a list and a screenshot.
   */
  async #liveTab(deadline: Deadline | null): Promise<Tab> {
    const tab = this.#tabs.active;
    if (deadline !== null && this.#revival !== null) return this.#revival;
    if (!tab.crashed && !tab.page.isClosed()) return tab;
    if (deadline === null) return this.#tabs.replace(tab);
    this.#revival = this.#revive(tab, deadline).finally(() => {
      this.#revival = null;
    });
    return this.#revival;
  }

  async #revive(tab: Tab, deadline: Deadline): Promise<Tab> {
    const url = tab.page.url();
    await this.#tabs.replace(tab);
    if (tab.crashed && url !== BLANK_URL) await this.goto(url, deadline);
    return this.#tabs.active;
  }

  /** Runs an operation, masks its result and converts its errors to failures. */
  async #withFailures<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    return this.secrets.maskAll(await this.#unmasked(deadline, work));
  }

  /** As `#withFailures`, for a picture: it has no text. After the deadline, terminates the running script of the active tab. */
  async #unmasked<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#observer.preparation.whileOperating(work);
    } catch (error) {
      if (deadline.signal.aborted) this.#tabs.active.target.channel.sendNoReply('Runtime.terminateExecution');
      return await this.#failed(error, deadline);
    } finally {
      for (const { network, scripts } of this.#tabs.all) {
        network.requests.operationEnded();
        scripts.release();
      }
    }
  }

  /** Throws the failure for an error of an operation, once it is known whether the session has ended with its browser. */
  async #failed(error: unknown, deadline: Deadline): Promise<never> {
    const failure = toFailure(this.#tabs.active.withReason(error), deadline);
    if (isFailure(failure, 'BROWSER_CRASHED')) await untilLossIsKnown(this.#deps.browserAnswers(), deadline);
    throw this.secrets.maskError(
      isFailure(failure, 'OPERATION_TIMEOUT')
        ? withSilence(failure, this.#tabs.active.scripts.silentMs)
        : failure,
    );
  }
}
