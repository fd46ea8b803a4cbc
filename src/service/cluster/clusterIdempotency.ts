import { setTimeout as delay } from 'node:timers/promises';
import { afterMs, race } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type {
  ClaimState,
  IdempotencyClaim,
  IdempotencyStore,
  NodeEpoch,
  NodeMessenger,
} from '../../domain/ports/nodes.ts';
import { type AnyOperation, hashInput, keyReusedFailure, mayRetry, ownKey } from '../sessions/idempotent.ts';
import { callerGoneFailure } from '../sessions/operationDeadline.ts';
import { eachOperation, type SessionOperations } from '../sessions/sessionOperations.ts';
import type { NodeAuthority } from './nodeAuthority.ts';
import { decodeResult, encodeError, encodeValue } from './nodeClient.ts';
import { announce, onAnnouncement } from './nodeMethods.ts';

/** Time between two reads of an operation that runs elsewhere, in milliseconds: its announcement can be lost. */
const POLL_INTERVAL_MS = 1_000;
/** Time before the second read, in milliseconds: the operation may have ended before its node heard of the request that waits. */
const FIRST_POLL_MS = 100;
/** Time between two attempts to store a response, and between two checks of the lease meanwhile, in milliseconds. */
const RECORD_INTERVAL_MS = 100;
const REMOVAL_INTERVAL_MS = 60_000;

export interface ClusterIdempotencyDeps {
  readonly keys: IdempotencyStore;
  readonly authority: NodeAuthority;
  readonly messenger: NodeMessenger;
  readonly clock: Clock;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Runs operations once per API key and idempotency key. The node on which a request arrives claims its key. */
export class ClusterIdempotency {
  readonly #deps: ClusterIdempotencyDeps;
  /** Functions to call when an operation with this key has ended, by `keyOf`. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** The operations with keys that requests at this node run, by `keyOf`. */
  readonly #running = new Map<string, { isAwaited: boolean }>();
  /** Number of claims of this node that are under way, by `keyOf`. */
  readonly #claiming = new Map<string, number>();
  readonly #stopListening: () => void;
  #cancelRemoval: () => void = () => {};

  constructor(deps: ClusterIdempotencyDeps) {
    this.#deps = deps;
    const stops = [
      onAnnouncement(deps.messenger, 'operationEnded', ended => {
        for (const wake of this.#waiting.get(keyOf(ended)) ?? []) wake();
      }),
      onAnnouncement(deps.messenger, 'operationAwaited', awaited => {
        const running = this.#running.get(keyOf(awaited));
        if (running !== undefined) running.isAwaited = true;
      }),
      onAnnouncement(deps.messenger, 'nodeEnded', () => {
        for (const listeners of this.#waiting.values()) for (const wake of listeners) wake();
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    this.#scheduleRemoval();
  }

  /** Returns operations with the semantics of `idempotent`, for all nodes together. */
  wrap(operations: SessionOperations): SessionOperations {
    const once = (name: keyof SessionOperations): AnyOperation => {
      const run = operations[name] as unknown as AnyOperation;
      return (viewer, { idempotencyKey = null, ...command }) => {
        if (idempotencyKey === null) return run(viewer, command);
        const key = ownKey(viewer, idempotencyKey);
        const claim = { accountId: viewer.account.id, key, inputHash: hashInput(name, command) };
        // The caller may disconnect and repeat the request, so the operation does not receive its signal.
        const work = () => run(viewer, { ...command, signal: new AbortController().signal });
        return this.#once(name, claim, command.signal, work) as ReturnType<AnyOperation>;
      };
    };
    // Each operation has the types of the one that it runs.
    return eachOperation(once) as unknown as SessionOperations;
  }

  stop(): void {
    this.#stopListening();
    this.#cancelRemoval();
  }

  async #once(
    name: keyof SessionOperations,
    claim: IdempotencyClaim,
    signal: AbortSignal,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    for (let pollMs = FIRST_POLL_MS; ; pollMs = POLL_INTERVAL_MS) {
      const owner = this.#deps.authority.assert();
      // Listens before it reads, so that no announcement falls in between.
      using ended = this.#listen(claim);
      const state = await this.#claim(claim, owner);
      switch (state.type) {
        case 'claimed':
          return this.#run(name, claim, owner, run);
        case 'done':
          return decodeResult(state.response);
        case 'reused':
          throw keyReusedFailure();
        case 'running':
          if (state.owner === null) throw outcomeUnknownFailure();
          announce(this.#deps.messenger, 'operationAwaited', { accountId: claim.accountId, key: claim.key });
          await ended.wait(pollMs, signal);
      }
    }
  }

  /** Claims the key. A claim of this node whose answer was lost, so that no request runs its operation, goes to this request. */
  async #claim(claim: IdempotencyClaim, owner: NodeEpoch): Promise<ClaimState> {
    const key = keyOf(claim);
    this.#claiming.set(key, (this.#claiming.get(key) ?? 0) + 1);
    try {
      const state = await this.#deps.keys.claim(claim, owner);
      const isOwn = state.type === 'running' && state.owner?.epoch === owner.epoch;
      const isAbandoned = isOwn && !this.#running.has(key) && this.#claiming.get(key) === 1;
      if (state.type !== 'claimed' && !isAbandoned) return state;
      // Noted before another claim can end.
      this.#running.set(key, { isAwaited: false });
      return { type: 'claimed' };
    } finally {
      const others = (this.#claiming.get(key) ?? 1) - 1;
      if (others === 0) this.#claiming.delete(key);
      else this.#claiming.set(key, others);
    }
  }

  /** @throws the error of `run`; Failure OUTCOME_UNKNOWN if the response could not be stored, so that no node can repeat it */
  async #run(
    name: keyof SessionOperations,
    claim: IdempotencyClaim,
    owner: NodeEpoch,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    const { keys } = this.#deps;
    let result: unknown;
    try {
      result = await run();
    } catch (error) {
      const release = async () => {
        await keys.release(claim, owner);
        return true;
      };
      // A request that comes before the key is free waits for it.
      if (mayRetry(name, error)) void this.#record(claim, owner, release);
      else await this.#record(claim, owner, () => keys.complete(claim, owner, encodeError(error)));
      throw error;
    }
    const isStored = await this.#record(claim, owner, () => keys.complete(claim, owner, encodeValue(result)));
    if (!isStored) throw outcomeUnknownFailure();
    return result;
  }

  /** While the database is away, tries again until the epoch of this node ends. @returns false if it was not recorded. Never throws */
  async #record(claim: IdempotencyClaim, owner: NodeEpoch, write: () => Promise<boolean>): Promise<boolean> {
    const { messenger, warn } = this.#deps;
    let isRecorded: boolean | null = null;
    let hasWarned = false;
    while (isRecorded === null)
      try {
        isRecorded = await this.#whileOwner(owner, write());
      } catch (error) {
        if (!hasWarned)
          warn('The response of an operation with an idempotency key could not be stored', error);
        hasWarned = true;
        if (this.#isOwner(owner)) await delay(RECORD_INTERVAL_MS, undefined, { ref: false });
        else isRecorded = false;
      }
    const running = this.#running.get(keyOf(claim));
    this.#running.delete(keyOf(claim));
    // Without a request that waits, no node needs to hear of it.
    if (running?.isAwaited === true)
      announce(messenger, 'operationEnded', { accountId: claim.accountId, key: claim.key });
    return isRecorded;
  }

  /** Waits for a write, but not beyond the epoch of this node. @returns its result; false if the epoch ended before */
  async #whileOwner(owner: NodeEpoch, write: Promise<boolean>): Promise<boolean> {
    for (;;) {
      const result = await race(
        write,
        afterMs(RECORD_INTERVAL_MS, () => null),
      );
      if (result !== null) return result;
      if (!this.#isOwner(owner)) return false;
    }
  }

  #isOwner({ epoch }: NodeEpoch): boolean {
    return this.#deps.authority.current?.epoch === epoch;
  }

  #listen(claim: IdempotencyClaim): Disposable & { wait(ms: number, signal: AbortSignal): Promise<void> } {
    const key = keyOf(claim);
    const ended = new AbortController();
    const listener = () => ended.abort();
    const listeners = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, listeners.add(listener));
    return {
      async wait(ms, signal) {
        const either = AbortSignal.any([signal, ended.signal]);
        await delay(ms, undefined, { signal: either }).catch(() => undefined);
        if (signal.aborted) throw callerGoneFailure();
      },
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#waiting.get(key) === listeners) this.#waiting.delete(key);
      },
    };
  }

  #scheduleRemoval(): void {
    this.#cancelRemoval = this.#deps.clock.scheduleAfter(REMOVAL_INTERVAL_MS, () => {
      this.#scheduleRemoval();
      // A removal that fails needs no retry: the next one removes the same responses.
      if (this.#deps.authority.current !== null) void this.#deps.keys.removeExpired().catch(() => undefined);
    });
  }
}

const keyOf = ({ accountId, key }: Pick<IdempotencyClaim, 'accountId' | 'key'>): string =>
  `${accountId} ${key}`;

const outcomeUnknownFailure = (): Failure =>
  new Failure(
    'OUTCOME_UNKNOWN',
    'The node on which the first request with this idempotencyKey arrived stopped before it stored a response.',
  );
