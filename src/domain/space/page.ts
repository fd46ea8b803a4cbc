/** The state of a page and its tabs at the time of an observation. */
import type { Space } from './space.ts';

/** An open tab of a session. */
export interface TabInfo {
  /** `T1`, `T2`, …; never reused within the session. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly active: boolean;
}

/** URL, title and HTTP status of a page, and the tabs of its session, at the time of an observation. */
export interface PageMetadata {
  readonly url: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Status of the page's own HTTP response; null when it had none (about:blank, a page from cache or history). */
  readonly httpStatus: number | null;
  readonly tabs: readonly TabInfo[];
}

/** One observation of a page: its metadata, and its space (the list of actions on the page). */
export interface PageObservation {
  readonly metadata: PageMetadata;
  readonly space: Space;
}
