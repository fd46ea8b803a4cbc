/** Reads how much processor time the renderers of all sessions use. Linux only: elsewhere it finds no processes. */
import type { BrowserProcess } from './monitoredBrowser.ts';
import { processorMs, processRow } from './processTable.ts';

/** Time between two questions to a browser about its processes, in milliseconds. */
const LIST_MS = 1_000;

/** A session whose pages use processor time. */
export interface PacedSession {
  readonly resourceUsage: {
    knownRendererPids(): readonly number[];
    refreshRendererPids(): Promise<void>;
  };
}

/** A browser whose sessions share the processors with those of all other browsers of the node. */
export interface PacedBrowser {
  /** Process id of the main process; null while unknown. */
  readonly pid: number | null;
  readonly leases: ReadonlySet<PacedSession>;
  processes(): Promise<readonly BrowserProcess[]>;
}

/** A session, or the process id of a renderer whose session is unknown. */
export type RendererOwner = PacedSession | number;

/** The renderers of one owner, and what they used since the last reading. */
export interface OwnedRenderers {
  /** The process group of their browser. */
  readonly group: number;
  readonly pids: number[];
  /** Processor time in milliseconds, with a part of what the browser's shared processes used. */
  usedMs: number;
  /** When the first of them was listed first. */
  readonly listedAt: number;
}

/** The processes of one browser, as it listed them last. */
interface ProcessList {
  /** The process group of the browser; null while unknown. */
  group: number | null;
  askedAt: number;
  processes: readonly (BrowserProcess & { readonly listedAt: number })[];
}

/** Reads the processor times of the renderers of the node's browsers. */
export class RendererTimes {
  readonly #lists = new WeakMap<PacedBrowser, ProcessList>();
  #totals = new Map<number, number>();

  /** Returns what each session, and each renderer whose session is unknown, used since the last call. */
  read(browsers: Iterable<PacedBrowser>): ReadonlyMap<RendererOwner, OwnedRenderers> {
    const totals = this.#totals;
    this.#totals = new Map();
    const owners = new Map<RendererOwner, OwnedRenderers>();
    for (const browser of browsers) this.#readBrowser(browser, totals, owners);
    return owners;
  }

  #readBrowser(
    browser: PacedBrowser,
    totals: ReadonlyMap<number, number>,
    owners: Map<RendererOwner, OwnedRenderers>,
  ): void {
    const { group, processes } = this.#listOf(browser);
    if (group === null) return;
    const sessions = new Map(
      [...browser.leases].flatMap(session =>
        session.resourceUsage.knownRendererPids().map(pid => [pid, session] as const),
      ),
    );
    const own: OwnedRenderers[] = [];
    let sharedMs = 0;
    for (const { pid, isRenderer, listedAt } of processes) {
      const total = processorMs(pid);
      const usedMs = Math.max(0, total - (totals.get(pid) ?? total));
      this.#totals.set(pid, total);
      if (!isRenderer) {
        sharedMs += usedMs;
        continue;
      }
      const owner = sessions.get(pid) ?? pid;
      const renderers = owners.get(owner) ?? { group, pids: [], usedMs: 0, listedAt };
      renderers.pids.push(pid);
      renderers.usedMs += usedMs;
      if (!owners.has(owner)) own.push(renderers);
      owners.set(owner, renderers);
    }
    // The GPU process draws for all pages, and the main process and the network process work for all: by how busy their pages are.
    const allMs = own.reduce((sum, { usedMs }) => sum + usedMs, 0);
    for (const renderers of own) renderers.usedMs += allMs === 0 ? 0 : (sharedMs * renderers.usedMs) / allMs;
  }

  /** Returns the processes as listed last, and asks the browser again when that is old. */
  #listOf(browser: PacedBrowser): ProcessList {
    const now = performance.now();
    const list = this.#lists.get(browser) ?? {
      group: null,
      askedAt: Number.NEGATIVE_INFINITY,
      processes: [],
    };
    this.#lists.set(browser, list);
    if (browser.pid !== null) list.group ??= processRow(browser.pid)?.group ?? null;
    if (now - list.askedAt < LIST_MS) return list;
    list.askedAt = now;
    browser.processes().then(
      processes => {
        const listedAt = new Map(list.processes.map(one => [one.pid, one.listedAt]));
        list.processes = processes.map(one => ({
          ...one,
          listedAt: listedAt.get(one.pid) ?? performance.now(),
        }));
      },
      // The browser has closed.
      () => {},
    );
    return list;
  }
}
