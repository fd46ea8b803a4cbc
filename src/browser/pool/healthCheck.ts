import type { Browser } from 'playwright';
import { type StopWhen, settleWith } from '../../async/race.ts';

/** For `race`: ends the wait when the browser disconnects, because Playwright never settles some calls of such a browser. */
export const onDisconnect =
  <T>(browser: Browser, result: () => T): StopWhen<T> =>
  outcome => {
    const stop = () => settleWith(result, outcome);
    browser.on('disconnected', stop);
    if (!browser.isConnected()) stop();
    return () => browser.off('disconnected', stop);
  };

/** Awaited between parts of work that can wait: resolves when no session needs the processor. */
export type Pause = () => Promise<void>;

/** Does not pause: for work that a session waits for. */
export const noPause: Pause = async () => {};

export interface HealthCheckOptions {
  readonly intervalMs: number;
  /** A browser that does not respond to a check within this time is frozen. */
  readonly timeoutMs: number;
}

/** A busy processor delays a response by some seconds; only a frozen browser takes longer than fifteen. */
export const DEFAULT_HEALTH_CHECK: HealthCheckOptions = { intervalMs: 5_000, timeoutMs: 15_000 };

/** Part of `timeoutMs` that a frozen browser gets to respond after the session that may block it has ended. */
const SECOND_CHANCE_PART = 1 / 3;

export interface HealthCheckDeps {
  readonly options: HealthCheckOptions;
  /** Settles when the browser responds. An error proves a response too. */
  readonly ping: () => Promise<unknown>;
  readonly endSuspect: () => Promise<boolean>;
  readonly kill: () => void;
}

/** The health check of one browser. A frozen browser loses the session that may block it; if that does not help, it is killed. */
export class HealthCheck {
  readonly #deps: HealthCheckDeps;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: HealthCheckDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#timer === null) this.#schedule();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    const { options, ping } = this.#deps;
    this.#timer = setTimeout(() => {
      /** The timer of this check; another one means that the check has ended. */
      let waiting = setTimeout(() => void relieve(), options.timeoutMs);
      this.#timer = waiting;
      let hasResponded = false;
      const relieve = async (): Promise<void> => {
        const hasEnded = await this.#deps.endSuspect();
        if (this.#timer !== waiting || hasResponded) return;
        if (!hasEnded) return this.#deps.kill();
        waiting = setTimeout(this.#deps.kill, options.timeoutMs * SECOND_CHANCE_PART);
        this.#timer = waiting;
      };
      const responded = (): void => {
        hasResponded = true;
        clearTimeout(waiting);
        if (this.#timer === waiting) this.#schedule();
      };
      ping().then(responded, responded);
    }, options.intervalMs);
    this.#timer.unref();
  }
}
