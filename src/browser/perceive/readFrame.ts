/** Reads the document of one frame: resolves the nodes that have event listeners, and runs the injected script. */
import type { Deadline } from '../../domain/ports/clock.ts';
import { findClosedShadowRoots, type IsolatedWorld, readStatedTraits } from '../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../cdp/playwrightInternals.ts';
import {
  type CompactFrameObservation,
  type FrameObservation,
  fromCompact,
  type ObserveOptions,
} from '../injected/perceive/wireFormat.ts';
import type { ListenersByNode } from './listenerCollector.ts';

export interface DocumentCache {
  /** CDP object ids of the nodes that have event listeners, by CDP's backend node id. */
  readonly listenerOwners: Map<number, string>;
  /** The listeners of the last observation; null before the first. */
  listeners: ListenersByNode | null;
  /** True if the last two observations found the same listeners, and before the second one. */
  hasSameListeners: boolean;
  /** The last answer of the injected script, as JSON (see `asUnchanged`) and as an object; null before the first, and for a long one. */
  answer: { readonly json: string; readonly page: FrameObservation } | null;
  /** True if the last observation was for the record: the next one compares with the one before. */
  isUntold: boolean;
  /** The traits that custom elements state only to the browser, as JSON; empty before the first is found. */
  stated: string;
}

export const newDocumentCache = (): DocumentCache => ({
  listenerOwners: new Map(),
  listeners: null,
  hasSameListeners: true,
  answer: null,
  isUntold: false,
  stated: '',
});

/** Maximum number of `DOM.resolveNode` requests at once: thousands would delay all other sessions of the browser. */
const MAX_CONCURRENT_REQUESTS = 200;

/** Maximum number of nodes with listeners that are resolved: as many as a caller can request actions. Each costs a request. */
const MAX_LISTENER_OWNERS = 10_000;

/** Maximum length of an answer that is kept to be compared with the next one: a list of some 500 actions. Characters. */
const MAX_KEPT_ANSWER = 250_000;

/** Maximum number of times that a document is read for closed shadow roots in closed shadow roots, and for what custom elements state. */
const MAX_RUNS = 3;

/** @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED; Playwright's error when the document is gone */
export async function readFrame(
  world: IsolatedWorld,
  cache: DocumentCache,
  listening: Promise<ListenersByNode>,
  options: FrameOptions,
  deadline: Deadline,
): Promise<FrameObservation> {
  let page = await readWithListeners(world, cache, listening, options, deadline);
  for (let run = 1; page.statedHosts > 0 && run < MAX_RUNS; run++) {
    const hosts = Array.from({ length: page.statedHosts }, (_, index) => index);
    const stated = await Promise.all(
      hosts.map(index => readStatedTraits(world, () => world.agentHandle('statedHost', index))),
    );
    const text = JSON.stringify(stated);
    if (text === cache.stated && page.newStatedHosts === 0) return page;
    cache.stated = text;
    const { types, handles } = ownersOf(cache, cache.listeners ?? new Map());
    page = await runObserver(
      world,
      cache,
      { ...options, repeats: true, stated, listenerTypes: types },
      handles,
    );
    // Of a tag whose first elements state a role, the others are read too.
    if (page.newStatedHosts === 0) return page;
  }
  return page;
}

type FrameOptions = Pick<ObserveOptions, 'top' | 'text' | 'earlierTextHashes' | 'repeats'>;

async function readWithListeners(
  world: IsolatedWorld,
  cache: DocumentCache,
  listening: Promise<ListenersByNode>,
  options: FrameOptions,
  deadline: Deadline,
): Promise<FrameObservation> {
  const roots: string[] = [];
  const { listeners: before } = cache;
  let page: FrameObservation | null = null;
  if (before !== null && cache.hasSameListeners) {
    // Most documents keep their listeners: one round trip instead of two.
    const { types, handles } = ownersOf(cache, before);
    [, page] = await Promise.all([
      listening,
      runObserver(world, cache, { ...options, listenerTypes: types }, handles),
    ]);
    roots.push(...(await closedRootsIn(world, page, deadline)));
  }
  const listeners = await listening;
  cache.listeners = listeners;
  cache.hasSameListeners = before === null || areSame(before, listeners);
  if (page !== null && cache.hasSameListeners && roots.length === 0) return page;
  await resolveListenerOwners(world, cache, listeners, deadline);
  const { types, handles } = ownersOf(cache, listeners);
  for (let run = 1; ; run++) {
    const listenerTypes = [...types, ...roots.map(() => [])];
    const repeats = page === null ? {} : { repeats: true };
    page = await runObserver(world, cache, { ...options, ...repeats, listenerTypes }, [...handles, ...roots]);
    const found = run < MAX_RUNS ? await closedRootsIn(world, page, deadline) : [];
    if (found.length === 0) return page;
    roots.push(...found);
  }
}

/** The injected script names each element only once. */
async function closedRootsIn(
  world: IsolatedWorld,
  page: FrameObservation,
  deadline: Deadline,
): Promise<readonly string[]> {
  if (page.closedHosts === 0) return [];
  return findClosedShadowRoots(
    world,
    page.closedHosts,
    index => world.agentHandle('closedHost', index),
    deadline,
  );
}

function areSame(one: ListenersByNode, other: ListenersByNode): boolean {
  if (one.size !== other.size) return false;
  for (const [node, types] of one) {
    const others = other.get(node);
    if (others === undefined || others.length !== types.length) return false;
    if (types.some((type, index) => others[index] !== type)) return false;
  }
  return true;
}

/** Observes the document. @returns the same object as the last time if the answer is the same */
async function runObserver(
  world: IsolatedWorld,
  cache: DocumentCache,
  options: ObserveOptions,
  handles: readonly string[],
): Promise<FrameObservation> {
  const json = await world.observeWith(options, handles);
  if (json === cache.answer?.json) return cache.answer.page;
  const page = fromCompact(JSON.parse(json) as CompactFrameObservation);
  cache.answer = json.length > MAX_KEPT_ANSWER ? null : { json: asUnchanged(json, page), page };
  return page;
}

/** Returns the answer that the document gives if it is the same the next time: then the hashes of its texts are null. */
const asUnchanged = (json: string, { textHashes }: FrameObservation): string =>
  textHashes === null
    ? json
    : json.replace(`"textHashes":${JSON.stringify(textHashes)}`, () => '"textHashes":null');

async function resolveListenerOwners(
  world: IsolatedWorld,
  cache: DocumentCache,
  listeners: ListenersByNode,
  deadline: Deadline,
): Promise<void> {
  releaseOldOwners(world, cache, listeners);
  const unresolved = [...listeners.keys()]
    .filter(id => !cache.listenerOwners.has(id))
    .slice(0, Math.max(0, MAX_LISTENER_OWNERS - cache.listenerOwners.size));
  for (let start = 0; start < unresolved.length; start += MAX_CONCURRENT_REQUESTS) {
    const batch = unresolved.slice(start, start + MAX_CONCURRENT_REQUESTS);
    await Promise.all(batch.map(id => resolveOwner(world, cache, id, deadline)));
  }
}

function ownersOf(
  cache: DocumentCache,
  listeners: ListenersByNode,
): { types: readonly (readonly string[])[]; handles: readonly string[] } {
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
