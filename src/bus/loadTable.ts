/** The load of each node, and the choice of the node for a new session. */
import type { NodeEpoch, NodeLoad } from '../domain/ports/nodeRegistry.ts';

/** A node that sent no report for this many milliseconds is not chosen. Reports arrive each 500 ms. */
export const REPORT_EXPIRY_MS = 2_500;
/** A choice that no report confirmed is forgotten after this many milliseconds: the start failed, or another session ended. */
const CHOICE_EXPIRY_MS = 2_000;

interface NodeEntry {
  readonly node: NodeEpoch;
  load: NodeLoad;
  reportedAt: number;
  /** Times of the choices that no report has counted yet, the earliest first. */
  choices: number[];
}

/** Options of `LoadTable.choose`. */
export interface ChooseOptions {
  /** Nodes to prefer among those with the same load, the first one most. */
  readonly preferred: readonly (NodeEpoch | undefined)[];
  /** Nodes that must not be chosen. */
  readonly except: readonly NodeEpoch[];
}

/** Returns one text for each node and epoch. */
export const nodeKey = ({ nodeId, epoch }: NodeEpoch): string => `${nodeId}\n${epoch}`;

/** True if the node takes new sessions. */
export const hasFreePlace = ({ sessions, capacity, draining }: NodeLoad): boolean =>
  !draining && sessions < capacity;

/**
 * Knows the reported load of each node, and what was placed on it since its last report, so that many choices at once
 * spread over the nodes.
 */
export class LoadTable {
  readonly #entries = new Map<string, NodeEntry>();
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records the load of a node. Sessions that it has more than before confirm as many choices. */
  report(node: NodeEpoch, load: NodeLoad): void {
    const key = nodeKey(node);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { node, load, reportedAt: this.#now(), choices: [] });
      return;
    }
    entry.choices.splice(0, Math.max(0, load.sessions - entry.load.sessions));
    entry.load = load;
    entry.reportedAt = this.#now();
  }

  /** Forgets a node. */
  remove(node: NodeEpoch): void {
    this.#entries.delete(nodeKey(node));
  }

  /** Chooses the least loaded node with a free place, and counts the choice. Returns null if no node has one. */
  choose({ preferred, except }: ChooseOptions): NodeEpoch | null {
    const now = this.#now();
    const excluded = new Set(except.map(nodeKey));
    const order = preferred.map(node => node && nodeKey(node));
    const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
    let best: { entry: NodeEntry; key: string; share: number } | undefined;
    for (const [key, entry] of this.#entries) {
      if (now - entry.reportedAt > REPORT_EXPIRY_MS) {
        this.#entries.delete(key);
        continue;
      }
      entry.choices = entry.choices.filter(at => now - at < CHOICE_EXPIRY_MS);
      const sessions = entry.load.sessions + entry.choices.length;
      if (excluded.has(key) || !hasFreePlace({ ...entry.load, sessions })) continue;
      const share = sessions / entry.load.capacity;
      if (best === undefined || share < best.share || (share === best.share && rank(key) < rank(best.key)))
        best = { entry, key, share };
    }
    best?.entry.choices.push(now);
    return best?.entry.node ?? null;
  }
}
