/** Closed shadow trees: no script can see them, Chromium tells of them. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { isTargetGone } from './errors.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';

/**
 * Looks for closed roots at elements that may have one.
 * @param host the expression of each element; it may give null
 * @returns handles of the roots there are, good in that world
 */
export async function findClosedShadowRoots(
  world: IsolatedWorld,
  count: number,
  host: (index: number) => string,
  deadline: Deadline,
): Promise<readonly string[]> {
  const found = await Promise.all(
    Array.from({ length: count }, (_, index) => findClosedShadowRoot(world, host(index), deadline)),
  );
  return found.filter(root => root !== null);
}

async function findClosedShadowRoot(
  world: IsolatedWorld,
  host: string,
  deadline: Deadline,
): Promise<string | null> {
  try {
    const objectId = await world.evaluateHandle(host);
    if (objectId === null) return null;
    const { node } = await world.channel.send('DOM.describeNode', { objectId }, deadline);
    world.channel.sendNoReply('Runtime.releaseObject', { objectId });
    const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
    if (root === undefined) return null;
    const { object } = await world.channel.send(
      'DOM.resolveNode',
      { backendNodeId: root.backendNodeId, executionContextId: world.context.contextId },
      deadline,
    );
    return object.objectId ?? null;
  } catch (error) {
    // A host that left the page meanwhile has nothing to show.
    if (deadline.signal.aborted || isTargetGone(error)) throw error;
    return null;
  }
}
