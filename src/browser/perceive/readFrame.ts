/** Reads the document of one frame: resolves the nodes that have event listeners, then runs the injected script once. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { findClosedShadowRoots } from '../cdp/closedShadowRoots.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../cdp/playwrightInternals.ts';
import { type CompactFrameObservation, fromCompact } from '../injected/perceive/compactWire.ts';
import type { FrameObservation, ObserveOptions } from '../injected/perceive/wireFormat.ts';
import type { ListenersByNode } from './listenerCollector.ts';

/** Data of a document that is kept between observations. */
export interface DocumentCache {
  /** CDP object ids of the nodes that have event listeners, by CDP's backend node id. */
  readonly listenerOwners: Map<number, string>;
}

/** Maximum number of `DOM.resolveNode` requests at once: thousands would delay all other sessions of the browser. */
const MAX_CONCURRENT_REQUESTS = 200;

export async function readFrame(
  world: IsolatedWorld,
  cache: DocumentCache,
  listeners: ListenersByNode,
  options: Pick<ObserveOptions, 'top' | 'text' | 'earlierTextHashes'>,
  deadline: Deadline,
): Promise<FrameObservation> {
  const { types, handles } = await resolveListenerOwners(world, cache, listeners, deadline);
  const page = await runObserver(world, { ...options, listenerTypes: types }, handles);
  if (page.closedHosts === 0) return page;
  // The injected script reports each element that may have a closed shadow root only once.
  const roots = await findClosedShadowRoots(
    world,
    page.closedHosts,
    index => world.agentHandle('closedHost', index),
    deadline,
  );
  if (roots.length === 0) return page;
  const listenerTypes = [...types, ...roots.map(() => [])];
  return runObserver(world, { ...options, listenerTypes, repeats: true }, [...handles, ...roots]);
}

async function runObserver(
  world: IsolatedWorld,
  options: ObserveOptions,
  handles: readonly string[],
): Promise<FrameObservation> {
  const json = await world.observeWith(options, handles);
  return fromCompact(JSON.parse(json) as CompactFrameObservation);
}

async function resolveListenerOwners(
  world: IsolatedWorld,
  cache: DocumentCache,
  listeners: ListenersByNode,
  deadline: Deadline,
): Promise<{ types: readonly (readonly string[])[]; handles: readonly string[] }> {
  releaseOldOwners(world, cache, listeners);
  const unresolved = [...listeners.keys()].filter(id => !cache.listenerOwners.has(id));
  for (let start = 0; start < unresolved.length; start += MAX_CONCURRENT_REQUESTS) {
    const batch = unresolved.slice(start, start + MAX_CONCURRENT_REQUESTS);
    await Promise.all(batch.map(id => resolveOwner(world, cache, id, deadline)));
  }
  const types: (readonly string[])[] = [];
  const handles: string[] = [];
  for (const [id, events] of listeners) {
    const objectId = cache.listenerOwners.get(id);
    if (objectId === undefined) continue;
    handles.push(objectId);
    types.push(events);
  }
  return { types, handles };
}

/** Adds a node's CDP object id to the cache. Adds nothing for a node that has been removed or belongs to another frame. */
async function resolveOwner(
  world: IsolatedWorld,
  cache: DocumentCache,
  id: number,
  deadline: Deadline,
): Promise<void> {
  try {
    const { object } = await world.channel.send(
      'DOM.resolveNode',
      { backendNodeId: id, executionContextId: world.context.contextId },
      deadline,
    );
    if (object.objectId !== undefined) cache.listenerOwners.set(id, object.objectId);
  } catch (error) {
    if (deadline.signal.aborted || isTargetGone(error) || isDocumentGone(error)) throw error;
  }
}

function releaseOldOwners(world: IsolatedWorld, cache: DocumentCache, current: ListenersByNode): void {
  for (const [id, objectId] of cache.listenerOwners) {
    if (current.has(id)) continue;
    cache.listenerOwners.delete(id);
    world.channel.sendNoReply('Runtime.releaseObject', { objectId });
  }
}
