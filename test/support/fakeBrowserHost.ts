/**
 * A BrowserHost without a browser, for tests that need sessions but no page scripts. It fetches pages and lists their links,
 * buttons and text fields. It passes the contract suite of the port (test/contracts/browserHostContract.ts).
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Semaphore } from '../../src/async/fairTurns.ts';
import { checkAddress } from '../../src/browser/egress/checkTarget.ts';
import type { EgressRule } from '../../src/browser/egress/egressRules.ts';
import { createCapacityQueue } from '../../src/browser/pool/chromiumHost.ts';
import { withDefaultScheme } from '../../src/domain/defaultScheme.ts';
import { Failure } from '../../src/domain/failure/failures.ts';
import type { BrowserHost, BrowserLease, OpenContextOptions } from '../../src/domain/ports/browserHost.ts';
import { FakeLease } from './fakeLease.ts';

export interface FakeBrowserHostOptions {
  readonly capacity: number;
  readonly maxWaiting: number;
  readonly waitTimeoutMs: number;
  readonly egressAllow: readonly EgressRule[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export class FakeBrowserHost implements BrowserHost {
  readonly #options: FakeBrowserHostOptions;
  readonly #slots: Semaphore;
  /** The open leases. */
  readonly leases = new Set<FakeLease>();
  #isClosed = false;

  constructor(options: FakeBrowserHostOptions) {
    this.#options = options;
    this.#slots = createCapacityQueue(options);
  }

  get sessionCount(): number {
    return this.#slots.acquired;
  }

  get hasCapacity(): boolean {
    return !this.#isClosed && this.#slots.available > 0;
  }

  async open(
    { accountId, proxy }: OpenContextOptions,
    _listener: unknown,
    signal: AbortSignal,
  ): Promise<BrowserLease> {
    this.#assertOpen();
    const { now, egressAllow } = this.#options;
    if (proxy !== null) checkAddress(`http://${proxy.host}:${proxy.port}/`, egressAllow);
    const release = await this.#slots.acquire(signal, accountId);
    // A real browser needs time to open a context; a caller may disconnect or the host may close meanwhile.
    await delay(0);
    try {
      signal.throwIfAborted();
      this.#assertOpen();
    } catch (error) {
      release();
      throw error;
    }
    const lease = new FakeLease({
      now,
      checkUrl: url => checkAddress(withDefaultScheme(url), egressAllow).href,
      release: () => {
        this.leases.delete(lease);
        release();
      },
    });
    this.leases.add(lease);
    return lease;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#slots.rejectAll(shuttingDown());
    await Promise.all([...this.leases].map(lease => lease.close()));
  }

  #assertOpen(): void {
    if (this.#isClosed) throw shuttingDown();
  }
}

const shuttingDown = (): Failure =>
  new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });
