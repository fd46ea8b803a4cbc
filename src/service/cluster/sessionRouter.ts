import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../domain/account/account.ts';
import { MAX_APPROVAL_MINUTES } from '../../domain/account/keyPolicy.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { NodeEpoch } from '../../domain/ports/nodes.ts';
import { callerGoneFailure } from '../sessions/operationDeadline.ts';
import { eachOperation, type SessionOperations } from '../sessions/sessionOperations.ts';
import type { NodeAuthority } from './nodeAuthority.ts';
import { type NodeClient, NodeGone } from './nodeClient.ts';
import type { NodeService } from './nodeMethods.ts';
import type { Placement } from './placement.ts';

/** Maximum number of remembered owners, about 200 bytes each; the least recently used ones are read again. */
const MAX_OWNERS = 50_000;

type ReadOwners = (sessionIds: readonly string[]) => Promise<readonly (NodeEpoch | null)[]>;

/** Remembers the owner of each session that was asked for. A session never moves, so an owner is valid while its node is. */
export class OwnerDirectory {
  readonly #read: ReadOwners;
  readonly #owners = new LRUCache<string, NodeEpoch>({ max: MAX_OWNERS });

  constructor(read: ReadOwners) {
    this.#read = read;
  }

  /** Returns the owner of each session, in the order of the ids; null for a session without one. @throws Failure DEPENDENCY_UNAVAILABLE */
  async owners(sessionIds: readonly string[]): Promise<readonly (NodeEpoch | null)[]> {
    const unknown = [...new Set(sessionIds)].filter(id => !this.#owners.has(id));
    const read = unknown.length === 0 ? [] : await this.#read(unknown);
    const found = new Map(unknown.map((id, index) => [id, read[index] ?? null]));
    for (const [id, owner] of found) if (owner !== null) this.#owners.set(id, owner);
    return sessionIds.map(id => found.get(id) ?? this.#owners.get(id) ?? null);
  }

  add(sessionId: string, owner: NodeEpoch): void {
    this.#owners.set(sessionId, owner);
  }

  forget(sessionId: string): void {
    this.#owners.delete(sessionId);
  }
}

/** The epoch of a stopped node ends 4 s after its last renewal, and other nodes look every 0.5 s. Milliseconds. */
const MAX_END_WAIT_MS = 6_000;
const END_CHECK_INTERVAL_MS = 250;

export interface SessionRouterDeps {
  readonly node: NodeService;
  readonly authority: NodeAuthority;
  readonly directory: OwnerDirectory;
  readonly endFailedNodes: () => Promise<void>;
}

export class SessionRouter {
  readonly #deps: SessionRouterDeps;

  constructor(deps: SessionRouterDeps) {
    this.#deps = deps;
  }

  /** Returns the other node that runs the session; null if this node does, or if the store has the whole session. */
  async otherOwner(sessionId: string): Promise<NodeEpoch | null> {
    const { node, authority, directory } = this.#deps;
    const id = sessionId.toLowerCase();
    if (node.runs(id)) return null;
    const [owner = null] = await directory.owners([id]);
    return owner === null || isSame(owner, authority.current) ? null : owner;
  }

  /**
   * Runs `here` if this node runs the session or the session has ended, else `there` with the owner. If the owner has
   * stopped, waits until the session is ended in the store, and then runs `here`.
   * @throws the error of `here` or `there`; Failure DEPENDENCY_UNAVAILABLE
   */
  async route<T>(
    sessionId: string,
    signal: AbortSignal,
    here: () => Promise<T>,
    there: (owner: NodeEpoch) => Promise<T>,
  ): Promise<T> {
    const { directory, endFailedNodes } = this.#deps;
    const deadline = performance.now() + MAX_END_WAIT_MS;
    for (;;) {
      const owner = await this.otherOwner(sessionId);
      if (owner === null) return here();
      try {
        return await there(owner);
      } catch (error) {
        if (hasEnded(error)) directory.forget(sessionId.toLowerCase());
        if (!(error instanceof NodeGone)) throw error;
        directory.forget(sessionId.toLowerCase());
        if (performance.now() > deadline) throw ownerStoppedFailure(error);
      }
      await endFailedNodes();
      await delay(END_CHECK_INTERVAL_MS, undefined, { signal }).catch(() => {
        throw callerGoneFailure();
      });
    }
  }
}

const isSame = (a: NodeEpoch, b: NodeEpoch | null): boolean => a.nodeId === b?.nodeId && a.epoch === b.epoch;

const hasEnded = (error: unknown): boolean =>
  isFailure(error) && ['SESSION_CLOSED', 'SESSION_TIMED_OUT', 'SESSION_ERROR'].includes(error.code);

const ownerStoppedFailure = (cause: unknown): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'The node that ran this session stopped, and the end of the session is not stored yet. Nothing was done.',
    { retryAfterSeconds: 5, cause },
  );

/** Time beyond the deadline of an operation in which its node can answer, in milliseconds: it stops late work and stores the result. */
const ANSWER_GRACE_MS = 10_000;

export interface RoutingDeps {
  readonly node: NodeService;
  readonly client: NodeClient;
  readonly router: SessionRouter;
  readonly placement: Placement;
  readonly directory: OwnerDirectory;
  readonly operationTimeoutMs: number;
}

/** Returns the time for which an operation of the viewer can wait for a person, in milliseconds. */
const approvalMs = ({ policy }: Viewer): number =>
  policy?.requireApproval === undefined ? 0 : MAX_APPROVAL_MINUTES * 60_000;

type Name = keyof SessionOperations;
type Command = { readonly sessionId?: string | null; readonly signal: AbortSignal };
type Result = { readonly session: { readonly id: string } };
type Operation = (viewer: Viewer, command: Command) => Promise<Result>;

/** Creates the operations. They ignore idempotency keys; `ClusterIdempotency` adds them. */
export function createRoutedOperations(deps: RoutingDeps): SessionOperations {
  const { node, client, router, placement, directory, operationTimeoutMs } = deps;

  const routed = (name: Name): Operation => {
    const here = node.pagespace[name] as unknown as Operation;
    const there = async (owner: NodeEpoch, viewer: Viewer, command: Command): Promise<Result> => {
      const { signal, ...input } = command;
      const options = {
        signal,
        timeoutMs: operationTimeoutMs + ANSWER_GRACE_MS + approvalMs(viewer),
        hasEffect: true,
      };
      return (await client.call(owner, name, [viewer, input], options)) as Result;
    };
    return (viewer, command) => {
      const { sessionId = null, signal } = command;
      if (sessionId !== null)
        return router.route(
          sessionId,
          signal,
          () => here(viewer, command),
          owner => there(owner, viewer, command),
        );
      return placement.place(
        viewer.account.id,
        signal,
        () => here(viewer, command),
        async owner => {
          const result = await there(owner, viewer, command);
          directory.add(result.session.id, owner);
          return result;
        },
      );
    };
  };

  // Each operation has the types of its local form: commands and results are JSON.
  return eachOperation(routed) as unknown as SessionOperations;
}
