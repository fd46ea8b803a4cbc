/** Runs an operation once per idempotency key in the whole cluster. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IdempotencyClaim, IdempotencyStore } from '../../domain/ports/idempotencyStore.ts';
import type { NodeMessenger } from '../../domain/ports/nodeMessenger.ts';
import type { NodeEpoch } from '../../domain/ports/nodeRegistry.ts';
import { type Command, hashInput, keyReusedFailure, mayRetry } from '../sessions/idempotencyRules.ts';
import { callerGoneFailure } from '../sessions/operationDeadline.ts';
import type { ObservationResult, SessionOperations, SessionResult } from '../sessions/sessionOperations.ts';
import { announce, onAnnouncement } from './announcements.ts';
import type { NodeAuthority } from './nodeAuthority.ts';
import { decodeResult, encodeError, encodeValue } from './nodeCall.ts';

/** Time between two reads of an operation that runs elsewhere, in milliseconds: its announcement can be lost. */
const POLL_INTERVAL_MS = 1_000;
/** Time before the second read, in milliseconds: the operation may have ended before its node heard of the request that waits. */
const FIRST_POLL_MS = 100;
/** Time between two removals of expired responses, in milliseconds. */
const REMOVAL_INTERVAL_MS = 60_000;

/** The store of the keys, this node's authority and the messenger. */
export interface ClusterIdempotencyDeps {
  readonly keys: IdempotencyStore;
  readonly authority: NodeAuthority;
  readonly messenger: NodeMessenger;
  readonly clock: Clock;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Runs operations once per account and key. The node on which a request arrives claims its key. */
export class ClusterIdempotency {
  readonly #deps: ClusterIdempotencyDeps;
  /** Functions to call when an operation with this key has ended, by `keyOf`. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** The operations with keys that requests at this node run, by `keyOf`. */
  readonly #running = new Map<string, { isAwaited: boolean }>();
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
    const once =
      <One extends Command, Result extends SessionResult | ObservationResult>(
        name: keyof SessionOperations,
        run: (viewer: Viewer, command: One) => Promise<Result>,
      ) =>
      (viewer: Viewer, { idempotencyKey: key = null, ...command }: One): Promise<Result> => {
        if (key === null) return run(viewer, command as One);
        const claim = { accountId: viewer.account.id, key, inputHash: hashInput(name, command) };
        // The caller may disconnect and repeat the request, so the operation does not receive its signal.
        const unaborted = { ...command, signal: new AbortController().signal } as unknown as One;
        const work = () => run(viewer, unaborted);
        return this.#once(name, claim, command.signal, work) as Promise<Result>;
      };
    return {
      start: once('start', operations.start),
      observe: once('observe', operations.observe),
      step: once('step', operations.step),
      scrape: once('scrape', operations.scrape),
      close: once('close', operations.close),
    };
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
      const state = await this.#deps.keys.claim(claim, owner);
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

  async #run(
    name: keyof SessionOperations,
    claim: IdempotencyClaim,
    owner: NodeEpoch,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    const { keys } = this.#deps;
    this.#running.set(keyOf(claim), { isAwaited: false });
    let result: unknown;
    try {
      result = await run();
    } catch (error) {
      await this.#record(claim, owner, () =>
        mayRetry(name, error) ? keys.release(claim, owner) : keys.complete(claim, owner, encodeError(error)),
      );
      throw error;
    }
    await this.#record(claim, owner, () => keys.complete(claim, owner, encodeValue(result)));
    return result;
  }

  /** Records the end of an operation. While the database is away, tries again until the epoch of this node ends. */
  async #record(claim: IdempotencyClaim, owner: NodeEpoch, write: () => Promise<void>): Promise<void> {
    const { messenger, authority, warn } = this.#deps;
    try {
      await write();
      const running = this.#running.get(keyOf(claim));
      this.#running.delete(keyOf(claim));
      // Without a request that waits, no node needs to hear of it.
      if (running?.isAwaited === true)
        announce(messenger, 'operationEnded', { accountId: claim.accountId, key: claim.key });
    } catch (error) {
      warn('The response of an operation with an idempotency key could not be stored', error);
      if (authority.current?.epoch !== owner.epoch) {
        this.#running.delete(keyOf(claim));
        return;
      }
      // The caller gets its response now.
      void delay(POLL_INTERVAL_MS, undefined, { ref: false }).then(() => this.#record(claim, owner, write));
    }
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
