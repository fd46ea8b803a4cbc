/** Opens frames in the page: reads frames of the same process, and inserts placeholders for the others. */
import * as dom from '../../dom/domGetters.ts';
import { playerLink } from './replacedContent.ts';
import { absoluteUrl } from './urlAttributes.ts';

/** Minimum width and height of a frame with content, in CSS pixels; smaller ones are counters and beacons. */
const MIN_FRAME_PX = 32;

/** Matches the URL or a name (id, name, title, label, class) of an advertiser's frame. */
const AD_FRAME =
  /doubleclick|googlesyndication|amazon-adsystem|adnxs|adservice|taboola|outbrain|criteo|google_ads_iframe|\badvert|3rd party ad/i;

/** Matches the URL of a media player. A player's text is only its controls, so a link replaces the frame. */
const PLAYER_URL =
  /^https?:\/\/((www|player|m)\.)?(youtube(-nocookie)?\.com\/embed|dailymotion\.com|vimeo\.com|player\.twitch\.tv|w\.soundcloud\.com|open\.spotify\.com|bandcamp\.com\/EmbeddedPlayer|archive\.org\/embed)/i;

/** Attributes with the address that scripts give a frame when it comes into view. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-litespeed-src'];

/** Marks the place of a frame. */
export const FRAME = 'data-pagespace-frame';
/** Keeps the address of a frame with a title until its content is known. */
const FRAME_SOURCE = 'data-pagespace-source';

/** Turns the places of titled frames that show no text, such as maps, into links. */
export function linkSilentFrames(body: Element): void {
  for (const frame of body.querySelectorAll(`[${FRAME_SOURCE}]`)) {
    const [src, title] = [FRAME_SOURCE, 'title'].map(name => frame.getAttribute(name)?.trim() ?? '');
    frame.removeAttribute(FRAME_SOURCE);
    if (
      /\S/.test(frame.textContent ?? '') ||
      frame.querySelector('img') !== null ||
      !title ||
      /captcha/i.test(title)
    )
      continue;
    if (/^https?:/.test(src ?? '')) frame.replaceWith(playerLink(src ?? '', title, body.ownerDocument));
  }
}

/** A frame of another process, and the empty element of the copy that receives its content. */
export interface FramePlaceholder {
  readonly frame: Element;
  /** The frame's index in `window.frames`; -1 if it is not listed. */
  readonly index: number;
  /** Absolute URL of the frame's `src` attribute; empty if it has none. */
  readonly src: string;
  readonly placeholder: Element;
}

interface OpenedFrame {
  /** The element of the copy at the frame's position: for a media player a link, for other frames an empty `section`. */
  readonly placeholder: Element;
  /** The frame's body, to copy into the placeholder; null for a media player and for a frame of another process. */
  readonly body: Element | null;
  readonly base: string;
}

/**
 * Creates the placeholder of a frame in the copy, and returns the frame's body if this script can read it.
 * @param waiting receives the placeholder of a frame of another process
 * @returns null if the frame shows no content: tiny, an advertisement, or without a document
 */
export function openFrame(
  frame: Element,
  copy: Document,
  base: string,
  waiting: FramePlaceholder[],
): OpenedFrame | null {
  const { width, height } = dom.boxOf(frame);
  if (width < MIN_FRAME_PX || height < MIN_FRAME_PX) return null;
  const src =
    absoluteUrl(dom.getAttribute(frame, 'src') ?? dom.getAttribute(frame, 'data') ?? '', base) ?? '';
  if (
    ['id', 'name', 'title', 'aria-label', 'class'].some(name =>
      AD_FRAME.test(dom.getAttribute(frame, name) ?? ''),
    )
  )
    return null;
  if (AD_FRAME.test(src)) return null;
  const title = dom.getAttribute(frame, 'title') ?? dom.getAttribute(frame, 'aria-label');
  const player = [
    src,
    ...LAZY_SOURCES.map(name => absoluteUrl(dom.getAttribute(frame, name) ?? '', base)),
  ].find(url => url != null && PLAYER_URL.test(url));
  if (player != null) return { placeholder: playerLink(watchPageUrl(player), title, copy), body: null, base };
  const placeholder = copy.createElement('section');
  placeholder.setAttribute(FRAME, '');
  if (title !== null) {
    placeholder.setAttribute('title', title);
    placeholder.setAttribute(FRAME_SOURCE, src);
  }
  const target = windowOf(frame);
  const inner = target === null ? null : documentOf(frame, target);
  if (inner !== null)
    return { placeholder, body: dom.bodyOf(inner) ?? dom.documentElement(inner), base: dom.baseURI(inner) };
  if (target === null && dom.localName(frame) !== 'embed') return null;
  waiting.push({ frame, index: target === null ? -1 : frameIndex(target), src, placeholder });
  return { placeholder, body: null, base };
}

/** Returns true for an element that shows a document of its own: a frame, or an `object` or `embed` with a page. */
export function holdsDocument(element: Element, name: string): boolean {
  if (name === 'iframe' || name === 'frame') return true;
  if (name !== 'object' && name !== 'embed') return false;
  const type = dom.getAttribute(element, 'type') ?? '';
  if (type !== '' && !/^(text\/html|application\/xhtml\+xml)/i.test(type)) return false;
  const target = windowOf(element);
  if (target === null) return type !== '' && name === 'embed';
  const inner = documentOf(element, target);
  return inner === null || dom.contentType(inner).endsWith('html');
}

/** Returns the window in a frame, an `object` or an `embed` of the same origin; null if there is none. */
function windowOf(frame: Element): Window | null {
  if (dom.localName(frame) !== 'embed') return dom.frameWindow(frame);
  for (let index = 0; index < window.length; index++)
    if (ownerOf(window[index] as Window) === frame) return window[index] as Window;
  return null;
}

function ownerOf(target: Window): Element | null {
  try {
    return target.frameElement;
  } catch {
    // Of another origin.
    return null;
  }
}

const documentOf = (frame: Element, target: Window): Document | null =>
  dom.localName(frame) === 'embed' ? target.document : dom.frameDocument(frame);

/** Returns the URL of the page on which people watch the player's video. */
function watchPageUrl(src: string): string {
  const video = /youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})/.exec(src)?.[1];
  const film = /player\.vimeo\.com\/video\/(\d+)/.exec(src)?.[1];
  if (film !== undefined) return `https://vimeo.com/${film}`;
  return video === undefined ? src : `https://www.youtube.com/watch?v=${video}`;
}

/**
 * Returns the index of a child window in `window.frames`; -1 if it is not listed. The script can compare windows of
 * other origins, but not read them.
 */
function frameIndex(target: Window): number {
  for (let index = 0; index < window.length; index++) if (window[index] === target) return index;
  return -1;
}

/** Returns this document's index in its parent's `window.frames`; -1 if it is not listed. */
export function indexInParent(): number {
  const self = dom.defaultView(document) ?? window;
  for (let index = 0; index < parent.length; index++) if (parent[index] === self) return index;
  return -1;
}
