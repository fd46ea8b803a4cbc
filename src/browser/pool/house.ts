/** One browser of the pool: who lives in it, how worn it is, and whether it still answers. */
import type { Browser, CDPSession } from 'playwright';
import type { SessionFiles } from '../../domain/ports.ts';
import { boundDownloads } from '../downloadBound.ts';
import { type LaunchOptions, launch } from '../launch/launch.ts';
import type { Lease } from '../lease.ts';
import type { BrowserRecord, RecordedBrowser } from './browserRecord.ts';
import { kill } from './kill.ts';
import { residentBytes } from './processTable.ts';

/** How often a browser that has sessions is asked whether it is there, and how long it may take to say so. Milliseconds. */
export interface Heartbeat {
  readonly everyMs: number;
  readonly patienceMs: number;
}

/** A processor that is busy for seconds delays an answer; nothing but a frozen browser delays it for fifteen. */
export const HEARTBEAT: Heartbeat = { everyMs: 5_000, patienceMs: 15_000 };

/** Long-lived Chromium processes grow: after this many contexts, */
const CONTEXTS_IN_A_LIFE = 500;
/** this long (two hours, in milliseconds), */
const LONGEST_LIFE_MS = 7_200_000;
/** or past this size of its main process a browser takes nobody in any more. Fresh it has about 150 MB. */
const MOST_BYTES = 1_000_000_000;
/** A browser that takes longer than this for a context, or to tell its process number, is frozen. Milliseconds. */
const READY_WITHIN_MS = 20_000;
/** A browser that does not end by itself within this time is killed. */
const END_WITHIN_MS = 5_000;

/** A page crashes this soon after its process was ended. Milliseconds. */
const CRASHES_WITHIN_MS = 2_000;

/** What a house is made of. */
export interface HouseOptions extends Omit<LaunchOptions, 'flags'> {
  readonly record: BrowserRecord;
  /** What a session's files may have together bounds each download while it runs. */
  readonly files: Pick<SessionFiles, 'mostBytes'>;
  readonly heartbeat: Heartbeat;
  /** Called once, when the browser is gone, asked to or not. */
  readonly gone: (house: House) => void;
}

/** One process of the browser. */
export interface HouseProcess {
  readonly pid: number;
  /** Of one session alone; all others are shared. */
  readonly holdsPages: boolean;
  /** Processor time since it began. */
  readonly seconds: number;
}

export class House {
  readonly browser: Browser;
  readonly leases = new Set<Lease>();
  /** Sessions and warm contexts in it now, those being made among them. */
  contexts = 0;
  /** The one account that may live in it; null while any may. */
  owner: string | null = null;
  /** Nobody is taken in any more. */
  retired = false;
  /** Why its sessions are lost when it is gone. */
  lossReason = 'The browser ended unexpectedly.';
  readonly #options: HouseOptions;
  readonly #entry: RecordedBrowser;
  readonly #session: CDPSession;
  readonly #bornAt = performance.now();
  #lastEnded: { readonly reason: string; readonly until: number } | null = null;
  #had = 0;
  #beat: NodeJS.Timeout | null = null;
  #ending: Promise<void> | null = null;

  private constructor(browser: Browser, session: CDPSession, entry: RecordedBrowser, options: HouseOptions) {
    this.browser = browser;
    this.#session = session;
    this.#entry = entry;
    this.#options = options;
    browser.on('disconnected', () => {
      this.#rest();
      entry.ended();
      options.gone(this);
    });
  }

  /** Starts a browser and writes it down. @throws Error when Chromium does not start */
  static async start(options: HouseOptions): Promise<House> {
    const entry = options.record.enter();
    let browser: Browser | null = null;
    try {
      browser = await launch({ ...options, flags: [entry.flag] });
      const up = browser;
      const introduced = (async () => {
        const session = await up.newBrowserCDPSession();
        await boundDownloads(session, options.files.mostBytes);
        const { processInfo } = await session.send('SystemInfo.getProcessInfo');
        return { session, pid: processInfo.find(one => one.type === 'browser')?.id };
      })();
      const { session, pid } = await whileConnected(browser, introduced, () => entry.kill());
      if (pid !== undefined) entry.started(pid);
      return new House(browser, session, entry, options);
    } catch (error) {
      await browser?.close().catch(() => {});
      entry.ended();
      throw error;
    }
  }

  /** Whether it ended, or is about to. */
  get isGone(): boolean {
    return this.#ending !== null || !this.browser.isConnected();
  }

  /** Whether its time is over: by age, use or size. */
  get isWorn(): boolean {
    return (
      this.#had >= CONTEXTS_IN_A_LIFE ||
      performance.now() - this.#bornAt >= LONGEST_LIFE_MS ||
      (this.#entry.pid !== null && (residentBytes(this.#entry.pid) ?? 0) > MOST_BYTES)
    );
  }

  /** Whether there is room for one more context. */
  hasRoom(most: number): boolean {
    return !this.retired && !this.isGone && this.contexts < most && this.#had < CONTEXTS_IN_A_LIFE;
  }

  /**
   * Settles as `work` does, or fails when the browser goes meanwhile: Playwright leaves some calls without an answer then.
   * A browser that lets it wait too long is ended.
   */
  whileUp<T>(work: Promise<T>): Promise<T> {
    return whileConnected(this.browser, work, () => this.#endFrozen());
  }

  async processes(): Promise<readonly HouseProcess[]> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id, type, cpuTime }) => ({
      pid: id,
      holdsPages: type === 'renderer',
      seconds: cpuTime,
    }));
  }

  /** Opens a page of Chromium's own in a context, by Chromium's id of it: no filter stands before this. */
  async openInternal(url: `chrome://${string}`, browserContextId: string): Promise<string> {
    const params = { url, browserContextId, background: true };
    return (await this.#session.send('Target.createTarget', params)).targetId;
  }

  /** Ends the process of a page whose session is not known: `endedFor` tells the reason when its page crashes. */
  endRenderer(pid: number, reason: string): void {
    this.#lastEnded = { reason, until: performance.now() + CRASHES_WITHIN_MS };
    kill(pid);
  }

  /** Why a page that crashes now was ended by the service; null if it was not. */
  get endedFor(): string | null {
    const last = this.#lastEnded;
    return last !== null && performance.now() < last.until ? last.reason : null;
  }

  /** Counts a context in; `contexts--` counts it out. */
  reserve(): void {
    this.contexts++;
    this.#had++;
  }

  moveIn(lease: Lease): void {
    this.leases.add(lease);
    if (this.#beat === null) this.#listen();
  }

  moveOut(lease: Lease): void {
    this.leases.delete(lease);
    if (this.leases.size === 0) this.#rest();
  }

  /** Ends the browser: by asking, then by force. Idempotent, never throws. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#rest();
    const late = setTimeout(() => this.#entry.kill(), END_WITHIN_MS);
    await this.browser.close().catch(() => {});
    clearTimeout(late);
    this.#entry.ended();
  }

  /** Only a browser with sessions is listened to: an idle one costs nothing. */
  #listen(): void {
    const { everyMs, patienceMs } = this.#options.heartbeat;
    this.#beat = setTimeout(() => {
      const late = setTimeout(() => this.#endFrozen(), patienceMs);
      this.#beat = late;
      const answered = () => {
        clearTimeout(late);
        if (this.#beat === late) this.#listen();
      };
      // An error is an answer too; one that says that the browser is gone is told by Playwright.
      this.#session.send('Browser.getVersion').then(answered, answered);
    }, everyMs);
    this.#beat.unref();
  }

  #endFrozen(): void {
    this.lossReason = 'The browser stopped answering and was ended.';
    this.#entry.kill();
  }

  #rest(): void {
    if (this.#beat !== null) clearTimeout(this.#beat);
    this.#beat = null;
  }
}

async function whileConnected<T>(browser: Browser, work: Promise<T>, frozen: () => void): Promise<T> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new Error('The browser ended while it was asked.'));
  const timer = setTimeout(frozen, READY_WITHIN_MS);
  browser.on('disconnected', fail);
  if (!browser.isConnected()) fail();
  try {
    return await Promise.race([work, gone]);
  } finally {
    clearTimeout(timer);
    browser.off('disconnected', fail);
  }
}
