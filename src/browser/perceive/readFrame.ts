/** One frame's document → its elements: one listener call, the new listener owners, one walk. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { findClosedShadowRoots } from '../cdp/closedShadowRoots.ts';
import { isDocumentGone, isTargetGone } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { type CompactFrameObservation, fromCompact } from '../injected/perceive/compactWire.ts';
import type { FrameObservation, ObserveOptions } from '../injected/perceive/wireFormat.ts';
import type { ListenersByNode } from './listenerCollector.ts';

/** What is remembered of a document between observations: the listener owners already fetched, by Chromium's numbers. */
export interface DocumentCache {
  readonly listenerOwners: Map<number, string>;
}

/** Thousands of questions sent in one go would hold up all other sessions. */
const MAX_CONCURRENT_REQUESTS = 200;

/** @returns the frame's elements; null when its document went away meanwhile */
export async function readFrame(
  world: IsolatedWorld,
  cache: DocumentCache,
  listeners: ListenersByNode,
  top: boolean,
  deadline: Deadline,
): Promise<FrameObservation> {
  const { types, handles } = await resolveListenerOwners(world, cache, listeners, deadline);
  const page = await runObserver(world, { listenerTypes: types, top }, handles);
  if (page.closedHosts === 0) return page;
  // Met once in a document's life: what has a closed tree is known from then on.
  const roots = await findClosedShadowRoots(
    world,
    page.closedHosts,
    index => `__pagespace.closedHost(${index})`,
    deadline,
  );
  if (roots.length === 0) return page;
  return runObserver(world, { listenerTypes: [...types, ...roots.map(() => [])], top }, [
    ...handles,
    ...roots,
  ]);
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
  const unknown = [...listeners.keys()].filter(id => !cache.listenerOwners.has(id));
  for (let at = 0; at < unknown.length; at += MAX_CONCURRENT_REQUESTS) {
    const some = unknown.slice(at, at + MAX_CONCURRENT_REQUESTS);
    await Promise.all(some.map(id => resolveOwner(world, cache, id, deadline)));
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

/** A node that vanished between the two calls, or lives in another frame, has no object here. */
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

function releaseOldOwners(
  world: IsolatedWorld,
  cache: DocumentCache,
  now: ReadonlyMap<number, unknown>,
): void {
  for (const [id, objectId] of cache.listenerOwners) {
    if (now.has(id)) continue;
    cache.listenerOwners.delete(id);
    world.channel.sendNoReply('Runtime.releaseObject', { objectId });
  }
}
