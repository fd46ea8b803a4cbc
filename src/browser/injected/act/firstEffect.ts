/**
 * Expects the first effect of a step whose timers nothing has recorded: a page that keeps `setTimeout` in a variable from before the
 * recorder leaves no other evidence than that an element with listeners was used and nothing has changed.
 */

import {
  MAX_USES_WITHOUT_EFFECT,
  PAGE_CHECK_MS,
  UNSEEN_EFFECT_MS,
  UNSEEN_EFFECT_OF_FRAMES_MS,
} from '../../settle/policy.ts';
import { baseURI, closest, frameDocument, getAttribute, queryAllDocument } from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { showsNewLook } from '../perceive/controlLooks.ts';
import { hasStepChanged } from '../settle/quiet.ts';
import type { ControlReport } from '../settle/report.ts';
import { type StepInput, stepInput } from '../settle/stepInput.ts';
import { unfilledPart } from '../settle/unfilled.ts';
import { ARRIVAL_EVENTS, listensFor } from './listenedEvents.ts';

const DOWNLOAD_LINKS = 'a[download][href],area[download][href]';
/** URLs whose file the page has made itself. */
const LOCAL_URL = /^(?:blob|data):/;

/**
 * Returns true if the step has clicked a link with the attribute `download`, and the page has not prevented it. Of another origin the
 * browser opens such a link like any other (HTML standard, 4.6.4).
 */
export function startsDownload(input: StepInput | null): boolean {
  if (input === null || input.event.type !== 'click' || input.event.defaultPrevented) return false;
  const link = closest(input.element, DOWNLOAD_LINKS);
  const href = link === null ? null : getAttribute(link, 'href');
  const url = href === null ? null : URL.parse(href, baseURI(document));
  return url !== null && (LOCAL_URL.test(url.href) || url.origin === location.origin);
}

const PRESS_EVENTS: ReadonlySet<string> = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu'.split(' '),
);
/** Elements whose own state is the effect of a press. */
const NATIVE = 'input,select,textarea,option,label,summary,video,audio,[contenteditable]';
/** Fields that suggest what to enter. */
const SUGGESTING = '[role="combobox"],[aria-autocomplete],[list],[type="search"],[role="searchbox"]';
/** Elements whose use has had no effect. */
const withoutEffect = new WeakSet<Element>();
const uses = documentState.value(() => ({ withoutEffectInRow: 0 }));

/** Reports about the control that the step has used. */
export function reportControl(): ControlReport {
  const input = stepInput();
  const hasNewLook = input?.kind === 'press' && showsNewLook(input.control ?? input.element);
  return {
    hasNewLook,
    expectedEffectMs: hasNewLook ? 0 : expectedEffectMs(input),
    startsDownload: startsDownload(input),
  };
}

/** Returns the maximum wait if the step has used an element that reacts to it, as far as is known, and nothing has changed; otherwise 0. */
function expectedEffectMs(input: StepInput | null): number {
  if (input === null || hasStepChanged() || uses().withoutEffectInRow >= MAX_USES_WITHOUT_EFFECT) return 0;
  const used = input.control ?? input.element;
  if (withoutEffect.has(used) || !mayReact(input)) return 0;
  return hasOwnFrames() ? UNSEEN_EFFECT_OF_FRAMES_MS : UNSEEN_EFFECT_MS;
}

function hasOwnFrames(): boolean {
  for (const frame of queryAllDocument(document, 'iframe')) if (frameDocument(frame) !== null) return true;
  return false;
}

function mayReact({ kind, element, control, event }: StepInput): boolean {
  if (kind === 'hover') return listensFor(element, ARRIVAL_EVENTS);
  if (kind === 'text') return closest(element, SUGGESTING) !== null;
  if (closest(element, NATIVE) !== null || !listensFor(element, PRESS_EVENTS)) return false;
  const href = control === null ? null : getAttribute(control, 'href');
  return href === null || href.startsWith('#') || event.defaultPrevented;
}

/** Waits until the document changes, at most `maxMs` milliseconds. An element without effect until then is not waited for again. */
export async function waitForFirstEffect(maxMs: number): Promise<void> {
  const input = stepInput();
  const end = performance.now() + maxMs;
  while (!hasStepChanged() && performance.now() < end)
    await new Promise(resolve => setTimeout(resolve, PAGE_CHECK_MS));
  if (hasStepChanged()) uses().withoutEffectInRow = 0;
  else if (input !== null) {
    withoutEffect.add(input.control ?? input.element);
    uses().withoutEffectInRow++;
  }
}

/** Waits until the scripts of a new document have filled it, at most `maxMs` milliseconds. @returns true if they have */
export async function waitForContent(maxMs: number): Promise<boolean> {
  const end = performance.now() + maxMs;
  while (unfilledPart() !== null && performance.now() < end)
    await new Promise(resolve => setTimeout(resolve, PAGE_CHECK_MS));
  return unfilledPart() === null;
}
