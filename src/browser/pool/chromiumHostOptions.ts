/** Options of the browser pool. */
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionLimits } from '../../domain/session/sessionLimits.ts';
import type { EgressRule } from '../egress/egressRules.ts';
import type { SandboxSetting } from '../launch/launchChromium.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import type { OuterSandbox } from '../sandbox/outerSandbox.ts';
import type { HealthCheckOptions } from './healthCheck.ts';

/** Options of `ChromiumHost.start`. Times are in milliseconds. */
export interface ChromiumHostOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  /** Walls around each whole browser. Default: null, for none. */
  readonly outerSandbox?: OuterSandbox | null;
  /** Maximum number of sessions at the same time. */
  readonly capacity: number;
  /** Maximum number of callers that wait for a session slot. */
  readonly maxWaiting: number;
  /** Maximum time that a caller waits for a session slot. */
  readonly waitTimeoutMs: number;
  readonly sessionsPerBrowser: number;
  /** True when a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** True when accounts beside the first one exist already: then a browser that has served no account is kept ready. */
  readonly hasSeveralAccounts: boolean;
  /** The folder of the browser process registry. No other node may use it. */
  readonly registryPath: string;
  /** Times of the check that a browser still responds. Default: DEFAULT_HEALTH_CHECK. */
  readonly healthCheck?: HealthCheckOptions;
  readonly limits: SessionLimits;
  /** Time between two checks of the sessions' limits. Default: LIMIT_CHECK_INTERVAL_MS. */
  readonly limitCheckIntervalMs?: number;
  /** Limits of the protocol events that the pages of one session cause. Default: PROTOCOL_RATE_LIMITS. */
  readonly protocolRateLimits?: ProtocolRateLimits;
  /** Number of processors that the sessions share. Default: those of the machine that the service may use. */
  readonly processors?: number;
  /**
   * True if the service goes before each of its browsers when the processors are busy, as a node that has a lease to renew must. Default:
   * false, for a share that depends on the number of browsers.
   */
  readonly goesFirst?: boolean;
  /** Number of browser contexts to keep ready for the next sessions. */
  readonly warmContexts: number;
  readonly egressAllow: readonly EgressRule[];
  readonly files: SessionFileStore;
  readonly navigationTimeoutMs: number;
  /** Processor time after which a script of a page that does not let an operation go on is ended. Default: SCRIPT_TIMEOUT_MS. */
  readonly scriptTimeoutMs?: number;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Logs problems that no caller sees: a browser that crashed, a context that could not be created. */
  readonly warn: (message: string, error?: unknown) => void;
}
