/** Frames in the page: which can be read from here, and which another world must read. */

import { attribute, baseAddress, bodyOf, boxOf, documentIn, rootOf, viewOf, windowIn } from './liveDom.ts';
import { absoluteUrl } from './urlAttributes.ts';

/** Smaller frames (pixels on a side) hold counters and beacons, not content. */
const MIN_FRAME_PX = 32;

/** Frames of advertisers, by the address or by what the page calls them. */
const AD_FRAME =
  /doubleclick|googlesyndication|amazon-adsystem|adnxs|adservice|taboola|outbrain|criteo|google_ads_iframe|\badvert|3rd party ad/i;

/** Players and posts whose own page is a machine, not text: a link to them says more. */
const PLAYER_URL =
  /^https?:\/\/((www|player|m)\.)?(youtube(-nocookie)?\.com\/embed|dailymotion\.com|vimeo\.com|player\.twitch\.tv|w\.soundcloud\.com|open\.spotify\.com|bandcamp\.com\/EmbeddedPlayer|archive\.org\/embed)/i;

/** A frame of another process and the empty place that waits for its content. */
export interface FramePlaceholder {
  readonly frame: Element;
  readonly index: number;
  readonly src: string;
  readonly placeholder: Element;
}

interface OpenedFrame {
  /** What stands for the frame in the copy. */
  readonly placeholder: Element;
  /** The frame's own root to walk; null when there is nothing to walk here. */
  readonly body: Element | null;
  readonly base: string;
}

/** @returns null when the frame shows no content: tiny, an advert, or without a document. */
export function openFrame(
  frame: Element,
  copy: Document,
  base: string,
  waiting: FramePlaceholder[],
): OpenedFrame | null {
  const { width, height } = boxOf(frame);
  if (width < MIN_FRAME_PX || height < MIN_FRAME_PX) return null;
  const src = absoluteUrl(attribute(frame, 'src') ?? '', base) ?? '';
  if (
    ['id', 'name', 'title', 'aria-label', 'class'].some(name => AD_FRAME.test(attribute(frame, name) ?? ''))
  )
    return null;
  if (AD_FRAME.test(src)) return null;
  const title = attribute(frame, 'title') ?? attribute(frame, 'aria-label');
  if (PLAYER_URL.test(src)) return { placeholder: linkTo(src, title, copy), body: null, base };
  const place = copy.createElement('section');
  if (title !== null) place.setAttribute('title', title);
  const inner = documentIn(frame);
  if (inner !== null)
    return { placeholder: place, body: bodyOf(inner) ?? rootOf(inner), base: baseAddress(inner) };
  const target = windowIn(frame);
  if (target === null) return null;
  waiting.push({ frame, index: frameIndex(target), src, placeholder: place });
  return { placeholder: place, body: null, base };
}

function linkTo(src: string, title: string | null, copy: Document): Element {
  const paragraph = copy.createElement('p');
  const link = copy.createElement('a');
  link.setAttribute('href', watchPageUrl(src));
  link.textContent = title ?? watchPageUrl(src);
  paragraph.append(link);
  return paragraph;
}

/** The page for people behind a player's address. */
function watchPageUrl(src: string): string {
  const video = /youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})/.exec(src)?.[1];
  return video === undefined ? src : `https://www.youtube.com/watch?v=${video}`;
}

/** The place of a child window among its parent's frames; windows of other origins can be compared, not read. */
function frameIndex(target: Window): number {
  for (let index = 0; index < window.length; index++) if (window[index] === target) return index;
  return -1;
}

/** This document's place among its parent's frames; -1 when it is not counted there. */
export function indexInParent(): number {
  const self = viewOf(document) ?? window;
  for (let index = 0; index < parent.length; index++) if (parent[index] === self) return index;
  return -1;
}
