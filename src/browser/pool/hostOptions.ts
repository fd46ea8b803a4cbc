/** What the pool of browsers is told. */
import type { SessionFiles } from '../../domain/ports.ts';
import type { SessionBounds } from '../../domain/sessionBounds.ts';
import type { EgressRule } from '../egress/egressRules.ts';
import type { SandboxSetting } from '../launch/launch.ts';
import type { SpeechLimits } from '../speech.ts';
import type { Heartbeat } from './house.ts';

/** Times are milliseconds. */
export interface ChromiumHostOptions {
  readonly executablePath: string;
  readonly sandbox: SandboxSetting;
  /** Sessions at once. */
  readonly capacity: number;
  /** Callers that may wait for a place, and for how long. */
  readonly waitingLine: number;
  readonly waitingPatienceMs: number;
  readonly sessionsPerBrowser: number;
  /** Whether a browser serves the sessions of one account only. */
  readonly isolateAccounts: boolean;
  /** A folder of this node's own for the record of its browsers. */
  readonly recordPath: string;
  /** Default HEARTBEAT. */
  readonly heartbeat?: Heartbeat;
  readonly bounds: SessionBounds;
  /** How often sessions are held against their bounds; BOUNDS_EVERY_MS unless given. */
  readonly boundsEveryMs?: number;
  /** How much the pages of a session may say; SPEECH_LIMITS unless given. */
  readonly speech?: SpeechLimits;
  /** Contexts held ready. */
  readonly warmContexts: number;
  readonly egressAllow: readonly EgressRule[];
  readonly files: SessionFiles;
  readonly navigationTimeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of what no caller hears: a browser that died, a context that could not be made. */
  readonly warn: (message: string, error?: unknown) => void;
}
