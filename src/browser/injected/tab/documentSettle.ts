/** Detects when a document is quiet: nothing changes, and no animation that a step caused is running. */
import { bodyOf } from '../dom/domGetters.ts';
import { forgetTree, treeIsWatched } from '../dom/whileTreeStands.ts';
import { currentAnimations, remainingAnimationMs, StepAnimations } from './animations.ts';
import { awaitedIndicators, describeIndicator, isIndicator } from './busyIndicators.ts';
import { isContentChange } from './contentChange.ts';
import { hasScripts, unfilledPart } from './expectedContent.ts';
import { giveUpIndicators, isGivenUp } from './givenUpSigns.ts';
import { heldControl } from './heldControl.ts';
import { intersectionsNotified } from './nextFrame.ts';
import { mayEndWithin } from './progressPace.ts';
import { type ControlReport, NO_CONTROL, type SettleReport } from './settleReport.ts';
import { forgetShown, noteShown, showsElsewhere } from './shownEffect.ts';
import { forgetStepInput } from './stepInput.ts';

/** State of the document before the step: `settle` does not wait for what existed then. */
interface StepBaseline {
  /** Animations that existed before the step. */
  readonly animations: ReadonlySet<Animation>;
  /** Nodes that changed repeatedly before the step (a clock, a ticker): their changes do not count. */
  readonly backgroundNodes: WeakSet<Node>;
}

/** A node can be a background node only if it changed within this period before `markStep()`. Milliseconds. */
const BACKGROUND_WINDOW_MS = 3_000;
/**
 * Minimum number of changes between steps for a background node. A single change may be the late end of a step; a clock
 * or an animation changes again.
 */
const MIN_BACKGROUND_CHANGES = 2;
/** When `settle` reaches its time limit, nodes that changed within this last period become background nodes. Milliseconds. */
const ONGOING_WINDOW_MS = 200;
/** Maximum wait of `settle` for the first animation frame; for each later frame, `REQUIRED_QUIET_FRAMES` times as long. Milliseconds. */
const FRAME_TIMEOUT_MS = 32;
/** Number of frames without a change for which `settle` waits after a change: an animation by script changes something in each frame. */
const REQUIRED_QUIET_FRAMES = 3;
/** A longer animation is that of a toast, which takes its effect back. Milliseconds. */
const MAX_EFFECT_ANIMATION_MS = 1_600;
/** Maximum number of changed nodes of a step in which signs of business are looked for. */
const MAX_CHANGED_NODES = 300;
/** Time between two checks whether the page is still busy. Milliseconds. */
const BUSY_CHECK_INTERVAL_MS = 50;
/** Maximum number of nodes in `changesByNode`. Beyond it, those that have not changed for the longest time are removed. */
const MAX_REMEMBERED_NODES = 200;

/** The observed changes of one node. */
interface NodeChanges {
  /** Time of the node's last change, as `performance.now()`. */
  readonly at: number;
  /** Number of the node's changes while no step was running. */
  readonly backgroundCount: number;
}

const changesByNode = new Map<Node, NodeChanges>();
/** True from `markStep()` or `settle()` until `endStep()`: changes in that time belong to the step. */
let stepRunning = false;
/** Number of times that nodes other than background nodes have changed since `markStep()`. */
let stepChanges = 0;
let listenerCount = 0;
/** Time of the last change of a node that is not a background node, as `performance.now()`; `-Infinity` if none since `markStep()`. */
let lastStepChangeAt = -Infinity;
/** True if a change since `markStep()` was one that a reader would notice. */
let hasChanged = false;
/** True if something has scrolled since `markStep()`. */
let hasScrolled = false;
/** Nodes that changed since `markStep()`, in which signs of business are looked for. */
let changedNodes = new Set<Node>();
/** True in a document in which no step was marked: all of it is new. */
let isNewDocument = true;
const animations = new StepAnimations();
let baseline: StepBaseline = { animations: new Set(), backgroundNodes: new WeakSet() };

const observer = new MutationObserver(noteRecords);

/** Notes the changes that the observer has not been told yet. */
export const noteChanges = (): void => noteRecords(observer.takeRecords());

/** Returns true while a step runs: the changes belong to it. */
export const isStepRunning = (): boolean => stepRunning;

function noteRecords(records: readonly MutationRecord[]): void {
  forgetTree();
  const now = performance.now();
  let hasStepChange = false;
  for (const record of records) {
    const { target } = record;
    if (!baseline.backgroundNodes.has(target)) {
      hasStepChange = true;
      if (stepRunning) noteStepChange(record);
    }
    const before = changesByNode.get(target);
    const isNewChange = before === undefined || before.at < now;
    const added = stepRunning || !isNewChange ? 0 : 1;
    changesByNode.delete(target);
    changesByNode.set(target, { at: now, backgroundCount: (before?.backgroundCount ?? 0) + added });
  }
  while (changesByNode.size > MAX_REMEMBERED_NODES) {
    const oldest = changesByNode.keys().next().value;
    if (oldest === undefined) break;
    changesByNode.delete(oldest);
  }
  if (!hasStepChange) return;
  stepChanges++;
  lastStepChangeAt = now;
}

/** Receives each node that a step adds or changes, and its parent or itself. */
let notifyChange: (changed: Node, parent: Node) => void = () => {};

/** Calls the listener for each node that a step adds or changes. There is one listener. */
export function onStepChange(listener: (changed: Node, parent: Node) => void): void {
  notifyChange = listener;
}

let reportControl = (): ControlReport => NO_CONTROL;

/** Sets the function that reports about the control that the step has used. */
export function expectEffects(report: () => ControlReport): void {
  reportControl = report;
}

/** Returns true if the step has changed text, content or the state of an element. */
export const hasStepChanged = (): boolean => hasChanged;

function noteStepChange(record: MutationRecord): void {
  const isContent = (hasChanged && showsElsewhere()) || isContentChange(record);
  hasChanged ||= isContent;
  if (isContent) noteShown(record);
  if (changedNodes.size >= MAX_CHANGED_NODES) return;
  for (const node of record.type === 'childList' ? record.addedNodes : [record.target]) {
    changedNodes.add(node);
    notifyChange(node, record.target);
  }
}

const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true };
/** Events of a step whose path shows the shadow trees that it concerns. */
const STEP_EVENTS = ['pointerdown', 'pointerover', 'click', 'keydown', 'input', 'change'];

/** Starts to observe the document. Call it once for each document. */
export function watchDocument(): void {
  observer.observe(document, OBSERVED);
  treeIsWatched();
  const observeShadowTrees = (event: Event): void => {
    for (const node of event.composedPath()) if (node instanceof ShadowRoot) observer.observe(node, OBSERVED);
  };
  for (const type of STEP_EVENTS)
    addEventListener(type, observeShadowTrees, { capture: true, passive: true });
  // The browser's own words about a field that is not valid are an effect.
  addEventListener('invalid', noteInvalidField, { capture: true, passive: true });
  // Lists render their rows after the last scroll event, and smooth scrolling sends one in each frame.
  addEventListener('scroll', noteScroll, { capture: true, passive: true });
}

/** True while a scroll of the service's own has not been reported yet. */
let isOwnScroll = false;

/** Says that the service scrolls the document now: that is no effect of the step. */
export function expectOwnScroll(): void {
  isOwnScroll = true;
  // The events of a scroll precede the callbacks of the frame.
  requestAnimationFrame(() => {
    isOwnScroll = false;
  });
}

function noteInvalidField(): void {
  hasChanged ||= stepRunning;
}

/** Notes that the step has scrolled something: the event of it comes with the next frame, which can be late. */
export function noteScroll(): void {
  if (!stepRunning || isOwnScroll) return;
  hasScrolled = true;
  stepChanges++;
  lastStepChangeAt = performance.now();
}

/** Returns true for a node that changes without a step, such as a clock. */
export const isBackgroundNode = (node: Node): boolean => baseline.backgroundNodes.has(node);

/** Sets how many elements of the document have event listeners, as the last observation counted them. */
export function setListenerCount(count: number): void {
  listenerCount = count;
}

/** Returns true if the document has no scripts and no listeners: then nothing happens in it but what the browser does. */
export const isStaticDocument = (): boolean => listenerCount === 0 && !hasScripts(bodyOf(document));

/** Marks the start of a step: `settle` waits only for changes and animations that begin after this call. */
export function markStep(): void {
  const now = performance.now();
  const backgroundNodes = new WeakSet<Node>();
  for (const [node, { at, backgroundCount }] of changesByNode)
    if (now - at >= BACKGROUND_WINDOW_MS) changesByNode.delete(node);
    else if (backgroundCount >= MIN_BACKGROUND_CHANGES) backgroundNodes.add(node);
  stepRunning = true;
  baseline = { animations: new Set(currentAnimations()), backgroundNodes };
  animations.restart();
  stepChanges = 0;
  lastStepChangeAt = -Infinity;
  hasChanged = false;
  forgetShown();
  hasScrolled = false;
  forgetStepInput();
  changedNodes = new Set();
  isNewDocument = false;
}

/**
 * Waits for the effects of a step: resolves when the document has not changed for `quietMs` milliseconds and no finite
 * animation of the step is running; at the latest after `maxMs` milliseconds. Changes of background nodes do not count.
 * The step lasts until `endStep`.
 * @param stillFrames when it is known what the step has begun: the number of frames in a row without a change that are enough,
 * without `quietMs`
 */
export async function settle(
  quietMs: number,
  maxMs: number,
  stillFrames: number | null = null,
): Promise<SettleReport> {
  const end = performance.now() + maxMs;
  stepRunning = true;
  await waitUntilQuiet(quietMs, end, stillFrames);
  if (hasScrolled) await intersectionsNotified();
  if (performance.now() >= end) markOngoingAsBackground();
  const busy = busySigns().map(describeIndicator);
  return {
    hasChanged: hasChanged || isNewDocument,
    busy,
    isStatic: isStaticDocument(),
    showsElsewhere: showsElsewhere(),
    ...(isNewDocument ? NO_CONTROL : reportControl()),
    holdsControl: heldControl() !== null,
    hasScrolled,
    isUnfilled: isNewDocument && busy.length === 0 && unfilledPart() !== null,
    animationMs:
      animations.isEndUntold && !isStaticDocument()
        ? 1
        : remainingAnimationMs(baseline.animations, MAX_EFFECT_ANIMATION_MS),
  };
}

/** Marks the end of a step: later changes are the page's own. */
export function endStep(): void {
  stepRunning = false;
  isNewDocument = false;
}

const busySigns = (): readonly Element[] => awaitedIndicators(isNewDocument ? null : changedNodes);

/**
 * Waits until the signs of business that the step has brought are gone, or the document has changed otherwise; at most `maxMs` milliseconds. Signs that
 * remain are not waited for again if `endsWait` is true, nor bars whose pace says that they do not end within `barMs`; null to wait for any bar.
 */
export async function waitWhileBusy(maxMs: number, endsWait: boolean, barMs: number | null): Promise<void> {
  const end = performance.now() + maxMs;
  const signs = busySigns();
  for (let left = maxMs; left > 0; left = end - performance.now()) {
    if (!signs.some(sign => isIndicator(sign) && !isGivenUp(sign))) return;
    if (barMs !== null) giveUpIndicators(signs.filter(sign => !mayEndWithin(sign, barMs - (maxMs - left))));
    await new Promise(resolve => setTimeout(resolve, Math.min(left, BUSY_CHECK_INTERVAL_MS)));
  }
  if (endsWait) giveUpIndicators(signs);
}

/** Makes the nodes that still change when `settle` reaches its time limit background nodes: the step does not cause their changes. */
function markOngoingAsBackground(): void {
  const now = performance.now();
  for (const [node, { at }] of changesByNode)
    if (now - at < ONGOING_WINDOW_MS)
      changesByNode.set(node, { at, backgroundCount: MIN_BACKGROUND_CHANGES });
}

async function waitUntilQuiet(quietMs: number, end: number, stillFrames: number | null): Promise<void> {
  const isStatic = isStaticDocument() && !hasScrolled;
  // Without scripts and listeners no change can follow. With them, one frame runs the tasks that the step queued.
  if (animations.read(baseline.animations) <= 0 && isStatic) return;
  let seen = stepChanges;
  await animations.nextFrame(Math.min(FRAME_TIMEOUT_MS, end - performance.now()));
  for (let quietFrames = 1; ; quietFrames++) {
    const now = performance.now();
    if (seen !== stepChanges) quietFrames = 0;
    seen = stepChanges;
    const animationMs = animations.read(baseline.animations);
    if (now >= end) return;
    // Rows follow the last event of scrolling in frames of their own.
    const isBrief = stillFrames !== null && !hasScrolled;
    const quietLeft = isBrief || stepChanges === 0 ? 0 : lastStepChangeAt + quietMs - now;
    const requiredFrames = isBrief ? stillFrames : REQUIRED_QUIET_FRAMES;
    const isQuiet = Math.max(quietLeft, animationMs) <= 0 && (isStatic || !animations.isEndUntold);
    if (isQuiet && (stepChanges === 0 || quietFrames >= requiredFrames)) return;
    // On a busy machine frames are late, and so are the changes in them: count frames, not only time.
    const frameMs = Math.min(FRAME_TIMEOUT_MS * REQUIRED_QUIET_FRAMES, end - now);
    const hasCome = await animations.nextFrame(Math.max(1, frameMs));
    // What lists load when they scroll is decided while a frame is drawn.
    if (hasScrolled && !hasCome && !document.hidden) quietFrames--;
  }
}
