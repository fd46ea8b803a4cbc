/** Reads what changes on a page without a change of its text: the focus, the caret, the selection, and the pictures on canvases. */

import type { ActionFocus } from '../../../domain/space/action.ts';
import { around, WIDGET_LEVELS } from '../dom/around.ts';
import { boxOf, composedContains, focusedElement, queryAllDocument } from '../dom/domGetters.ts';
import { documentState, observation } from '../dom/lifetimes.ts';
import { isSecretField } from '../dom/secretFields.ts';
import { orNull } from '../dom/skipped.ts';
import { normalizeText, truncate } from './element/plainText.ts';
import { keyOfElement } from './elementKeys.ts';
import { listedCandidate, listedCandidates } from './lastObservation.ts';
import { isStale } from './reach/standIn.ts';
import type { ObservedElement } from './wireFormat.ts';

const MAX_CANVASES = 4;
/** Width and height to which a picture is scaled down before it is compared. Each pixel of the canvas counts. */
const SAMPLE_SIZE_PX = 128;
/** Minimum width and height of a canvas that is not listed, for its picture to be compared. */
const MIN_COVERED_PX = 100;
const MAX_SELECTED_LENGTH = 100;

export function withFocusAndPictures(elements: readonly ObservedElement[]): readonly ObservedElement[] {
  const active = focusedElement();
  const focused = active === null || listedCandidate(active) === null ? null : active;
  const focusedKey = focused === null ? null : keyOfElement(focused);
  const pictures = picturesByKey();
  if (focusedKey === null && pictures.size === 0) return elements;
  return elements.map(element => {
    const picture = pictures.get(element.key);
    if (element.key !== focusedKey && picture === undefined) return element;
    return {
      ...element,
      ...(element.key === focusedKey && focused !== null && { focus: focusOf(focused) }),
      ...(picture !== undefined && { picture }),
    };
  });
}

function focusOf(element: Element): ActionFocus {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const listed = listedCandidate(element);
  const isUnknown = listed !== null && isStale(listed.candidate, listed.reachability);
  if (isUnknown || isSecretField(element)) return { caret: null, selected: '' };
  if (isField) {
    const [start, end] = orNull(() => [element.selectionStart, element.selectionEnd] as const) ?? [
      null,
      null,
    ];
    const selected = start === null || end === null ? '' : element.value.slice(start, end);
    return { caret: end, selected: truncate(normalizeText(selected), MAX_SELECTED_LENGTH) };
  }
  const selection = getSelection();
  const anchor = selection?.anchorNode?.parentElement ?? null;
  const isInside = selection !== null && !selection.isCollapsed && composedContains(element, anchor);
  return {
    caret: null,
    selected: isInside ? truncate(normalizeText(selection.toString()), MAX_SELECTED_LENGTH) : '',
  };
}

/** The numbers of the pictures on canvases that no line of the list tells, and their elements. */
const untold = observation.value(() => new Map<Element, number>());

/** Returns the numbers of the pictures on canvases of the last list that are not listed, and over which nothing listed lies. */
export const unlistedPictures = (): ReadonlyMap<Element, number> => untold();

/** Returns the number of the picture of each listed canvas, and of each listed element that lies over a canvas, as in spreadsheets and image editors. */
function picturesByKey(): ReadonlyMap<number, number> {
  const listed = listedCandidates()
    .map(({ candidate: { element } }) => element)
    .filter(element => element instanceof HTMLCanvasElement);
  const others = Array.from(queryAllDocument(document, 'canvas')).filter(
    one => !listed.includes(one as never),
  );
  const pictures = new Map<number, number>();
  for (const canvas of [...listed, ...(others as HTMLCanvasElement[])].slice(0, MAX_CANVASES)) {
    const shown = listedCandidate(canvas) === null ? listedOver(canvas) : canvas;
    const key = shown === null ? null : keyOfElement(shown);
    const hash = orNull(() => pictureHash(canvas)) ?? BLANK_PICTURE;
    if (key === null) untold().set(canvas, hash);
    else if (hash !== BLANK_PICTURE) pictures.set(key, (pictures.get(key) ?? 0) ^ hash);
  }
  return pictures;
}

/** Returns the listed element that a press in the middle of the canvas reaches; null if there is none, or the canvas is small. */
function listedOver(canvas: Element): Element | null {
  const { left, top, width, height } = boxOf(canvas);
  if (width < MIN_COVERED_PX || height < MIN_COVERED_PX) return null;
  for (const at of around(document.elementFromPoint(left + width / 2, top + height / 2), WIDGET_LEVELS))
    if (listedCandidate(at) !== null) return at;
  return null;
}

/** The number of a picture without any pixel, as that of a canvas whose picture the browser has not kept (WebGL). */
export const BLANK_PICTURE = 0;

/** Every list reads the pictures again: a canvas for each of them would cost more than the reading. */
const sampling = documentState.value(() => ({ sampler: null as OffscreenCanvasRenderingContext2D | null }));

function samplingContext(): OffscreenCanvasRenderingContext2D | null {
  const { sampler: known } = sampling();
  if (known !== null) return known;
  const sampler = new OffscreenCanvas(SAMPLE_SIZE_PX, SAMPLE_SIZE_PX).getContext('2d', {
    willReadFrequently: true,
  });
  if (sampler === null) return null;
  sampler.imageSmoothingQuality = 'medium';
  // Replaces the picture before, also where the new one is transparent.
  sampler.globalCompositeOperation = 'copy';
  sampling().sampler = sampler;
  return sampler;
}

/** Returns a number for the picture on a canvas. @throws Error for a canvas that has pictures of other origins */
export function pictureHash(canvas: HTMLCanvasElement): number {
  const context = samplingContext();
  if (context === null || canvas.width === 0 || canvas.height === 0) return BLANK_PICTURE;
  context.drawImage(canvas, 0, 0, SAMPLE_SIZE_PX, SAMPLE_SIZE_PX);
  const pixels = pixelsOf(context);
  let hash = 0x811c9dc5;
  let all = 0;
  // The iterator of a typed array takes several times as long as its indexes.
  for (let index = 0; index < pixels.length; index++) {
    const pixel = pixels[index] ?? 0;
    hash = Math.imul(hash ^ pixel, 0x01000193);
    all |= pixel;
  }
  return all === 0 ? BLANK_PICTURE : hash >>> 0;
}

function pixelsOf(context: OffscreenCanvasRenderingContext2D): Uint32Array {
  try {
    return new Uint32Array(context.getImageData(0, 0, SAMPLE_SIZE_PX, SAMPLE_SIZE_PX).data.buffer);
  } catch (error) {
    // A canvas that has had a picture of another origin cannot be read any more.
    sampling().sampler = null;
    throw error;
  }
}
