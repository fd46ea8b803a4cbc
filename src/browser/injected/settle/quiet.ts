/** Detects when a document is quiet: nothing changes, and no animation that a step caused is running. */
import * as policy from '../../settle/policy.ts';
import { animationsOf, documentElement } from '../dom/domGetters.ts';
import { documentState, observation, step } from '../dom/lifetimes.ts';
import { forgetTree, treeIsWatched } from '../dom/whileTreeStands.ts';
import {
  awaitedIndicators,
  documentFinished,
  isAwaited,
  isBlank,
  neverHadScript,
  unfilledPart,
} from './busy.ts';
import { hasControl, isContentChange } from './contentChange.ts';
import { content, startsDownload, stepInput } from './stepInput.ts';

/** Waits for a frame and the tasks after it, or `timeoutMs` in a hidden page, which draws none. @returns true if the frame has come */
export function nextFrame(timeoutMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve(true);
      }, 0),
    );
  });
}

const quiet = documentState.value(() => ({
  /** When each node has changed last, and how often while no step was running. */
  changesByNode: new Map<Node, { readonly at: number; readonly backgroundCount: number }>(),
  /** True from `markStep()` or `settle()` until `endStep()`: changes in that time belong to the step. */
  isStepRunning: false,
  /** True in a document in which no step was marked: all of it is new. */
  isNewDocument: true,
  /** When the new document was first found to offer nothing to do. */
  unfilledSince: Number.POSITIVE_INFINITY,
  /** True while a scroll of the service's own has not been reported yet. */
  isOwnScroll: false,
  watcher: null as StepWatcher | null,
}));

const effects = step.value(() => ({
  /** Nodes that changed repeatedly before the step (a clock, a ticker): their changes do not count. */
  backgroundNodes: new WeakSet<Node>(),
  /** Animations that existed before the step: they are not waited for. */
  earlierAnimations: new Set<Animation>() as ReadonlySet<Animation>,
  /** Number of times that nodes other than background nodes have changed. */
  changes: 0,
  hasScrolled: false,
  /** When the page has begun to scroll, and whether something scrolls still: what goes on by itself, as a carousel, is not waited for longer. */
  scrolledAt: Number.POSITIVE_INFINITY,
  isScrolling: false,
  /** Changed nodes, in which busy indicators are looked for. */
  changedNodes: new Set<Node>(),
}));

/** True if the last observation found event listeners, attributes that handle events, or shadow trees, whose scripts are not noted. */
const listeners = observation.value(() => ({ areFound: false }));

/** Other parts of the agent that take part in a step. */
export interface StepWatcher {
  /** Receives each node that a step adds or changes, and its parent or itself. */
  changed(node: Node, parent: Node): void;
  attributeChanged(record: MutationRecord): void;
  /** Returns true if a control shows another icon or lasting class than before the step. */
  hasNewLook(control: Element): boolean;
}

const observer = new MutationObserver(noteRecords);
const OBSERVED = { subtree: true, childList: true, characterData: true, attributeOldValue: true };
/** Events of a step whose path shows the shadow trees that it concerns. */
const STEP_EVENTS = ['pointerdown', 'pointerover', 'click', 'keydown', 'input', 'change'];

/** Notes the changes that the observer has not been told yet. */
export const noteChanges = (): void => noteRecords(observer.takeRecords());

export const isStepRunning = (): boolean => quiet().isStepRunning;

/** Returns true for a node that changes without a step, such as a clock. */
export const isBackgroundNode = (node: Node): boolean => effects().backgroundNodes.has(node);

/** Says whether an observation has found event listeners or shadow trees. Looks for handlers itself in a document that has had no script. */
export function setListenersFound(areFound: boolean): void {
  listeners().areFound = areFound || (neverHadScript() && hasHandlers());
}

const HANDLERS = "boolean(//@*[starts-with(name(), 'on')])";
const hasHandlers = (): boolean =>
  Document.prototype.evaluate.call(document, HANDLERS, document, null, XPathResult.BOOLEAN_TYPE).booleanValue;

/**
 * Returns true if it is known that the document has never had a script or a listener: then nothing happens in it but what the browser does. The
 * scripts of a frame or a window beside it can reach it.
 */
export const isStaticDocument = (): boolean =>
  neverHadScript() && !listeners().areFound && window.length === 0 && parent === window && opener === null;

export function watchDocument(watcher: StepWatcher): void {
  quiet().watcher = watcher;
  observer.observe(document, OBSERVED);
  treeIsWatched();
  const observeShadowTrees = (event: Event): void => {
    for (const node of event.composedPath()) if (node instanceof ShadowRoot) observer.observe(node, OBSERVED);
  };
  for (const type of STEP_EVENTS)
    addEventListener(type, observeShadowTrees, { capture: true, passive: true });
  // Lists render their rows after the last scroll event, and smooth scrolling sends one in each frame.
  addEventListener('scroll', noteScroll, { capture: true, passive: true });
  addEventListener('scrollend', noteScrollEnd, { capture: true, passive: true });
}

function noteRecords(records: readonly MutationRecord[]): void {
  forgetTree();
  const now = performance.now();
  const { isStepRunning, changesByNode } = quiet();
  const { backgroundNodes } = effects();
  let hasStepChange = false;
  for (const record of records) {
    const { target } = record;
    if (!backgroundNodes.has(target)) {
      hasStepChange = true;
      if (isStepRunning) noteStepChange(record);
    }
    const before = changesByNode.get(target);
    const isNewChange = before === undefined || before.at < now;
    const added = isStepRunning || !isNewChange ? 0 : 1;
    changesByNode.delete(target);
    changesByNode.set(target, { at: now, backgroundCount: (before?.backgroundCount ?? 0) + added });
  }
  for (const oldest of changesByNode.keys()) {
    if (changesByNode.size <= policy.MAX_NODES) break;
    changesByNode.delete(oldest);
  }
  if (hasStepChange) effects().changes++;
}

function noteStepChange(record: MutationRecord): void {
  const { changedNodes } = effects();
  content().hasChanged ||= isContentChange(record);
  if (record.type === 'attributes') quiet().watcher?.attributeChanged(record);
  if (changedNodes.size >= policy.MAX_NODES) return;
  for (const node of record.type === 'childList' ? record.addedNodes : [record.target]) {
    changedNodes.add(node);
    content().offersAction ||= record.type === 'childList' && hasControl(node);
    quiet().watcher?.changed(node, record.target);
  }
}

/** Says that the service scrolls the document now: that is no effect of the step. */
export function expectOwnScroll(): void {
  quiet().isOwnScroll = true;
  // The events of a scroll precede the callbacks of the frame.
  requestAnimationFrame(() => Object.assign(quiet(), { isOwnScroll: false }));
}

/** Notes that the step has scrolled something: the event of it comes with the next frame, which can be late. */
export function noteScroll(event?: Event): void {
  if (!quiet().isStepRunning || quiet().isOwnScroll) return;
  const done = effects();
  done.hasScrolled = true;
  done.changes++;
  done.scrolledAt = Math.min(done.scrolledAt, performance.now());
  done.isScrolling ||= event !== undefined;
}

function noteScrollEnd(): void {
  if (effects().isScrolling) effects().changes++;
  effects().isScrolling = false;
}

/** True while something scrolls, for as long as animations may last. */
const isScrolling = (): boolean =>
  effects().isScrolling && effects().scrolledAt >= performance.now() - policy.EFFECT_ANIMATION_MS;

/** Marks the start of a step: `settle` waits only for changes and animations that begin after this call. */
export function markStep(): void {
  const now = performance.now();
  step.begin();
  const document = quiet();
  const { backgroundNodes } = effects();
  for (const [node, { at, backgroundCount }] of document.changesByNode)
    if (now - at >= policy.BACKGROUND_WINDOW_MS) document.changesByNode.delete(node);
    else if (backgroundCount >= policy.MIN_BACKGROUND_CHANGES) backgroundNodes.add(node);
  effects().earlierAnimations = new Set(currentAnimations());
  document.isStepRunning = true;
  document.isNewDocument = false;
}

/**
 * Waits for the effects of a step: resolves when no finite animation of the step is running and nothing has changed in so many frames in a
 * row; at the latest after `maxMs` milliseconds. Changes of background nodes do not count. The step lasts until `endStep`.
 */
export async function settle(maxMs: number, frames: number = policy.QUIET_FRAMES) {
  const end = performance.now() + maxMs;
  quiet().isStepRunning = true;
  await waitUntilQuiet(end, frames);
  const { isNewDocument, watcher } = quiet();
  const input = stepInput();
  const hasNewLook = input?.kind === 'press' && watcher?.hasNewLook(input.control ?? input.element) === true;
  // Observers of intersections are notified once a frame has been drawn.
  if (effects().hasScrolled && !document.hidden)
    for (let left = 2; left > 0; left--) await nextFrame(policy.INTERSECTIONS_MS);
  const sign = presentSign();
  return {
    /** True if the step has shown its effect, or the document is new, as far as nothing says that the work goes on. */
    showsEffect: (content().hasChanged || isNewDocument || hasNewLook) && sign === null,
    offersAction: content().offersAction,
    sign,
    /** True if the step has begun nothing in the document. */
    isStatic: isStaticDocument(),
    startsDownload: !isNewDocument && startsDownload(),
    /** Time until the last animation of the step ends that may bring its effect; 0 if none is running. Milliseconds. */
    animationMs: Math.max(
      remainingAnimationMs(policy.EFFECT_ANIMATION_MS),
      isScrolling() ? policy.PAGE_CHECK_MS : 0,
    ),
  };
}

/** Returns what the document shows of work that goes on, and how long it is waited for if the caller says nothing. */
function presentSign(): { readonly kind: 'busy' | 'unfilled'; readonly maxMs: number } | null {
  if (busySigns().length > 0) return { kind: 'busy', maxMs: policy.BUSY_MS };
  if (!quiet().isNewDocument || unfilledPart() === null) return null;
  const now = performance.now();
  quiet().unfilledSince = Math.min(quiet().unfilledSince, now);
  const maxMs = isBlank() ? policy.BUSY_MS : policy.DOUBTFUL_MS;
  return { kind: 'unfilled', maxMs: maxMs - (now - quiet().unfilledSince) };
}

export type SettleReport = Awaited<ReturnType<typeof settle>>;

/** Marks the end of a step: later changes are the page's own. @param isFinished true if nothing goes on in the new document */
export function endStep(isFinished: boolean): void {
  if (isFinished && !isBlank()) documentFinished();
  Object.assign(quiet(), { isStepRunning: false, isNewDocument: false });
}

const busySigns = (): readonly Element[] =>
  awaitedIndicators(quiet().isNewDocument ? null : effects().changedNodes);

/** Waits until the indicators of the step are gone, or it has shown something. @param isPromised true to wait also for bars that stand still */
export async function waitWhile(isBusy: boolean, maxMs: number, isPromised: boolean): Promise<void> {
  const end = performance.now() + maxMs;
  const signs = busySigns();
  const goesOn = (): boolean =>
    isBusy ? signs.some(sign => isAwaited(sign, isPromised)) : !content().hasChanged;
  while (goesOn() && performance.now() < end)
    await new Promise(resolve => setTimeout(resolve, policy.PAGE_CHECK_MS));
}

async function waitUntilQuiet(end: number, frames: number): Promise<void> {
  const done = effects();
  const isStatic = isStaticDocument() && !done.hasScrolled;
  /** One ends between two frames, and the document is told of its end with the second. */
  let hasAnimation = remainingAnimationMs() > 0;
  // Without scripts and listeners no change can follow. With them, one frame runs the tasks that the step queued.
  if (isStatic && !hasAnimation) return;
  let seen = done.changes;
  await nextFrame(Math.min(policy.FRAME_TIMEOUT_MS, end - performance.now()));
  for (let quietFrames = 1; ; quietFrames++) {
    const now = performance.now();
    if (seen !== done.changes) quietFrames = 0;
    seen = done.changes;
    const animationMs = remainingAnimationMs();
    hasAnimation ||= animationMs > 0;
    if (now >= end || (isStatic && animationMs <= 0)) return;
    // Rows follow the last event of scrolling in frames of their own.
    const neededFrames = done.hasScrolled ? policy.QUIET_FRAMES : frames;
    const isQuiet = done.changes === 0 || quietFrames >= neededFrames;
    if (isQuiet && !hasAnimation && !isScrolling()) return;
    // On a busy machine frames are late, and so are the changes in them: count frames, not only time.
    const frameMs = Math.min(policy.FRAME_TIMEOUT_MS * policy.QUIET_FRAMES, end - now);
    const hasCome = (await nextFrame(Math.max(1, frameMs))) || document.hidden;
    if (hasCome && animationMs <= 0) hasAnimation = false;
    // What lists load when they scroll is decided while a frame is drawn.
    if (done.hasScrolled && !hasCome) quietFrames--;
  }
}

/** Returns the animations of the document; none if the page does not let them be read. */
function currentAnimations(): readonly Animation[] {
  try {
    return documentElement(document) === null ? [] : animationsOf(document);
  } catch {
    return [];
  }
}

/** Returns the milliseconds until the last animation of the step ends that takes no longer than `maxTotalMs`, with its delay; 0 if none runs. */
function remainingAnimationMs(maxTotalMs = Number.POSITIVE_INFINITY): number {
  let left = 0;
  for (const animation of currentAnimations()) {
    if (effects().earlierAnimations.has(animation) || animation.playState !== 'running') continue;
    const total = Number(animation.effect?.getComputedTiming().endTime ?? 0);
    const rate = Math.abs(animation.playbackRate) || 1;
    if (!Number.isFinite(total) || total / rate > maxTotalMs) continue;
    left = Math.max(left, (total - Number(animation.currentTime ?? 0)) / rate);
  }
  return left;
}
