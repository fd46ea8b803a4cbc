/** A page's content, in the forms that are asked for. */
import type { Json } from '../../domain/json.ts';
import type { ScrapedData } from '../../domain/scrapedData.ts';
import type { ContentSelection } from '../../domain/scrapeRequest.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { FrameContent, PageContent, ScraperResponse } from '../injected/scrape/scraperProtocol.ts';
import { adoptClosedRoots } from './adoptClosedRoots.ts';
import { htmlToMarkdown } from './htmlToMarkdown.ts';
import { matchFrames } from './matchFrames.ts';

/** Frames in frames are read this deep. */
const MAX_FRAME_DEPTH = 5;

const CALL_BEGIN = 'request => globalThis.__pagespaceScrape.begin(request)';
const CALL_PROCEED = 'adopted => globalThis.__pagespaceScrape.proceed(adopted)';
const CALL_FINISH = 'frames => globalThis.__pagespaceScrape.finish(frames)';

/**
 * Reads the page as it stands; changes nothing in it. One call to the page, and two more for each frame of another process.
 * @param top the world of the page's own document
 * @param request the parts to make; what is not asked for costs nothing and is null
 * @param signal ends what is done after the reading early
 * @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED; Error when the document goes away meanwhile
 */
export async function scrapePage(
  top: IsolatedWorld,
  request: ContentSelection,
  signal: AbortSignal,
): Promise<ScrapedData> {
  const content = await readContent(top, request, MAX_FRAME_DEPTH);
  const { html, markdownHtml, ...parts } = content;
  return {
    ...parts,
    mainContent: request.mainContent ? html : null,
    markdown: request.markdown ? await htmlToMarkdown(markdownHtml ?? html ?? '', signal) : null,
  };
}

async function readContent(
  world: IsolatedWorld,
  request: ContentSelection,
  depth: number,
): Promise<PageContent> {
  await world.install('scrape', injectedScript('scrape'));
  const ask = async (call: string, argument: Json) =>
    JSON.parse(await world.call<string>(call, argument)) as ScraperResponse;
  let first = await ask(CALL_BEGIN, { ...request });
  // Ends by itself: no element is asked about twice.
  while (first.kind === 'hosts') first = await ask(CALL_PROCEED, await adoptClosedRoots(world, first.count));
  if (first.kind === 'content') return first.content;
  const markups = depth > 0 ? await readFrames(world, first, request, depth) : [];
  const second = await ask(CALL_FINISH, markups as unknown as Json);
  if (second.kind !== 'content') throw new Error('The page asked for frames twice.');
  return second.content;
}

/** The visible content of each frame of another process. A frame that goes away meanwhile is left out. */
async function readFrames(
  world: IsolatedWorld,
  { frames }: Extract<ScraperResponse, { kind: 'frames' }>,
  request: ContentSelection,
  depth: number,
): Promise<FrameContent[]> {
  const places = await matchFrames(world, frames);
  const inner: ContentSelection = { ...request, ...VISIBLE_PAGE_ONLY, mainContent: needsHtml(request) };
  const read = async ([key, child]: readonly [number, IsolatedWorld]): Promise<FrameContent> => {
    const { html, images, incomplete } = await readContent(child, inner, depth - 1);
    return { key, html: html ?? '', images: images ?? [], truncated: incomplete.length > 0 };
  };
  const settled = await Promise.allSettled(Array.from(places, read));
  return settled.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

const needsHtml = ({ mainContent, markdown, text, links }: ContentSelection): boolean =>
  mainContent || markdown || text || links;

/** A frame gives its visible page and its images; what is main content is judged once, over the whole. */
const VISIBLE_PAGE_ONLY = {
  onlyMainContent: false,
  markdown: false,
  text: false,
  links: false,
  structured: false,
  metadata: false,
} as const;
