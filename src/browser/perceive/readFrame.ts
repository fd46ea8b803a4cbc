/** One frame's document → its elements: one listener call, the new listener owners, one walk. */
import type { Deadline } from '../../domain/ports.ts';
import { closedRoots } from '../closedRoots.ts';
import { isDocumentGone, isTargetGone } from '../errors.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import type { Listeners } from './listenerCensus.ts';
import { type PackedPage, unpack } from './packed.ts';
import type { ObserveOptions, RawFramePage } from './raw.ts';

/** What is remembered of a document between observations: the listener owners already fetched, by Chromium's numbers. */
export interface DocumentMemory {
  readonly owners: Map<number, string>;
}

/** Thousands of questions sent in one go would hold up all other sessions. */
const MOST_AT_ONCE = 200;

/** @returns the frame's elements; null when its document went away meanwhile */
export async function readFrame(
  world: IsolatedWorld,
  memory: DocumentMemory,
  listeners: Listeners,
  top: boolean,
  deadline: Deadline,
): Promise<RawFramePage> {
  const { types, handles } = await listenerOwners(world, memory, listeners, deadline);
  const page = await observe(world, { listenerTypes: types, top }, handles);
  if (page.closedHosts === 0) return page;
  // Met once in a document's life: what has a closed tree is known from then on.
  const roots = await closedRoots(
    world,
    page.closedHosts,
    index => `__pagespace.closedHost(${index})`,
    deadline,
  );
  if (roots.length === 0) return page;
  return observe(world, { listenerTypes: [...types, ...roots.map(() => [])], top }, [...handles, ...roots]);
}

async function observe(
  world: IsolatedWorld,
  options: ObserveOptions,
  handles: readonly string[],
): Promise<RawFramePage> {
  const json = await world.callWith<string>(
    'function (options, ...nodes) { return JSON.stringify(__pagespace.look(options, nodes)); }',
    [{ value: options as never }, ...handles.map(objectId => ({ objectId }))],
  );
  return unpack(JSON.parse(json) as PackedPage);
}

async function listenerOwners(
  world: IsolatedWorld,
  memory: DocumentMemory,
  listeners: Listeners,
  deadline: Deadline,
): Promise<{ types: readonly (readonly string[])[]; handles: readonly string[] }> {
  forgetOwners(world, memory, listeners);
  const unknown = [...listeners.keys()].filter(id => !memory.owners.has(id));
  for (let at = 0; at < unknown.length; at += MOST_AT_ONCE) {
    const some = unknown.slice(at, at + MOST_AT_ONCE);
    await Promise.all(some.map(id => fetchOwner(world, memory, id, deadline)));
  }
  const types: (readonly string[])[] = [];
  const handles: string[] = [];
  for (const [id, events] of listeners) {
    const objectId = memory.owners.get(id);
    if (objectId === undefined) continue;
    handles.push(objectId);
    types.push(events);
  }
  return { types, handles };
}

/** A node that vanished between the two calls, or lives in another frame, has no object here. */
async function fetchOwner(
  world: IsolatedWorld,
  memory: DocumentMemory,
  id: number,
  deadline: Deadline,
): Promise<void> {
  try {
    const { object } = await world.channel.send(
      'DOM.resolveNode',
      { backendNodeId: id, executionContextId: world.context.contextId },
      deadline,
    );
    if (object.objectId !== undefined) memory.owners.set(id, object.objectId);
  } catch (error) {
    if (deadline.signal.aborted || isTargetGone(error) || isDocumentGone(error)) throw error;
  }
}

function forgetOwners(world: IsolatedWorld, memory: DocumentMemory, now: ReadonlyMap<number, unknown>): void {
  for (const [id, objectId] of memory.owners) {
    if (now.has(id)) continue;
    memory.owners.delete(id);
    world.channel.tell('Runtime.releaseObject', { objectId });
  }
}
