/** What happened in a session: numbered, stored, counted. */
import type { FailureCode } from './failures.ts';
import type { SessionStatus } from './session.ts';

export const SESSION_EVENT_TYPES = [
  'created',
  'observed',
  'stepped',
  'scraped',
  'tab',
  'dialog',
  'download',
  'blocked',
  'failed',
  'ended',
] as const;
export type SessionEventType = (typeof SESSION_EVENT_TYPES)[number];

/** An event before it is stored. */
export type SessionEvent =
  | { readonly type: 'created'; readonly at: number }
  | { readonly type: 'observed'; readonly at: number; readonly url: string; readonly actions: number }
  | {
      readonly type: 'stepped';
      readonly at: number;
      readonly actionId: string;
      readonly description: string | null;
      readonly url: string;
    }
  | { readonly type: 'scraped'; readonly at: number; readonly url: string }
  | {
      readonly type: 'tab';
      readonly at: number;
      readonly tabId: string;
      readonly url: string;
      readonly opened: boolean;
    }
  | { readonly type: 'dialog'; readonly at: number; readonly kind: string; readonly message: string }
  | { readonly type: 'download'; readonly at: number; readonly downloadId: string; readonly fileName: string }
  | { readonly type: 'blocked'; readonly at: number; readonly url: string; readonly reason: string }
  | {
      readonly type: 'failed';
      readonly at: number;
      readonly operation: string;
      readonly code: FailureCode;
      readonly detail: string;
    }
  | {
      readonly type: 'ended';
      readonly at: number;
      readonly status: SessionStatus;
      readonly reason: string | null;
    };

/** A stored event: `seq` rises by one within its session, from 1. */
export interface StoredEvent {
  readonly sessionId: string;
  readonly seq: number;
  readonly event: SessionEvent;
}
