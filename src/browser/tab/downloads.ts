import type { CDPSession, Download, FileChooser, Page } from 'playwright';
import { afterMs, onCall, race, waitUntil } from '../../async/race.ts';
import { isFailure } from '../../domain/failure/failures.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionEvent } from '../../domain/session/sessionEvent.ts';
import { cutText, normalizeText } from '../../domain/space/pageText.ts';
import type { StartedDownload } from '../../domain/space/space.ts';
import { stripCredentials } from '../../domain/webAddress.ts';
import { isDiskFull, isDownloadCancelled } from '../cdp/playwrightInternals.ts';

/** Further ones are cancelled: each may use as much disk space as all files of a session before it is. */
const MAX_CONCURRENT_DOWNLOADS = 10;

const MAX_REPORTED_DOWNLOADS = 20;

const MAX_BLOCKED_EVENTS = 256;

const TOO_LARGE_REASON = 'the files of the session would exceed their size limit';

/** Maximum wait for Playwright to report a download, after a navigation whose response is a file. */
const ANNOUNCED_DOWNLOAD_TIMEOUT_MS = 1_000;

export interface DownloadsDeps {
  readonly sessionId: string;
  readonly accountId: string;
  readonly files: SessionFileStore;
  readonly now: () => number;
  readonly onEvent: (event: SessionEvent) => void;
  /** True if the policy of the API key keeps no downloads. */
  readonly refusesDownloads?: boolean;
}

/** A download whose state still changes: running, then stored or refused. */
type LatestDownload = { -readonly [K in keyof StartedDownload]: StartedDownload[K] };

function refuseIfRunning(entry: LatestDownload): void {
  if (entry.state === 'running') entry.state = 'refused';
}

export class Downloads {
  readonly #deps: DownloadsDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #startWaiters = new Set<() => void>();
  /** The latest downloads whose end was not told yet, oldest first. */
  #latest: LatestDownload[] = [];
  #startedCount = 0;
  #blockedCount = 0;
  #lastStored: { readonly url: string; readonly name: string; readonly path: string } | null = null;

  constructor(deps: DownloadsDeps) {
    this.#deps = deps;
  }

  /** Number of downloads that pages have started since the session started. */
  get startedCount(): number {
    return this.#startedCount;
  }

  /** The download that was stored last; null if none was stored since the latest download started. */
  get lastStored(): { readonly url: string; readonly name: string; readonly path: string } | null {
    return this.#lastStored;
  }

  /** The downloads whose end was not told yet, at most the latest 20. */
  get untold(): readonly StartedDownload[] {
    return this.#latest.map(entry => ({ ...entry }));
  }

  told(): void {
    this.#latest = this.#latest.filter(({ state }) => state === 'running');
  }

  /** Starts to store the downloads of a page; refuses those above the limits. */
  watch(page: Page): void {
    page.on('download', download => {
      this.#startedCount++;
      this.#lastStored = null;
      const entry: LatestDownload = { id: null, name: nameOf(download), state: 'running' };
      this.#latest.push(entry);
      if (this.#latest.length > MAX_REPORTED_DOWNLOADS) this.#latest.shift();
      const refusal = this.#refusal();
      const work = (refusal === null ? this.#store(download, entry) : this.#refuse(download, refusal))
        .catch(() => {})
        .finally(() => refuseIfRunning(entry));
      this.#running.add(work);
      for (const wake of this.#startWaiters) wake();
      void work.finally(() => this.#running.delete(work));
    });
  }

  /** At most `timeoutMs`. @param startedBefore `startedCount` before the operation that starts the download */
  async waitForNewDownload(startedBefore: number, timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    if (this.#startedCount <= startedBefore) await waitUntil(onCall(this.#startWaiters), afterMs(timeoutMs));
    await this.waitForRunning(Math.max(0, end - performance.now()));
  }

  /** @param announced true if the step has started a download that Playwright may not have reported yet: then waits for it first */
  async waitForStepDownloads(startedBefore: number, announced: boolean, timeoutMs: number): Promise<void> {
    if (announced) await this.waitForNewDownload(startedBefore, ANNOUNCED_DOWNLOAD_TIMEOUT_MS);
    await this.waitForRunning(timeoutMs);
  }

  /** Stored or refused; at most `timeoutMs`. */
  async waitForRunning(timeoutMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await race(Promise.all(this.#running), afterMs(timeoutMs));
  }

  async #store(download: Download, entry: LatestDownload): Promise<void> {
    const { files, sessionId, accountId, now, onEvent } = this.#deps;
    const fileName = entry.name;
    const url = stripCredentials(download.url());
    try {
      await using reserved = await files.reserve({ sessionId, accountId }, 'download', fileName);
      const { id, path } = reserved;
      await download.saveAs(path);
      await reserved.keep();
      this.#lastStored = { url, name: fileName, path };
      Object.assign(entry, { id, state: 'stored' });
      onEvent({ type: 'download', at: now(), downloadId: id, fileName });
    } catch (error) {
      const reason = await refusalReason(error, download);
      if (reason !== null) this.#reportBlocked(url, reason);
    } finally {
      await download.delete().catch(() => {});
    }
  }

  #refusal(): string | null {
    if (this.#deps.refusesDownloads === true) return 'the policy of the API key keeps no downloads';
    return this.#running.size < MAX_CONCURRENT_DOWNLOADS
      ? null
      : `a session downloads at most ${MAX_CONCURRENT_DOWNLOADS} files at once`;
  }

  async #refuse(download: Download, reason: string): Promise<void> {
    this.#reportBlocked(stripCredentials(download.url()), reason);
    await download.cancel();
    // The download may have ended before it was cancelled.
    await download.delete();
  }

  #reportBlocked(url: string, reason: string): void {
    this.#blockedCount++;
    if (this.#blockedCount > MAX_BLOCKED_EVENTS) return;
    this.#deps.onEvent({ type: 'blocked', at: this.#deps.now(), url: cutText(url, 2_000), reason });
  }
}

/** Returns why the service did not store a download, as text for an event; null if the download itself failed. */
async function refusalReason(error: unknown, download: Download): Promise<string | null> {
  if (isFailure(error)) return error.message;
  if (isDiskFull(error)) return 'the disk of the service is full';
  // Pages cannot cancel downloads, so this one exceeded the size limit.
  const failure = (await download.failure().catch(() => null)) ?? '';
  return isDownloadCancelled(failure) ? TOO_LARGE_REASON : null;
}

/** The name of the file, which the page chooses, in one line of visible characters. */
const nameOf = (download: Download): string => normalizeText(download.suggestedFilename()) || 'download';

/** Maximum wait until Playwright has prepared a file chooser that the page has opened. */
const READY_TIMEOUT_MS = 1_000;

/** The file choosers that a page opens. No window opens for them: the caller names uploaded files. */
export class FileChoosers {
  /** The file chooser that the page has opened last; null if there is none, or it was taken, or the page has navigated. */
  #latest: FileChooser | null = null;
  #noted: FileChooser | null = null;
  /** Number of file choosers that Chromium has reported, and that Playwright has not. */
  #announced = 0;
  readonly #waiters = new Set<() => void>();

  /** @param session a CDP session of the page; the caller must send `Page.setInterceptFileChooserDialog` */
  constructor(page: Page, session: CDPSession) {
    session.on('Page.fileChooserOpened', () => {
      this.#announced++;
    });
    page.on('filechooser', chooser => {
      this.#latest = chooser;
      this.#announced = 0;
      for (const wake of [...this.#waiters]) wake();
    });
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame()) this.#latest = null;
    });
  }

  /** The number of files that the open file chooser takes; null if none is open. */
  get open(): 'one' | 'several' | null {
    if (this.#latest === null) return null;
    return this.#latest.isMultiple() ? 'several' : 'one';
  }

  /** Returns a sentence about the open file chooser, once for each; null if none is open. */
  note(): string | null {
    if (this.#latest === null || this.#noted === this.#latest) return null;
    this.#noted = this.#latest;
    const takes = this.#latest.isMultiple() ? 'files' : 'one file';
    return `The page has opened a file chooser, which takes ${takes}: S25 chooses uploads.`;
  }

  /** Returns the open file chooser, and forgets it; null if none is open. */
  take(): FileChooser | null {
    const chooser = this.#latest;
    this.#latest = null;
    return chooser;
  }

  /** Waits until a file chooser that the page has just opened can be used. */
  async ready(): Promise<void> {
    if (this.#announced > 0) await waitUntil(onCall(this.#waiters), afterMs(READY_TIMEOUT_MS));
    this.#announced = 0;
  }
}
