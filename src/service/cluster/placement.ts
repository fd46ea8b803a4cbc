import { setTimeout as delay } from 'node:timers/promises';
import { Semaphore } from '../../async/fairTurns.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import { type NodeEpoch, type NodeMessenger, NoResponse } from '../../domain/ports/nodes.ts';
import { callerGoneFailure } from '../sessions/operationDeadline.ts';
import type { NodeAuthority } from './nodeAuthority.ts';
import { NodeGone } from './nodeClient.ts';
import type { NodeService } from './nodeMethods.ts';

/** Time between two attempts of the first caller in the queue, in milliseconds. */
const ATTEMPT_INTERVAL_MS = 50;
const CHOICE_TIMEOUT_MS = 1_000;

export interface PlacementDeps {
  readonly node: NodeService;
  readonly authority: NodeAuthority;
  readonly messenger: NodeMessenger;
  /** Maximum number of callers that wait at this node. The next caller is refused at once. */
  readonly maxWaiting: number;
  /** A caller that waits longer than this many milliseconds is refused. */
  readonly waitTimeoutMs: number;
}

/** Places new sessions on the nodes. While no node has a free place callers wait, and accounts take turns. */
export class Placement {
  readonly #deps: PlacementDeps;
  readonly #turns: Semaphore;

  constructor(deps: PlacementDeps) {
    this.#deps = deps;
    const { maxWaiting, waitTimeoutMs } = deps;
    this.#turns = new Semaphore({
      permits: 1,
      maxWaiting,
      waitTimeoutMs,
      refusal: () => this.#fullFailure(),
    });
  }

  get waitingCount(): number {
    return this.#turns.waiting + this.#turns.acquired;
  }

  /** Asks another node when the chosen one has filled up or stopped. @throws Failure AT_CAPACITY, DEPENDENCY_UNAVAILABLE; the error of `here` or `there` */
  async place<T>(
    accountId: string,
    signal: AbortSignal,
    here: () => Promise<T>,
    there: (node: NodeEpoch) => Promise<T>,
  ): Promise<T> {
    const deadline = performance.now() + this.#deps.waitTimeoutMs;
    let except: readonly NodeEpoch[] = [];
    for (;;) {
      const chosen = await this.#chosen(accountId, signal, deadline, except);
      try {
        return chosen === 'here' ? await here() : await there(chosen);
      } catch (error) {
        if (!wasRefused(error)) throw error;
        if (performance.now() > deadline) throw this.#fullFailure();
        // Try once more without this node; then every node counts again.
        const refused = chosen === 'here' ? this.#deps.authority.current : chosen;
        except = except.length > 0 || refused === null ? [] : [refused];
        if (except.length === 0) await this.#pause(signal);
      }
    }
  }

  /** Chooses at once unless other callers wait already; else waits for a turn. */
  async #chosen(
    accountId: string,
    signal: AbortSignal,
    deadline: number,
    except: readonly NodeEpoch[],
  ): Promise<NodeEpoch | 'here'> {
    const chosen = this.#turns.available > 0 ? await this.#chooseNow(signal, except) : null;
    if (chosen !== null) return chosen;
    const release = await this.#turns.acquire(signal, accountId).catch(error => {
      throw signal.aborted && error === signal.reason ? callerGoneFailure() : error;
    });
    try {
      return await this.#choose(signal, deadline);
    } finally {
      release();
    }
  }

  async #choose(signal: AbortSignal, deadline: number): Promise<NodeEpoch | 'here'> {
    for (;;) {
      const isLast = performance.now() > deadline;
      const chosen = await this.#chooseNow(signal, [], isLast);
      if (chosen !== null) return chosen;
      if (isLast) throw this.#fullFailure();
      await this.#pause(signal);
    }
  }

  /** Returns null if the caller must ask again. @param isLast true if it will not */
  async #chooseNow(
    signal: AbortSignal,
    except: readonly NodeEpoch[],
    isLast = false,
  ): Promise<NodeEpoch | 'here' | null> {
    const { node, authority, messenger } = this.#deps;
    const self = authority.current;
    const isSelf = ({ nodeId, epoch }: NodeEpoch) => nodeId === self?.nodeId && epoch === self.epoch;
    const canStartHere = self !== null && node.canStart && !except.some(isSelf);
    try {
      const chosen = await messenger.place({ signal, timeoutMs: CHOICE_TIMEOUT_MS, except });
      if (!isSelf(chosen)) return chosen;
      return canStartHere ? 'here' : null;
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw callerGoneFailure();
      if (!(error instanceof NoResponse)) throw error;
      if (canStartHere) return 'here';
      if (error.reason === 'full' || error.reason === 'gone') return null;
      // A bus that is connected and has not answered in time is busy.
      if (messenger.isConnected && !isLast) return null;
      throw new Failure('DEPENDENCY_UNAVAILABLE', 'The message bus of the service cannot be reached.', {
        retryAfterSeconds: 5,
        cause: error,
      });
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await delay(ATTEMPT_INTERVAL_MS, undefined, { signal }).catch(() => {
      throw callerGoneFailure();
    });
  }

  #fullFailure(): Failure {
    return new Failure('AT_CAPACITY', 'All browser sessions of this service are in use. Try again soon.', {
      retryAfterSeconds: Math.max(1, Math.ceil(this.#deps.waitTimeoutMs / 1_000)),
    });
  }
}

/** True if a node did not take the session, so that another one may. */
const wasRefused = (error: unknown): boolean =>
  error instanceof NodeGone || isFailure(error, 'AT_CAPACITY') || isFailure(error, 'SHUTTING_DOWN');
