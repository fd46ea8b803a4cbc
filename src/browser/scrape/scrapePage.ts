import { incompleteNames, type MissingContent, PAGE_PARTS } from '../../domain/content/contentParts.ts';
import {
  type ContentSelection,
  encodeScraped,
  type PageValues,
  type ScrapedData,
} from '../../domain/content/scrape.ts';
import { Failure } from '../../domain/failure/failures.ts';
import { wellFormedJson } from '../../domain/space/pageText.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type {
  FrameContent,
  OutOfProcessFrame,
  PageContent,
  ScraperResponse,
} from '../injected/scrape/pageScraper.ts';
import { addClosedRoots, callScraper, installScraper } from './callScraper.ts';

/**
 * Returns the isolated worlds of child frames by the `key` of their `OutOfProcessFrame`. Finds a frame by its index in
 * `window.frames`, or by its URL if it has no index. A frame that is not found is left out.
 */
async function matchFrames(
  parent: IsolatedWorld,
  frames: readonly OutOfProcessFrame[],
): Promise<ReadonlyMap<number, IsolatedWorld>> {
  const children = (await parent.children()).filter(child => /^(https?|about|blob|data):/.test(child.url));
  const indexes = await Promise.allSettled(
    children.map(async child => {
      await installScraper(child);
      return callScraper(child, 'indexInParent');
    }),
  );
  const unmatched = new Set(children);
  const matched = new Map<number, IsolatedWorld>();
  const match = (frame: OutOfProcessFrame, child: IsolatedWorld | undefined) => {
    if (child === undefined || !unmatched.delete(child)) return;
    matched.set(frame.key, child);
  };
  for (const frame of frames) {
    const position = indexes.findIndex(index => index.status === 'fulfilled' && index.value === frame.index);
    if (frame.index >= 0) match(frame, children[position]);
  }
  for (const frame of frames)
    if (frame.index < 0)
      match(
        frame,
        [...unmatched].find(child => isSameUrl(child.url, frame.src)),
      );
  return matched;
}

const isSameUrl = (a: string, b: string): boolean => a.split('#')[0] === b.split('#')[0];

const MAX_FRAME_DEPTH = 5;

/**
 * Reads the requested content parts of an HTML page and its frames, without changing the page: one call to the page, and two more for each frame of another process.
 * @throws Failure VALIDATION_ERROR for a selector that the browser does not accept, OPERATION_TIMEOUT, BROWSER_CRASHED; Error when the page navigates meanwhile
 */
export async function scrapePage(top: IsolatedWorld, request: ContentSelection): Promise<ScrapedData> {
  await assertSelectors(top, request);
  const missing: MissingContent[] = [];
  const { values, truncated, hasOpenEnd } = await readContent(top, request, MAX_FRAME_DEPTH, missing);
  if (hasOpenEnd && (await listensForScrolling(top))) missing.push('rows');
  const data = encodeScraped(
    Object.fromEntries(PAGE_PARTS.map(part => [part, values[part] ?? null])) as PageValues,
  );
  return { ...data, incomplete: incompleteNames(truncated, missing) };
}

/**
 * Returns true if the page listens for the scrolling of the part that ends with a list. Listeners of the page itself say nothing: a header
 * that sticks has them too.
 */
async function listensForScrolling(world: IsolatedWorld): Promise<boolean> {
  const { channel, worlds, context, deadline } = world;
  const page = worlds.mainWorldContext(context.frameId);
  const box = await world.evaluateHandle('globalThis.__pagespaceScrape.openBox()');
  if (box === null) return false;
  const { node } = await channel.send('DOM.describeNode', { objectId: box }, deadline);
  channel.sendNoReply('Runtime.releaseObject', { objectId: box });
  if (page === null) return false;
  // An object of the page's own world: those of the isolated world must not get the page's listeners.
  const own = { backendNodeId: node.backendNodeId, executionContextId: page.contextId };
  const { objectId } = (await channel.send('DOM.resolveNode', own, deadline)).object;
  if (objectId === undefined) return false;
  const { listeners } = await channel.send('DOMDebugger.getEventListeners', { objectId }, deadline);
  channel.sendNoReply('Runtime.releaseObject', { objectId });
  return listeners.some(({ type }) => type === 'scroll');
}

/** @throws Failure VALIDATION_ERROR */
async function assertSelectors(
  world: IsolatedWorld,
  { include = [], exclude = [] }: ContentSelection,
): Promise<void> {
  if (include.length + exclude.length === 0) return;
  await installScraper(world);
  const invalid = await callScraper(world, 'invalidSelectors', [...include, ...exclude]);
  const errors = Object.entries({ include, exclude }).flatMap(([field, selectors]) =>
    selectors.flatMap((selector, at) =>
      invalid.includes(selector) ? [{ path: `${field}.${at}`, message: 'is not a CSS selector' }] : [],
    ),
  );
  if (errors.length > 0)
    throw new Failure('VALIDATION_ERROR', `These are no CSS selectors: ${invalid.join(' ; ')}.`, { errors });
}

/** @param missing receives what is in no part */
async function readContent(
  world: IsolatedWorld,
  request: ContentSelection,
  depth: number,
  missing: MissingContent[],
): Promise<PageContent> {
  let response = parse(await world.installAndCall('scrape', () => callScraper(world, 'start', request)));
  // The loop ends: the scraper requests each element at most once.
  while (response.kind === 'closedRoots') {
    const foundRoots = await addClosedRoots(world, response.hostCount);
    response = parse(await callScraper(world, 'resume', foundRoots));
  }
  if (response.kind === 'content') {
    missing.push(...response.content.missing);
    return response.content;
  }
  const contents = depth > 0 ? await readFrames(world, response, depth, missing) : [];
  if (depth === 0) missing.push('frames');
  const finished = parse(await callScraper(world, 'finish', contents));
  if (finished.kind !== 'content') throw new Error('The page requested its frames twice.');
  missing.push(...finished.content.missing);
  return finished.content;
}

const parse = (json: string): ScraperResponse => JSON.parse(wellFormedJson(json)) as ScraperResponse;

async function readFrames(
  world: IsolatedWorld,
  { frames, frameRequest }: Extract<ScraperResponse, { kind: 'frames' }>,
  depth: number,
  missing: MissingContent[],
): Promise<FrameContent[]> {
  const matched = await matchFrames(world, frames);
  const read = async ([key, child]: readonly [number, IsolatedWorld]): Promise<FrameContent> => {
    const { values, truncated } = await readContent(child, frameRequest, depth - 1, missing);
    return {
      key,
      html: values.mainContent ?? '',
      images: values.images ?? [],
      isTruncated: truncated.length > 0,
    };
  };
  const settled = await Promise.allSettled(Array.from(matched, read));
  if (settled.some(({ status }) => status === 'rejected')) missing.push('frames');
  return settled.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}
