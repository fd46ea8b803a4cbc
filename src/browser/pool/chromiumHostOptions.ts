/** What the pool of browsers is told. */
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionLimits } from '../../domain/sessionLimits.ts';
import type { EgressRule } from '../egress/egressRules.ts';
import type { SandboxSetting } from '../launch/launchChromium.ts';
import type { ProtocolRateLimits } from '../limits/protocolRateLimiter.ts';
import type { Heartbeat } from './browserInstance.ts';

/** Times are milliseconds. */
export interface ChromiumHostOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  /** Sessions at once. */
  readonly capacity: number;
  /** Callers that may wait for a place, and for how long. */
  readonly maxWaiting: number;
  readonly waitTimeoutMs: number;
  readonly sessionsPerBrowser: number;
  /** Whether a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** A folder of this node's own for the record of its browsers. */
  readonly registryPath: string;
  /** Default HEARTBEAT. */
  readonly heartbeat?: Heartbeat;
  readonly limits: SessionLimits;
  /** How often sessions are held against their bounds; BOUNDS_EVERY_MS unless given. */
  readonly limitCheckIntervalMs?: number;
  /** How much the pages of a session may say; SPEECH_LIMITS unless given. */
  readonly protocolRateLimits?: ProtocolRateLimits;
  /** Contexts held ready. */
  readonly warmContexts: number;
  readonly egressAllow: readonly EgressRule[];
  readonly files: SessionFileStore;
  readonly navigationTimeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of what no caller hears: a browser that died, a context that could not be made. */
  readonly warn: (message: string, error?: unknown) => void;
}
