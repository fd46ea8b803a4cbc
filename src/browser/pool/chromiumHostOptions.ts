/** Options of the browser pool. */
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionLimits } from '../../domain/sessionLimits.ts';
import type { EgressRule } from '../egress/egressRules.ts';
import type { SandboxSetting } from '../launch/launchChromium.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import type { Heartbeat } from './browserInstance.ts';

/** Options of `ChromiumHost.start`. Times are in milliseconds. */
export interface ChromiumHostOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  /** Maximum number of sessions at the same time. */
  readonly capacity: number;
  /** Maximum number of callers that wait for a session slot. */
  readonly maxWaiting: number;
  /** How long a caller waits for a session slot. */
  readonly waitTimeoutMs: number;
  readonly sessionsPerBrowser: number;
  /** True when a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** The folder of the browser process registry. No other node may use it. */
  readonly registryPath: string;
  /** Default: DEFAULT_HEARTBEAT. */
  readonly heartbeat?: Heartbeat;
  readonly limits: SessionLimits;
  /** How often the limits of sessions are checked. Default: LIMIT_CHECK_INTERVAL_MS. */
  readonly limitCheckIntervalMs?: number;
  /** Limits of the protocol events that the pages of one session cause. Default: PROTOCOL_RATE_LIMITS. */
  readonly protocolRateLimits?: ProtocolRateLimits;
  /** Number of contexts to keep warm. */
  readonly warmContexts: number;
  readonly egressAllow: readonly EgressRule[];
  readonly files: SessionFileStore;
  readonly navigationTimeoutMs: number;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Logs problems that no caller sees: a browser that crashed, a context that could not be created. */
  readonly warn: (message: string, error?: unknown) => void;
}
