/** One frame's document → its elements: one listener call, the new listener owners, one walk. */
import type { Deadline } from '../../domain/ports.ts';
import { isDocumentGone, isTargetGone } from '../errors.ts';
import type { IsolatedWorld } from '../isolatedWorld.ts';
import type { ObserveOptions, RawFramePage } from './raw.ts';

/** Events by which a page reacts to a person. Source: what the observer of the page counts as interactive. */
const HANDLED = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu mouseenter mouseover mouseleave mousemove pointermove keydown keyup keypress input change dragstart dragover drop wheel'.split(
    ' ',
  ),
);
/** Owners beyond this many are left out: a page with more has rows that look alike, and cursor and role find those. */
const MOST_OWNERS = 4_000;

/** What is remembered of a document between observations: its `document` object and the owners already fetched. */
export interface DocumentMemory {
  documentObject: string | null;
  readonly owners: Map<number, string>;
}

/** @returns the frame's elements; null when its document went away meanwhile */
export async function readFrame(
  world: IsolatedWorld,
  memory: DocumentMemory,
  top: boolean,
  deadline: Deadline,
): Promise<RawFramePage> {
  const { types, handles } = await listenerOwners(world, memory, deadline);
  const options: ObserveOptions = { listenerTypes: types, top };
  const json = await world.callWith<string>(
    'function (options, ...nodes) { return JSON.stringify(__pagespace.observe(options, nodes)); }',
    [{ value: options as never }, ...handles.map(objectId => ({ objectId }))],
  );
  return JSON.parse(json) as RawFramePage;
}

async function listenerOwners(
  world: IsolatedWorld,
  memory: DocumentMemory,
  deadline: Deadline,
): Promise<{ types: readonly (readonly string[])[]; handles: readonly string[] }> {
  memory.documentObject ??= await world.pageDocument();
  if (memory.documentObject === null) return { types: [], handles: [] };
  const { listeners } = await world.channel.send(
    'DOMDebugger.getEventListeners',
    { objectId: memory.documentObject, depth: -1, pierce: true },
    deadline,
  );
  const typesOf = new Map<number, Set<string>>();
  for (const { type, backendNodeId } of listeners) {
    if (backendNodeId === undefined || !HANDLED.has(type)) continue;
    const types = typesOf.get(backendNodeId);
    if (types !== undefined) types.add(type);
    else if (typesOf.size < MOST_OWNERS) typesOf.set(backendNodeId, new Set([type]));
  }
  forgetOwners(world, memory, typesOf);
  await Promise.all(
    [...typesOf.keys()]
      .filter(id => !memory.owners.has(id))
      .map(id => fetchOwner(world, memory, id, deadline)),
  );
  const types: string[][] = [];
  const handles: string[] = [];
  for (const [id, set] of typesOf) {
    const objectId = memory.owners.get(id);
    if (objectId === undefined) continue;
    handles.push(objectId);
    types.push([...set]);
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
