import type { ScriptUsage } from './scriptUsage.ts';
import type { ServerWait } from './serverWait.ts';

/** A question to the page that has no answer yet. */
export interface PageSilence {
  readonly documentId: string | undefined;
  readonly usage: ScriptUsage;
  readonly wait: ServerWait;
  /** Processor times of the page when a script was ended first; null before that. Milliseconds. */
  firstEnd: { readonly usedMs: number; readonly processMs: number } | null;
  terminations: number;
  isOver: boolean;
}
