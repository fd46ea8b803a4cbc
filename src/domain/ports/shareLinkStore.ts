/** The store of share links and their visits. */
import type { ShareLink, ShareVisit } from '../shareLink.ts';

/** Reads and writes share links. */
export interface ShareLinkStore {
  create(link: ShareLink): Promise<void>;
  /** Returns the links of each session, the oldest first, in the order of the ids. */
  ofSessions(sessionIds: readonly string[]): Promise<readonly (readonly ShareLink[])[]>;
  findByHash(hash: string): Promise<ShareLink | null>;
  /** Returns the links with these ids that exist, in no particular order. */
  byIds(ids: readonly string[]): Promise<readonly ShareLink[]>;
  /** Revokes a link; one that was revoked before keeps its time. @returns the link; null if the account has no such link of the session */
  revoke(accountId: string, sessionId: string, id: string, at: number): Promise<ShareLink | null>;
  /** Adds a visit, counts it at its link, and removes the oldest beyond `keep` of those that were seen before `quietSince`: the others are open. */
  addVisit(visit: ShareVisit, keep: number, quietSince: number): Promise<void>;
  findVisit(hash: string): Promise<{ readonly visit: ShareVisit; readonly link: ShareLink } | null>;
  /** Records that the view of a visit is open, or was closed. */
  recordSeen(visitId: string, at: number, isOpen: boolean): Promise<void>;
  /** Returns the visits of a link, the newest first. */
  visits(linkId: string): Promise<readonly ShareVisit[]>;
}
