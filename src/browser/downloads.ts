/** What pages download: into the session's folder, within its bound, told as events. */
import { rm } from 'node:fs/promises';
import type { Download, Page } from 'playwright';
import type { SessionEvent } from '../domain/events.ts';
import { isFailure } from '../domain/failures.ts';
import type { SessionFiles } from '../domain/ports.ts';
import { withoutCredentials } from './withoutCredentials.ts';

/** As Playwright hands on what the system said. */
const NO_ROOM = /\b(?:ENOSPC|EDQUOT|EFBIG)\b/;

/** What Playwright says of one that was broken off: by its bound, for pages cannot. */
const BROKEN_OFF = /\bcancell?ed\b/i;

/** Each may take as much as all files of the session before it is broken off, so few run at once. */
const MOST_AT_ONCE = 10;

/** A hostile page can have any number refused. */
const MOST_TOLD = 256;

const TOO_LARGE = 'the files of the session would be larger than it may keep';

/** Between Chromium's end of a navigation that became a file and Playwright's word of the download. Milliseconds. */
const PATIENCE_WITH_ANNOUNCED_MS = 1_000;

export interface DownloadsParts {
  readonly sessionId: string;
  readonly files: SessionFiles;
  readonly now: () => number;
  readonly happened: (event: SessionEvent) => void;
}

export class Downloads {
  readonly #parts: DownloadsParts;
  readonly #running = new Set<Promise<void>>();
  readonly #waiting = new Set<() => void>();
  #begun = 0;
  #blocked = 0;
  #last: { readonly url: string; readonly name: string; readonly path: string } | null = null;

  constructor(parts: DownloadsParts) {
    this.#parts = parts;
  }

  /** Downloads that have begun since the session began. */
  get begun(): number {
    return this.#begun;
  }

  /** The last that was kept. */
  get last(): { readonly url: string; readonly name: string; readonly path: string } | null {
    return this.#last;
  }

  watch(page: Page): void {
    page.on('download', download => {
      this.#begun++;
      this.#last = null;
      const work = (this.#running.size < MOST_AT_ONCE ? this.#keep(download) : this.#refuse(download)).catch(
        () => {},
      );
      this.#running.add(work);
      for (const told of this.#waiting) told();
      void work.finally(() => this.#running.delete(work));
    });
  }

  /** Resolves when one has begun beyond the first `begun`, and those that have begun are kept or given up; at the latest after `ms`. */
  async keptSince(begun: number, ms: number): Promise<void> {
    const end = performance.now() + ms;
    if (this.#begun <= begun) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#waiting.add(resolve);
      await promise;
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
    await this.finished(Math.max(0, end - performance.now()));
  }

  /** As `finished`; one that is announced, and has not begun beyond the first `begun`, is waited for a moment. */
  async keptFrom(begun: number, announced: boolean, ms: number): Promise<void> {
    if (announced) await this.keptSince(begun, PATIENCE_WITH_ANNOUNCED_MS);
    await this.finished(ms);
  }

  /** Resolves when those that have begun are kept or given up; at the latest after `ms`. */
  async finished(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([Promise.all(this.#running), promise]);
    clearTimeout(timer);
  }

  async #keep(download: Download): Promise<void> {
    const { files, sessionId, now, happened } = this.#parts;
    const fileName = download.suggestedFilename();
    const url = withoutCredentials(download.url());
    try {
      const { id, path } = await files.place(sessionId, 'download', fileName);
      await download.saveAs(path);
      if (await this.#overfull()) {
        await rm(path, { force: true });
        this.#tellBlocked(url, TOO_LARGE);
        return;
      }
      this.#last = { url, name: fileName, path };
      happened({ type: 'download', at: now(), downloadId: id, fileName });
    } catch (error) {
      const reason = isFailure(error)
        ? error.message
        : NO_ROOM.test(String(error))
          ? 'the disk of the service is full'
          : BROKEN_OFF.test((await download.failure().catch(() => null)) ?? '')
            ? TOO_LARGE
            : null;
      if (reason !== null) this.#tellBlocked(url, reason);
    } finally {
      await download.delete().catch(() => {});
    }
  }

  /** Whether the session's files have more together than they may: several may have come at once. */
  async #overfull(): Promise<boolean> {
    const { files, sessionId } = this.#parts;
    const kept = [...(await files.list(sessionId, 'download')), ...(await files.list(sessionId, 'upload'))];
    return kept.reduce((sum, { bytes }) => sum + bytes, 0) > files.mostBytes;
  }

  async #refuse(download: Download): Promise<void> {
    this.#tellBlocked(
      withoutCredentials(download.url()),
      `a session downloads ${MOST_AT_ONCE} files at once at most`,
    );
    await download.cancel();
    // It may have ended before.
    await download.delete();
  }

  #tellBlocked(url: string, reason: string): void {
    this.#blocked++;
    if (this.#blocked > MOST_TOLD) return;
    this.#parts.happened({ type: 'blocked', at: this.#parts.now(), url: url.slice(0, 2_000), reason });
  }
}
