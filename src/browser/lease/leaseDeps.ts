/** The parts of the pool that a lease uses. */
import type { BrowserContext } from 'playwright';
import type { Failure } from '../../domain/failure/failures.ts';
import type { LeaseListener } from '../../domain/ports/browserHost.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { ChangeableOptions } from '../../domain/session/browserOptions.ts';
import type { TrafficUsage } from '../egress/proxyEndpoint.ts';
import type { Tab } from '../tab/tab.ts';

/** The context of a session, and what the pool does for it. */
export interface LeaseDeps {
  readonly context: BrowserContext;
  readonly tab: Tab;
  readonly listener: LeaseListener;
  readonly now: () => number;
  /** Logs a warning. */
  readonly warn: (message: string) => void;
  readonly navigationTimeoutMs: number;
  /** Processor time after which a script of a page that does not let an operation go on is ended, in milliseconds. */
  readonly scriptTimeoutMs: number;
  /** Checks a URL before it is opened. Returns the URL with its scheme. @throws Failure URL_BLOCKED, VALIDATION_ERROR */
  readonly checkUrl: (url: string) => string;
  /** True if the policy of the API key keeps no downloads. */
  readonly refusesDownloads: boolean;
  /** True if the caller's own proxy carries the requests: it answers for any host over http. */
  readonly hasOwnProxy: boolean;
  /** Returns the failure for a URL to which the egress proxy made no connection; null if the proxy made one. */
  readonly connectionFailure: (url: string) => Failure | null;
  /** Returns how many requests and bytes have passed through the egress proxy of the session so far. */
  readonly egressUsage: () => TrafficUsage;
  /** Returns a function that closes the connections of the session over which nothing has passed since this call. */
  readonly markConnections: () => (all?: boolean) => void;
  /** Resolves when the browser answers, or when it has disconnected. Never rejects. */
  readonly browserAnswers: () => Promise<void>;
  /** Returns why the service killed a process of this browser; null if it killed none. */
  readonly killReason: () => string | null;
  /** Kills those of the processes that run pages of this browser. */
  readonly killRenderers: (pids: readonly number[]) => void;
  /** Ends the process that draws the pages of the browser; Chromium starts another one. */
  readonly restartGpu: () => Promise<void>;
  /** True if the console and the requests of the pages are told to the listener. */
  readonly pageLog: boolean;
  readonly sessionId: string;
  readonly accountId: string;
  readonly files: SessionFileStore;
  /** Runs an operation on the pages. */
  readonly whileOperating: <T>(work: () => Promise<T>) => Promise<T>;
  /** Changes options of the context. @throws Failure VALIDATION_ERROR */
  readonly changeOptions: (options: ChangeableOptions) => Promise<void>;
  /** Gives the context back to the host. */
  readonly release: () => Promise<void>;
}
