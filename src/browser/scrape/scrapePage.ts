/** A page's content, in the forms that are asked for. */
import type { ContentParts, Json, ScrapedData } from '../../domain/page.ts';
import { inPageScript } from '../inPageScript.ts';
import type { World } from '../world.ts';
import type { FrameMarkup, PageAnswer, PageContent } from './answer.ts';
import { adoptClosedTrees } from './closedTrees.ts';
import { matchFrames } from './matchFrames.ts';
import { toMarkdown } from './toMarkdown.ts';

/** Frames in frames are read this deep. */
const MOST_FRAME_DEPTH = 5;

const BEGIN = 'request => globalThis.__pagespaceScrape.begin(request)';
const PROCEED = 'adopted => globalThis.__pagespaceScrape.proceed(adopted)';
const FINISH = 'frames => globalThis.__pagespaceScrape.finish(frames)';

/**
 * Reads the page as it stands; changes nothing in it. One call to the page, and two more for each frame of another process.
 * @param top the world of the page's own document
 * @param request the parts to make; what is not asked for costs nothing and is null
 * @param signal ends what is done after the reading early
 * @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED; Error when the document goes away meanwhile
 */
export async function scrapePage(
  top: World,
  request: ContentParts,
  signal: AbortSignal,
): Promise<ScrapedData> {
  const content = await readContent(top, request, MOST_FRAME_DEPTH);
  const { html, readingHtml, ...parts } = content;
  return {
    ...parts,
    mainContent: request.mainContent ? html : null,
    markdown: request.markdown ? await toMarkdown(readingHtml ?? html ?? '', signal) : null,
  };
}

async function readContent(world: World, request: ContentParts, depth: number): Promise<PageContent> {
  await world.install('scrape', inPageScript('scrape'));
  const ask = async (call: string, argument: Json) =>
    JSON.parse(await world.call<string>(call, argument)) as PageAnswer;
  let first = await ask(BEGIN, { ...request });
  // Ends by itself: no element is asked about twice.
  while (first.kind === 'hosts') first = await ask(PROCEED, await adoptClosedTrees(world, first.count));
  if (first.kind === 'content') return first.content;
  const markups = depth > 0 ? await readFrames(world, first, request, depth) : [];
  const second = await ask(FINISH, markups as unknown as Json);
  if (second.kind !== 'content') throw new Error('The page asked for frames twice.');
  return second.content;
}

/** The visible content of each frame of another process. A frame that goes away meanwhile is left out. */
async function readFrames(
  world: World,
  { frames }: Extract<PageAnswer, { kind: 'frames' }>,
  request: ContentParts,
  depth: number,
): Promise<FrameMarkup[]> {
  const places = await matchFrames(world, frames);
  const inner: ContentParts = { ...request, ...ONLY_SEEN, mainContent: needsMarkup(request) };
  const read = async ([key, child]: readonly [number, World]): Promise<FrameMarkup> => {
    const { html, images, incomplete } = await readContent(child, inner, depth - 1);
    return { key, html: html ?? '', images: images ?? [], cut: incomplete.length > 0 };
  };
  const settled = await Promise.allSettled(Array.from(places, read));
  return settled.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

const needsMarkup = ({ mainContent, markdown, text, links }: ContentParts): boolean =>
  mainContent || markdown || text || links;

/** A frame gives its visible page and its images; what is main content is judged once, over the whole. */
const ONLY_SEEN = {
  onlyMainContent: false,
  markdown: false,
  text: false,
  links: false,
  structured: false,
  metadata: false,
} as const;
