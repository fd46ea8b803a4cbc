/** Finds the roots of closed shadow trees. Scripts cannot reach them, but CDP reports them. */
import type { Deadline } from '../../domain/ports/clock.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { isTargetGone } from './playwrightInternals.ts';

/**
 * Finds the closed shadow roots of elements. Skips elements that have none or have left the document.
 * @param count number of elements
 * @param hostHandle returns the CDP object id of the element with this index (from 0); null when there is none
 * @returns CDP object ids of the shadow roots, valid in `world`
 */
export async function findClosedShadowRoots(
  world: IsolatedWorld,
  count: number,
  hostHandle: (index: number) => Promise<string | null>,
  deadline: Deadline,
): Promise<readonly string[]> {
  const found = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      findClosedShadowRoot(world, () => hostHandle(index), deadline),
    ),
  );
  return found.filter(root => root !== null);
}

/**
 * Finds the closed shadow roots of elements and passes them to a function in the page.
 * @param count number of elements
 * @param host returns a JavaScript expression for the element with this index (from 0)
 * @param adopt source of the function that receives the roots; not called when there are none
 * @returns the number of roots
 */
export async function adoptClosedShadowRoots(
  world: IsolatedWorld,
  count: number,
  host: (index: number) => string,
  adopt: string,
): Promise<number> {
  const roots = await findClosedShadowRoots(
    world,
    count,
    index => world.evaluateHandle(host(index)),
    world.deadline,
  );
  if (roots.length === 0) return 0;
  await world.callWith(
    adopt,
    roots.map(objectId => ({ objectId })),
  );
  for (const objectId of roots) world.channel.sendNoReply('Runtime.releaseObject', { objectId });
  return roots.length;
}

async function findClosedShadowRoot(
  world: IsolatedWorld,
  hostHandle: () => Promise<string | null>,
  deadline: Deadline,
): Promise<string | null> {
  try {
    const objectId = await hostHandle();
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
    // The host element has left the document.
    if (deadline.signal.aborted || isTargetGone(error)) throw error;
    return null;
  }
}
