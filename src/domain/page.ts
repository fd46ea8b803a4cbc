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

/** The page's URL, title, HTTP status and the session's tabs at one moment. */
export interface PageMetadata {
  readonly url: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Status of the page's own HTTP response; null when it had none (about:blank, a page from cache or history). */
  readonly httpStatus: number | null;
  readonly tabs: readonly TabInfo[];
}

/** The metadata of a page and its action space. */
export interface PageObservation {
  readonly metadata: PageMetadata;
  readonly space: Space;
}
