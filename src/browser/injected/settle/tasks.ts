/**
 * Records the timers, animation frames, messages and requests with which a page continues the work of a step. It runs in the world of the
 * page's own scripts, because no other world sees them. It records while a step runs, from `begin` to `end`, and from the start of each new
 * document, for `UNFILLED_MS` or until its first step. The page has no reference to the recorder itself.
 *
 * The work of a step is what its input events start, and what that work starts in turn: a chain. In a new document all work is of the step
 * that has opened it.
 */
import * as policy from '../../settle/policy.ts';
import { clipboardWrites } from './clipboardWrites.ts';
import { isContentChange } from './contentChange.ts';
import { type Chain, type TaskWait, watchReplies } from './replies.ts';
import { type Callback, now, StandIns, standIn } from './standIns.ts';

/** The recorder of one document. The page could hold objects back, so the answers are texts and booleans. */
export type TaskRecorder = ReturnType<typeof createTaskRecorder>;

interface Timer {
  readonly kind: 'setTimeout' | 'setInterval' | 'requestAnimationFrame';
  readonly delayMs: number;
  dueAt: number;
  /** Null for a timer that no known work has set: an observer, or a listener of another document. */
  chain: Chain | null;
}

/** Timers that are set in the same way, in each press of an element, do the same. */
const sortOf = ({ kind, delayMs }: Timer): string => `${kind} ${delayMs}`;

const TIMERS = [
  ['setTimeout', 'clearTimeout'],
  ['setInterval', 'clearInterval'],
  ['requestAnimationFrame', 'cancelAnimationFrame'],
] as const;

const LOADS = ['load', 'error'];
/** Input events: what their listeners start is work of the step. */
const INPUT_EVENTS =
  'pointerdown pointerup pointermove pointerover pointerenter mousedown mouseup mousemove mouseover mouseenter mouseout click dblclick contextmenu auxclick wheel scroll keydown keyup beforeinput input change submit reset focusin focusout dragstart drag dragover drop dragend paste popstate hashchange toggle close'.split(
    ' ',
  );
const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true };
const LOADING = { subtree: true, childList: true, attributeFilter: 'src srcset srcdoc href data'.split(' ') };

/** Returns the delay of a timer, without a call of the page's. */
const delayOf = (delay: unknown): number =>
  Math.max(0, typeof delay === 'number' || typeof delay === 'string' ? Number(delay) : 0) || 0;

export function createTaskRecorder() {
  const { apply, construct } = Reflect;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const { getAttribute, hasAttribute } = Element.prototype;
  const { getAnimations } = Document.prototype;
  const focused = Object.getOwnPropertyDescriptor(Document.prototype, 'activeElement')?.get ?? (() => null);
  const post = MessagePort.prototype.postMessage;
  const { setTimeout, setInterval, requestAnimationFrame } = window;
  const natives = { setTimeout, setInterval, requestAnimationFrame };
  /** By id; the browser numbers frames apart from timers: theirs are negative. */
  const timers = new Map<unknown, Timer>();
  /** The element that was pressed or written into last, and in how many steps in a row its timers of each sort have changed nothing. */
  const idle = { element: null as EventTarget | null, steps: new Map<string, number>() };
  /** When the first timer of each sort has run while changes were observed. */
  const ranAt = new Map<string, number>();
  const roots = new Set<Node>();
  /** Number of the step; 1 for the one that has opened the document. */
  let step = 1;
  let phase: 'new document' | 'step' | 'between steps' | 'broken' = 'new document';
  let failure: unknown = null;
  const forget = (): void => {
    ranAt.clear();
    timers.clear();
    roots.clear();
    begun.clear();
    replies.begin();
  };
  const isRecording = (): boolean => {
    if (phase === 'new document' && now() >= policy.UNFILLED_MS) {
      phase = 'between steps';
      forget();
    }
    return phase === 'step' || phase === 'new document';
  };
  const standIns = new StandIns(isRecording, error => {
    if (phase !== 'broken') failure = error;
    phase = 'broken';
  });
  const opened: Chain = { step, startedAt: now() };
  let ofInput = opened;
  /** The chain whose work is running now; null while work of unknown origin runs. */
  let current: Chain | null = null;
  let changedAt = -Infinity;
  let isObserving = false;
  let startsDownload = false;
  /** The present row of messages within the window: when its last one was posted, and how many have not arrived. */
  const posted = { chain: null as Chain | null, firstAt: -Infinity, at: -Infinity, pending: 0 };
  /** Work of the present task of which it is not known yet where it comes from. */
  const unclaimed: { chain: Chain | null }[] = [];
  /** Messages of the recorder's own. After two of them, one that the page has posted before has certainly arrived. */
  const own = new MessageChannel();
  const send = (kind: 'task ends' | 'posted' | 'arrived' | 'drawn'): void => apply(post, own.port2, [kind]);
  own.port1.onmessage = ({ data: kind }) =>
    standIns.noting(() => {
      if (kind === 'posted') send('arrived');
      else if (kind === 'arrived') posted.pending--;
      else if (kind === 'drawn') onDrawn();
      else {
        current = null;
        unclaimed.length = 0;
      }
    });
  const adopt = (work: { chain: Chain | null }): void => {
    if (unclaimed.length === 0 && current === null) send('task ends');
    unclaimed.push(work);
  };
  const enter = (chain: Chain): void => {
    // Ends with the task, not with the function: what its promises do next is work of the chain too.
    if (current === null) send('task ends');
    current = chain;
    if (isStep() && ofStep(chain)) noteWork();
  };
  /** Elements that work of the step moves, or has given something to load, and names of frames that it opens something in. */
  const begun = new Set<unknown>();
  /** The animations before the present work of the step, and the number of frames until the styles that it sets have applied. */
  const before = { animations: new Set<Animation>(), framesLeft: 0 };
  const awaitFrame = () => apply(natives.requestAnimationFrame, window, [() => send('drawn')]);
  /** Notes that work of the step runs: what begins to move with the next frames is moved by it, after a delay too. */
  const noteWork = (): void => {
    if (before.framesLeft === 0) {
      before.animations = new Set(apply(getAnimations, document, []));
      awaitFrame();
    }
    before.framesLeft = policy.BEGINNING_FRAMES;
  };
  const onDrawn = (): void => {
    for (const animation of apply(getAnimations, document, []) as Animation[])
      if (!before.animations.has(animation) && animation.effect instanceof KeyframeEffect)
        begun.add(animation.effect.target);
    before.framesLeft--;
    if (before.framesLeft > 0) awaitFrame();
  };
  /** The page's own listener of an answer may have run before: what it has started is work of the chain too. */
  const claim = (chain: Chain): void => {
    enter(chain);
    for (const work of unclaimed.splice(0)) work.chain = chain;
  };
  const changes = new MutationObserver(records =>
    standIns.noting(() => {
      if (records.some(isContentChange)) changedAt = now();
    }),
  );
  const ofStep = (chain: Chain | null): chain is Chain => chain?.step === step;
  /** Returns true if work that starts now may come from a message of the step within the window. */
  const isPostRecent = (): boolean => posted.pending > 0 || now() < posted.at + policy.POSTED_MS;
  /** Returns the chain of work that starts now; null if nothing is known of it. */
  const presentChain = (): Chain | null => {
    const known = current ?? (isPostRecent() ? posted.chain : null);
    return known ?? (phase === 'new document' ? opened : null);
  };
  const isOfStep = (): boolean => isRecording() && ofStep(presentChain());
  const onInput = (event: Event): void =>
    standIns.noting(() => {
      ofInput = { step, startedAt: now() };
      claim(ofInput);
      const [element] = event.composedPath();
      const isOther = event.type === 'click' ? element !== idle.element : event.type === 'input';
      if (isOther) Object.assign(idle, { element, steps: new Map() });
      for (const node of event.composedPath()) {
        if (node instanceof ShadowRoot) roots.add(node);
        noteTarget(node);
      }
    });
  /** Notes the name of the frame in which a link or a form opens its address. */
  const noteTarget = (source: unknown): void => {
    if (source instanceof Element) begun.add(apply(getAttribute, source, ['target']));
  };
  const loads = new MutationObserver(records =>
    standIns.noting(() => {
      if (!isOfStep()) return;
      for (const { attributeName, target, addedNodes } of records)
        for (const node of attributeName === null ? addedNodes : [target]) begun.add(node);
    }),
  );
  /** The end of a move or a load that the step has begun: of an element, of what is in it, or of a frame that it has opened an address in. */
  const onEnd = (event: Event): void =>
    standIns.noting(() => {
      const [frame] = event.composedPath();
      const name = frame instanceof HTMLIFrameElement && apply(getAttribute, frame, ['name']);
      const isOpened = (name && begun.has(name)) || frame === apply(focused, document, []);
      if (isOpened || event.composedPath().some(node => begun.has(node))) onEnding();
    });
  /** Claims what starts when something ends that the step has begun; it is as old as the last input of the step. */
  const onEnding = (): void =>
    standIns.noting(() => {
      if (isStep() && current === null) claim(ofInput);
    });
  /** Ends the work of an event whose listeners have run, and what their promises did: the next task is another's. */
  const onInputHandled = (): void =>
    queueMicrotask(() => {
      current = null;
    });

  const listen = (change: typeof addEventListener | typeof removeEventListener): void => {
    for (const type of INPUT_EVENTS) {
      apply(change, window, [type, onInput, { capture: true, passive: true }]);
      apply(change, window, [type, onInputHandled, { passive: true }]);
    }
    for (const type of ['transitionend', 'animationend', ...LOADS])
      apply(change, document, [type, onEnd, true]);
    apply(change, document, ['scrollend', onEnding, true]);
  };

  for (const [kind, ending] of TIMERS) {
    const isInterval = kind === 'setInterval';
    const isFrame = kind === 'requestAnimationFrame';
    const keyOf = (id: unknown): unknown =>
      isFrame ? -Number(id) : typeof id === 'string' ? Number(id) : id;
    standIns.calling(window, kind, (self, args) => {
      const callback = args[0];
      const delayMs = isFrame ? 0 : delayOf(args[1]);
      const isText = typeof callback === 'string' && !isFrame;
      if (delayMs > policy.RECORDED_TIMER_MS || !(isText || typeof callback === 'function')) return undefined;
      const chain = presentChain();
      if (isFrame && !ofStep(chain)) return undefined;
      const added: Timer = { kind, delayMs, dueAt: now() + delayMs, chain };
      if (chain === null) adopt(added);
      let id: unknown = null;
      const onRun = (): void => {
        const setBy = added.chain;
        enter(ofStep(setBy) ? setBy : { step: 0, startedAt: now() });
        if (isObserving && ofStep(setBy) && !ranAt.has(sortOf(added))) ranAt.set(sortOf(added), now());
        if (isInterval) added.dueAt = now() + delayMs;
        else timers.delete(keyOf(id));
      };
      const run = standIns.callback(isText ? () => {} : (callback as Callback), onRun);
      // The browser runs a script that is given as a text, if the page's policy allows it.
      if (!isText) args[0] = run;
      return result => {
        id = result;
        if (isText) apply(natives[isInterval ? 'setInterval' : 'setTimeout'], self, [run, delayMs]);
        if (timers.size < policy.MAX_TASKS) timers.set(keyOf(id), added);
      };
    });
    standIns.observing(window, ending, (_self, _result, [id]) => void timers.delete(keyOf(id)));
  }
  const isStep = (): boolean => phase === 'step';
  const onPosted = (): void => {
    if (!isOfStep()) return;
    if (!isPostRecent() || !ofStep(posted.chain))
      Object.assign(posted, { chain: presentChain(), firstAt: now() });
    posted.at = now();
    posted.pending++;
    send('posted');
  };
  const nextFrame = window.requestAnimationFrame;
  /** A scroll begins with the second frame after the call, if anything scrolls. */
  const onScroll = (): void => {
    if (isOfStep()) nextFrame(() => nextFrame(() => {}));
  };
  for (const name of ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView'])
    for (const holder of [window, Element.prototype]) standIns.observing(holder, name, onScroll);
  for (const name of ['scrollLeft', 'scrollTop'])
    standIns.observing(Element.prototype, name, onScroll, 'set');
  for (const name of ['IntersectionObserver', 'ResizeObserver'])
    standIn(window, name, {
      construct(target, args: unknown[], newTarget) {
        if (typeof args[0] === 'function') args[0] = standIns.callback(args[0] as Callback, onEnding);
        return construct(target, args, newTarget);
      },
    });
  // Its window can be sent to another address.
  const onFrame = (frame: unknown) => isOfStep() && begun.add(frame);
  standIns.observing(HTMLIFrameElement.prototype, 'contentWindow', onFrame, 'get');
  standIns.observing(HTMLFormElement.prototype, 'submit', form => isOfStep() && noteTarget(form));
  standIns.calling(HTMLElement.prototype, 'click', link => {
    startsDownload ||= link instanceof HTMLAnchorElement && apply(hasAttribute, link, ['download']);
    // An input that is in no document, such as that of a file chooser: its events reach no window.
    if (link instanceof HTMLInputElement && !link.isConnected)
      for (const type of ['input', 'change']) standIns.listen(link, type, onInput, { capture: true });
    return undefined;
  });
  clipboardWrites(isStep);
  const origins = { presentChain, ofStep, isOfStep, isStep, onPosted, adopt, claim };
  const replies = watchReplies(standIns, origins);
  // The events of an image that is in no document, and of an animation, reach no document.
  standIns.observing(
    HTMLImageElement.prototype,
    'src',
    image => {
      if (!isOfStep() || !(image instanceof HTMLImageElement)) return;
      for (const type of LOADS) standIns.listen(image, type, onEnding, { once: true });
    },
    'set',
  );
  standIns.observing(Element.prototype, 'animate', (_element, animation) => {
    if (isOfStep() && animation instanceof Animation)
      standIns.listen(animation, 'finish', onEnding, { once: true });
  });

  const isTimerAwaited = (timer: Timer, wait: TaskWait): boolean => {
    const { chain, dueAt, delayMs, kind } = timer;
    const isOther = chain === null && wait.includesOthers && kind === 'setTimeout';
    if (!(ofStep(chain) || isOther) || dueAt > now() + wait.maxMs) return false;
    if (wait.isPromised) return true;
    const timerMs = wait.offersAction ? policy.OFFERED_MS : policy.EFFECT_MS;
    const boundMs = kind === 'requestAnimationFrame' ? policy.EFFECT_ANIMATION_MS : timerMs;
    const isIdle = (idle.steps.get(sortOf(timer)) ?? 0) >= policy.MAX_IDLE_STEPS;
    return dueAt - (chain?.startedAt ?? dueAt - delayMs) <= boundMs && !isIdle;
  };
  const isAwaited = (wait: TaskWait): boolean => {
    for (const task of timers.values()) if (isTimerAwaited(task, wait)) return true;
    const isFirst = wait.isPromised || now() - posted.firstAt <= policy.EFFECT_MS;
    return replies.areAwaited(wait) || (isFirst && ofStep(posted.chain) && posted.pending > 0);
  };
  /** Returns true if the step has no work left but what timers and messages of others do. */
  const isIdle = (): boolean => timers.size === 0 && !isPostRecent() && !replies.areOpen();
  const told = (): string => {
    const words: (string | number)[] = isIdle() ? ['idle'] : [];
    if (startsDownload) words.push('download');
    for (const { chain, dueAt, kind } of timers.values())
      if (ofStep(chain) && kind !== 'requestAnimationFrame' && words.length < policy.MAX_TOLD_TIMERS)
        words.push(Math.max(1, Math.ceil(dueAt - now())));
    return words.join(' ');
  };

  return {
    /** Starts to record a step. @throws the first failure of the recorder, as in a page that has broken what it needs */
    begin() {
      if (phase === 'broken') throw failure;
      step++;
      forget();
      startsDownload = false;
      changedAt = -Infinity;
      ofInput = { step, startedAt: now() };
      if (phase === 'step') return true;
      phase = 'step';
      loads.observe(document, LOADING);
      listen(addEventListener);
      return true;
    },
    /**
     * Waits until the awaited work has run, or some of it has changed the document.
     * @returns the words `waited`, if it waited, `idle`, if nothing is left, and `download`, if the step has clicked a link to a file, then
     *   the milliseconds until each timer of the step is due
     */
    async next(wait: TaskWait): Promise<string> {
      if (wait.maxMs <= 0 || !isAwaited(wait)) return told();
      const end = now() + wait.maxMs;
      for (const root of [document, ...roots]) changes.observe(root, OBSERVED);
      isObserving = true;
      const changedBefore = changedAt;
      do
        await new Promise(resolve => void apply(natives.setTimeout, window, [resolve, policy.PAGE_CHECK_MS]));
      while (changedAt <= changedBefore && now() < end && isAwaited({ ...wait, maxMs: end - now() }));
      return `waited ${told()}`;
    },
    isIdle,
    unusedRequests: replies.unused,
    end() {
      if (phase !== 'broken') phase = 'between steps';
      // Not every shadow tree is observed.
      for (const [sort, at] of ranAt)
        idle.steps.set(sort, changedAt < at && roots.size === 0 ? (idle.steps.get(sort) ?? 0) + 1 : 0);
      forget();
      loads.disconnect();
      isObserving = false;
      changes.disconnect();
      listen(removeEventListener);
    },
  };
}
