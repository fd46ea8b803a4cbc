import { hash, randomBytes, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ShareLink, ShareMode, ShareVisit, Viewer } from '../../domain/account/account.ts';
import { assertNoPolicy } from '../../domain/account/policyChecks.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore, ShareLinkStore } from '../../domain/ports/accountStore.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** Maximum number of links of a session that work at the same time. */
const MAX_LINKS = 20;
const MAX_VISITS = 100;
/** Time between two looks at the links of the open views, in milliseconds: a revocation by another node ends them within it. */
const CHECK_INTERVAL_MS = 500;
const SEEN_INTERVAL_MS = 10_000;
/** A view of which nothing was heard for this time is closed, in milliseconds. */
const QUIET_MS = 3 * SEEN_INTERVAL_MS;
const CACHE_MS = 500;
const MAX_CACHED = 1_000;
const MS_PER_MINUTE = 60_000;

/** The prefixes of the secret of a link, and of the token of a visit. */
const SECRET_PREFIX = 'psl_';
const TOKEN_PREFIX = 'psv_';
const SECRET_BYTES = 32;

export interface CreateShareLinkCommand {
  readonly sessionId: string;
  readonly mode: ShareMode;
  readonly minutes: number;
}

export interface RevokeShareLinkCommand {
  readonly sessionId: string;
  readonly linkId: string;
}

/** A link with its visits, as its owner sees it. */
export interface ListedShareLink extends ShareLink {
  /** The open visits and the last 100 others, the newest first. A view counts as closed when nothing was heard of it for half a minute. */
  readonly visits: readonly ShareVisit[];
}

export interface ShareLinks {
  /** `secret` is stored nowhere. @throws Failure that of an ended session; VALIDATION_ERROR above 20 links; POLICY_REFUSED */
  createShareLink(
    viewer: Viewer,
    command: CreateShareLinkCommand,
  ): Promise<{ readonly link: ListedShareLink; readonly secret: string }>;
  /** Ends a link at once, the views that are open, and a take-over of one of its viewers. @throws Failure NOT_FOUND */
  revokeShareLink(viewer: Viewer, command: RevokeShareLinkCommand): Promise<ListedShareLink>;
  /** Returns the links of each session, the oldest first. The viewer must be allowed to read the sessions. */
  shareLinks(sessionIds: readonly string[]): Promise<readonly (readonly ListedShareLink[])[]>;
  /** Counts a view, and returns a token that ends with the link. @throws Failure SHARE_LINK_ENDED */
  openShareLink(secret: string): Promise<{ readonly token: string; readonly link: ShareLink }>;
}

/** The callers with the token of a visit, for the authentication. */
export interface ShareVisitors {
  /** Returns the viewer of a token; null if the text is none. @throws Failure SHARE_LINK_ENDED */
  visitor(authorization: string | null | undefined): Promise<Viewer | null>;
  /** Reads whether a link still works. @throws Failure SHARE_LINK_ENDED */
  assertLink(link: NonNullable<Viewer['link']>): Promise<void>;
  /** Calls `listener` once when the link of the viewer ends. @returns a function that removes the listener */
  onLinkEnd(
    viewer: Viewer & Required<Pick<Viewer, 'link'>>,
    listener: (failure: Failure) => void,
  ): () => void;
}

export interface ShareLinkDeps {
  readonly shareLinks: ShareLinkStore;
  readonly audit: Audit;
  readonly accounts: Pick<AccountStore, 'accounts'>;
  readonly clock: Clock;
  readonly warn: (message: string, error?: unknown) => void;
}

interface OpenView {
  readonly link: NonNullable<Viewer['link']>;
  readonly listener: (failure: Failure) => void;
  seenAt: number;
}

export function createShareLinks(
  registry: SessionRegistry,
  { shareLinks: store, audit, accounts, clock, warn }: ShareLinkDeps,
): ShareLinks & ShareVisitors {
  const views = new Set<OpenView>();
  const known = new LRUCache<string, { readonly viewer: Viewer; readonly readAt: number }>({
    max: MAX_CACHED,
  });
  let isCheckDue = false;

  const endOf = (link: ShareLink | undefined): Failure | null => {
    if (link === undefined) return endedFailure('It was removed with its session.');
    if (link.revokedAt !== null) return endedFailure('It was revoked.');
    return link.expiresAt <= clock.now() ? endedFailure('Its time is over.') : null;
  };

  const seen = (view: OpenView, isOpen: boolean): void => {
    view.seenAt = clock.monotonicNow();
    store
      .recordSeen(view.link.visitId, clock.now(), isOpen)
      .catch(error => warn('A view of a share link could not be recorded', error));
  };

  async function check(): Promise<void> {
    const links = await store.byIds([...new Set([...views].map(({ link }) => link.id))]);
    const byId = new Map(links.map(link => [link.id, link]));
    for (const view of [...views]) {
      const failure = endOf(byId.get(view.link.id));
      if (failure !== null) {
        views.delete(view);
        seen(view, false);
        view.listener(failure);
      } else if (clock.monotonicNow() - view.seenAt >= SEEN_INTERVAL_MS) seen(view, true);
    }
  }

  function schedule(): void {
    if (views.size === 0 || isCheckDue) return;
    isCheckDue = true;
    clock.scheduleAfter(CHECK_INTERVAL_MS, () => {
      isCheckDue = false;
      // If the store cannot be read now, the next look ends them.
      void check()
        .catch(() => undefined)
        .then(schedule);
    });
  }

  const listed = async (link: ShareLink): Promise<ListedShareLink> => {
    const visits = await store.visits(link.id);
    const lastSeen = clock.now() - QUIET_MS;
    const isUsable = endOf(link) === null;
    return {
      ...link,
      visits: visits.map(each => ({ ...each, isOpen: isUsable && each.isOpen && each.seenAt >= lastSeen })),
    };
  };

  return {
    async createShareLink(viewer, { sessionId, mode, minutes }) {
      const live = await registry.requireLive(viewer, sessionId);
      // As for a take-over: the steps of a person are of no kind that a policy could refuse.
      if (mode === 'control') assertNoPolicy(viewer);
      const [links = []] = await store.ofSessions([live.id]);
      if (links.filter(link => endOf(link) === null).length >= MAX_LINKS)
        throw new Failure('VALIDATION_ERROR', `This session has ${MAX_LINKS} share links. Revoke one first.`);
      const secret = newSecret(SECRET_PREFIX);
      const now = clock.now();
      const link: ShareLink = {
        id: randomUUID(),
        accountId: viewer.account.id,
        sessionId: live.id,
        mode,
        hash: hash('sha256', secret),
        createdAt: now,
        expiresAt: now + minutes * MS_PER_MINUTE,
        revokedAt: null,
        views: 0,
      };
      const details = { link: link.id, mode, expiresAt: link.expiresAt };
      await audit(viewer, { action: 'share_link.created', subject: live.id, details }, stores =>
        stores.shareLinks.create(link),
      );
      return { link: { ...link, visits: [] }, secret };
    },

    async revokeShareLink(viewer, { sessionId, linkId }) {
      assertNoPolicy(viewer);
      const subject = sessionId.toLowerCase();
      const record = { action: 'share_link.revoked', subject, details: { link: linkId } } as const;
      const revoked = await audit(viewer, record, async stores => {
        const link = await stores.shareLinks.revoke(viewer.account.id, subject, linkId, clock.now());
        if (link === null) throw new Failure('NOT_FOUND', 'This session has no share link with this id.');
        return link;
      });
      known.clear();
      await check();
      await registry
        .getLive(revoked.sessionId)
        ?.takeOver.end(
          ({ keyId }) => keyId === keyIdOf(revoked.id),
          'The share link of the person was revoked.',
        );
      return listed(revoked);
    },

    async shareLinks(sessionIds) {
      const found = await store.ofSessions(sessionIds.map(id => id.toLowerCase()));
      return Promise.all(found.map(links => Promise.all(links.map(listed))));
    },

    async openShareLink(secret) {
      const link = secret.startsWith(SECRET_PREFIX) ? await store.findByHash(hash('sha256', secret)) : null;
      const failure = link === null ? endedFailure('It is unknown.') : endOf(link);
      if (link === null || failure !== null) throw failure;
      const token = newSecret(TOKEN_PREFIX);
      const at = clock.now();
      const visit = {
        id: randomUUID(),
        linkId: link.id,
        hash: hash('sha256', token),
        beganAt: at,
        seenAt: at,
      };
      await store.addVisit({ ...visit, isOpen: false }, MAX_VISITS, at - QUIET_MS);
      return { token, link };
    },

    async visitor(authorization) {
      const token = /^Bearer +(psv_\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
      if (token === undefined) return null;
      const key = hash('sha256', token);
      const cached = known.get(key);
      if (cached !== undefined && clock.monotonicNow() - cached.readAt < CACHE_MS) return cached.viewer;
      const found = await store.findVisit(key);
      if (found === null) throw endedFailure('Open it again.');
      const { visit, link } = found;
      const failure = endOf(link);
      const [account] = failure === null ? await accounts.accounts([link.accountId]) : [];
      if (account == null) throw failure ?? endedFailure('It is unknown.');
      const viewer: Viewer = {
        account,
        keyId: keyIdOf(link.id),
        scopes: link.mode === 'control' ? ['read', 'operate'] : ['read'],
        kind: 'person',
        link: { id: link.id, visitId: visit.id, sessionId: link.sessionId, mode: link.mode },
      };
      known.set(key, { viewer, readAt: clock.monotonicNow() });
      return viewer;
    },

    async assertLink({ id }) {
      const [link] = await store.byIds([id]);
      const failure = endOf(link);
      if (failure !== null) throw failure;
    },

    onLinkEnd({ link }, listener) {
      const view: OpenView = { link, listener, seenAt: 0 };
      views.add(view);
      seen(view, true);
      schedule();
      return () => {
        if (views.delete(view)) seen(view, false);
      };
    },
  };
}

const keyIdOf = (linkId: string): string => `link:${linkId}`;

const newSecret = (prefix: string): string => prefix + randomBytes(SECRET_BYTES).toString('base64url');

const endedFailure = (reason: string): Failure =>
  new Failure('SHARE_LINK_ENDED', `This share link does not work. ${reason}`);
