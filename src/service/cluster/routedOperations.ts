/** The operations on sessions, each on the node that runs its session. */
import type { Viewer } from '../../domain/account/account.ts';
import { MAX_APPROVAL_MINUTES } from '../../domain/account/keyPolicy.ts';
import type { NodeEpoch } from '../../domain/ports/nodeRegistry.ts';
import type { SessionOperations } from '../sessions/sessionOperations.ts';
import type { NodeClient } from './nodeClient.ts';
import type { NodeService } from './nodeMethods.ts';
import type { Placement } from './placement.ts';
import type { OwnerDirectory, SessionRouter } from './sessionRouter.ts';

/** Time beyond the deadline of an operation in which its node can answer, in milliseconds: it stops late work and stores the result. */
const ANSWER_GRACE_MS = 10_000;

/** The router and the placement for the operations of this node's callers. */
export interface RoutingDeps {
  readonly node: NodeService;
  readonly client: NodeClient;
  readonly router: SessionRouter;
  readonly placement: Placement;
  readonly directory: OwnerDirectory;
  /** Maximum duration of an operation, including its wait in the queue of its session. */
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
  return {
    start: routed('start') as unknown as SessionOperations['start'],
    observe: routed('observe') as unknown as SessionOperations['observe'],
    step: routed('step') as unknown as SessionOperations['step'],
    scrape: routed('scrape') as unknown as SessionOperations['scrape'],
    close: routed('close') as unknown as SessionOperations['close'],
  };
}
