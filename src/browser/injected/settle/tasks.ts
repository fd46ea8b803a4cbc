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
import { Endings } from './endings.ts';
import { Replies } from './replies.ts';
import type { Chain, TaskWait } from './report.ts';
import { requestSources } from './requestSources.ts';
import { type Callback, now, StandIns, standIn } from './standIns.ts';

/** The recorder of one document. The page could hold objects back, so the answers are texts and booleans. */
export interface TaskRecorder {
  /** Starts to record a step. @throws the first failure of the recorder, as in a page that has broken what it needs */
  begin(): true;
  /**
   * Waits until the awaited work has run, or some of it has changed the document.
   * @returns the words `waited`, if it waited, `idle`, if nothing is left, and `download`, if the step has clicked a link to a file, then the milliseconds until each
   *   timer of the step is due
   */
  next(wait: TaskWait): Promise<string>;
  /** Returns true if the step has no work left but what timers and messages of others do. */
  isIdle(): boolean;
  /** Returns the addresses of the requests whose responses or bodies nothing in the page uses, one on each line. */
  unusedRequests(): string;
  end(): void;
}

interface Timer {
  readonly isInterval: boolean;
  readonly delayMs: number;
  dueAt: number;
  /** Null for a timer that no known work has set: an observer, or a listener of another document. */
  chain: Chain | null;
}

/** Input events: what their listeners start is work of the step. */
const INPUT_EVENTS =
  'pointerdown pointerup pointermove pointerover pointerenter mousedown mouseup mousemove mouseover mouseenter mouseout click dblclick contextmenu auxclick wheel scroll keydown keyup beforeinput input change submit focusin focusout dragstart drag dragover drop dragend paste popstate hashchange toggle close'.split(
    ' ',
  );
const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true };

/** Returns the delay of a timer, without a call of the page's. */
const delayOf = (delay: unknown): number =>
  Math.max(0, typeof delay === 'number' || typeof delay === 'string' ? Number(delay) : 0) || 0;

/** Creates the recorder of a document that begins. */
export function createTaskRecorder(): TaskRecorder {
  const { apply, construct } = Reflect;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const post = MessagePort.prototype.postMessage;
  const natives = { setTimeout: window.setTimeout, setInterval: window.setInterval };
  const timers = new Map<unknown, Timer>();
  const frames = new Map<unknown, { readonly chain: Chain; readonly callback: object }>();
  /** Callbacks that requested themselves for too long. */
  const endlessFrames = new WeakSet<object>();
  /** In how many steps in a row, all presses of one element, timers of a delay have run without an effect. */
  const idleRuns = new Map<number, number>();
  let pressed: EventTarget | null = null;
  /** When the timers of each delay have run last while changes were observed. */
  const ranAt = new Map<number, number>();
  /** Time at which work of the step has set a timer or asked for something last. */
  let startedAt = -Infinity;
  let isObserving = false;
  const roots = new Set<Node>();
  const endOfTask = new MessageChannel();
  const waiters = new Set<() => void>();
  /** Number of the step; 1 for the one that has opened the document. */
  let step = 1;
  let phase: 'new document' | 'step' | 'between steps' | 'broken' = 'new document';
  let failure: unknown = null;
  const forget = (): void => {
    ranAt.clear();
    timers.clear();
    frames.clear();
    roots.clear();
    replies.begin();
    requests.begin();
    endings.begin();
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
  let startsDownload = false;
  /** The present row of messages within the window: when its last one was posted, and how many have not arrived. */
  const posted = { chain: null as Chain | null, firstAt: -Infinity, at: -Infinity, pending: 0 };
  /** Messages of the recorder's own: after two of them, one that the page has posted before has certainly arrived. */
  const hops = new MessageChannel();
  hops.port1.onmessage = ({ data: isLast }) =>
    standIns.noting(() => {
      if (isLast !== true) apply(post, hops.port2, [true]);
      else if (--posted.pending === 0) wakeAll();
    });

  /** Work of the present task of which it is not known yet where it comes from. */
  const unclaimed: { chain: Chain | null }[] = [];

  endOfTask.port1.onmessage = () =>
    standIns.noting(() => {
      current = null;
      if (unclaimed.splice(0).length > 0) replies.forgetUnclaimed();
    });
  const adopt = (work: { chain: Chain | null }): void => {
    if (unclaimed.length === 0 && current === null) apply(post, endOfTask.port2, [0]);
    unclaimed.push(work);
  };
  const enter = (chain: Chain): void => {
    // Ends with the task, not with the function: what its promises do next is work of the chain too.
    if (current === null) apply(post, endOfTask.port2, [0]);
    current = chain;
    if (isStep() && ofStep(chain)) endings.noteWork();
  };
  /** The page's own listener of an answer may have run before: what it has started is work of the chain too. */
  const claim = (chain: Chain): void => {
    enter(chain);
    for (const work of unclaimed.splice(0)) work.chain = chain;
  };
  const wakeAll = (): void => {
    for (const wake of [...waiters]) wake();
  };
  const changes = new MutationObserver(records =>
    standIns.noting(() => {
      if (!records.some(isContentChange)) return;
      changedAt = now();
      wakeAll();
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
      enter(ofInput);
      const [element] = event.composedPath();
      const isOther = event.type === 'click' ? element !== pressed : event.type === 'input';
      if (isOther) idleRuns.clear();
      if (isOther) pressed = element ?? null;
      for (const node of event.composedPath()) {
        if (node instanceof ShadowRoot) roots.add(node);
        const isLeft = event.type === 'click' || event.type === 'submit';
        if (isLeft && node instanceof Element) endings.followTarget(node);
      }
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

  for (const name of ['setTimeout', 'setInterval'] as const)
    standIns.calling(window, name, (self, args) => {
      const callback = args[0];
      const delayMs = delayOf(args[1]);
      const isText = typeof callback === 'string';
      if (delayMs > policy.RECORDED_TIMER_MS || !(isText || typeof callback === 'function')) return undefined;
      const chain = presentChain();
      const isInterval = name === 'setInterval';
      if (ofStep(chain)) startedAt = now();
      const added: Timer = { isInterval, delayMs, dueAt: now() + delayMs, chain };
      if (chain === null) adopt(added);
      let id: unknown = null;
      const onRun = (): void => {
        const setBy = added.chain;
        enter(ofStep(setBy) ? setBy : { step: 0, startedAt: now() });
        if (isObserving && ofStep(setBy)) ranAt.set(delayMs, now());
        if (isInterval) added.dueAt = now() + delayMs;
        else timers.delete(id);
      };
      const run = standIns.callback(isText ? () => {} : (callback as Callback), onRun, wakeAll);
      // The browser runs a script that is given as a text, if the page's policy allows it.
      if (!isText) args[0] = run;
      return result => {
        id = result;
        if (isText) apply(natives[name], self, [run, delayMs]);
        if (timers.size < policy.MAX_TASKS) timers.set(id, added);
      };
    });
  for (const name of ['clearTimeout', 'clearInterval'])
    standIns.observing(window, name, (_self, _result, [id]) => {
      if (timers.delete(typeof id === 'string' ? Number(id) : id)) wakeAll();
    });
  const onSent = (): void => {
    startedAt = now();
  };
  const isStep = (): boolean => phase === 'step';
  const onPosted = (): void => {
    if (!isOfStep()) return;
    if (!isPostRecent() || !ofStep(posted.chain))
      Object.assign(posted, { chain: presentChain(), firstAt: now() });
    posted.at = now();
    posted.pending++;
    apply(post, hops.port2, [false]);
  };
  standIns.calling(window, 'requestAnimationFrame', (_self, args) => {
    const callback = args[0];
    const chain = presentChain();
    if (!ofStep(chain) || typeof callback !== 'function' || frames.size >= policy.MAX_TASKS) return undefined;
    let id: unknown = null;
    args[0] = standIns.callback(callback as Callback, () => {
      frames.delete(id);
      enter(chain);
    });
    return result => {
      id = result;
      frames.set(id, { chain, callback });
    };
  });
  const nextFrame = window.requestAnimationFrame;
  /** A scroll begins with the second frame after the call, if anything scrolls. */
  const onScroll = (): void => {
    if (isOfStep()) nextFrame(() => nextFrame(() => {}));
  };
  for (const name of ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView'])
    for (const holder of [window, Element.prototype]) standIns.observing(holder, name, onScroll);
  for (const name of ['scrollLeft', 'scrollTop'])
    standIns.observing(Element.prototype, name, onScroll, 'set');
  standIns.observing(window, 'cancelAnimationFrame', (_self, _result, [id]) => void frames.delete(id));
  for (const name of ['IntersectionObserver', 'ResizeObserver'])
    standIn(window, name, {
      construct(target, args: unknown[], newTarget) {
        if (typeof args[0] === 'function') args[0] = standIns.callback(args[0] as Callback, onEnding);
        return construct(target, args, newTarget);
      },
    });
  const { hasAttribute } = Element.prototype;
  standIns.calling(HTMLElement.prototype, 'click', link => {
    startsDownload ||= link instanceof HTMLAnchorElement && apply(hasAttribute, link, ['download']);
    // An input that is in no document, such as that of a file chooser: its events reach no window.
    if (link instanceof HTMLInputElement && !link.isConnected)
      for (const type of ['input', 'change']) standIns.listen(link, type, onInput, { capture: true });
    return undefined;
  });
  clipboardWrites(isStep);
  const origins = { presentChain, ofStep, isOfStep, isStep, onSent, onPosted, adopt, claim, wakeAll };
  const replies = new Replies(standIns, origins);
  const requests = requestSources(standIns, origins);
  const endings = new Endings(standIns, {
    isOfStep,
    isOfOthers: () => current !== null && !ofStep(current),
    onEnding,
  });

  const isTimerAwaited = ({ chain, dueAt, delayMs, isInterval }: Timer, wait: TaskWait): boolean => {
    const isOther = chain === null && wait.includesOthers && !isInterval;
    if (!(ofStep(chain) || isOther) || dueAt > now() + wait.maxMs) return false;
    const boundMs = wait.showsEffect && !isInterval ? policy.LATER_EFFECT_MS : policy.FIRST_EFFECT_MS;
    const isEffectExpected = (idleRuns.get(delayMs) ?? 0) < policy.MAX_IDLE_RUNS;
    return wait.isPromised || (dueAt - (chain?.startedAt ?? dueAt - delayMs) <= boundMs && isEffectExpected);
  };
  /** Judges the timers that have run in a step: whether the document has changed since, or more work was started. */
  const judge = (): void => {
    // Not every shadow tree is observed.
    if (roots.size > 0 || idleRuns.size > policy.MAX_TASKS) idleRuns.clear();
    else
      for (const [delayMs, at] of ranAt)
        idleRuns.set(delayMs, Math.max(changedAt, startedAt) >= at ? 0 : (idleRuns.get(delayMs) ?? 0) + 1);
  };
  const areFramesAwaited = ({ isPromised }: TaskWait): boolean => {
    let isAwaited = false;
    for (const { chain, callback } of frames.values()) {
      if (!ofStep(chain)) continue;
      const isLong = now() - chain.startedAt > policy.FRAMES_MS;
      if (isLong) endlessFrames.add(callback);
      isAwaited ||= isPromised || !(isLong || endlessFrames.has(callback));
    }
    return isAwaited;
  };
  /** Returns true while a message within the window has not arrived, and, in a row of messages, while another may follow. */
  const isPostAwaited = ({ isPromised }: TaskWait): boolean => {
    const isRow = now() - posted.firstAt > policy.POSTED_MS;
    if (!ofStep(posted.chain) || (posted.pending === 0 && !(isRow && isPostRecent()))) return false;
    return isPromised || now() - posted.firstAt <= policy.FIRST_EFFECT_MS;
  };
  const isAwaited = (wait: TaskWait): boolean => {
    for (const task of timers.values()) if (isTimerAwaited(task, wait)) return true;
    return replies.areAwaited(wait) || isPostAwaited(wait) || areFramesAwaited(wait);
  };
  const isIdle = (): boolean =>
    frames.size === 0 && !isPostRecent() && !replies.areOpen() && timers.size === 0;
  const told = (): string => {
    const words: (string | number)[] = isIdle() ? ['idle'] : [];
    if (startsDownload) words.push('download');
    for (const { chain, dueAt } of timers.values())
      if (ofStep(chain) && words.length < policy.MAX_TOLD_TIMERS)
        words.push(Math.max(1, Math.ceil(dueAt - now())));
    return words.join(' ');
  };

  return {
    begin() {
      if (phase === 'broken') throw failure;
      step++;
      forget();
      startsDownload = false;
      changedAt = startedAt = -Infinity;
      ofInput = { step, startedAt: now() };
      if (phase === 'step') return true;
      phase = 'step';
      for (const type of INPUT_EVENTS) {
        apply(addEventListener, window, [type, onInput, { capture: true, passive: true }]);
        apply(addEventListener, window, [type, onInputHandled, { passive: true }]);
      }
      apply(addEventListener, document, ['scrollend', onEnding, { capture: true }]);
      endings.observe();
      return true;
    },
    async next(wait) {
      if (wait.maxMs <= 0 || !isAwaited(wait)) return told();
      const end = now() + wait.maxMs;
      for (const root of [document, ...roots]) changes.observe(root, OBSERVED);
      isObserving = true;
      const changedBefore = changedAt;
      for (let left = wait.maxMs; left > 0; left = end - now()) {
        await new Promise<void>(resolve => {
          apply(natives.setTimeout, window, [resolve, Math.min(left, policy.TASK_CHECK_MS)]);
          waiters.add(resolve);
        });
        waiters.clear();
        if (changedAt > changedBefore || !isAwaited({ ...wait, maxMs: end - now() })) break;
      }
      return `waited ${told()}`;
    },
    isIdle,
    unusedRequests: () => requests.unused(),
    end() {
      if (phase !== 'broken') phase = 'between steps';
      judge();
      forget();
      isObserving = false;
      changes.disconnect();
      for (const type of INPUT_EVENTS) {
        apply(removeEventListener, window, [type, onInput, { capture: true }]);
        apply(removeEventListener, window, [type, onInputHandled]);
      }
      apply(removeEventListener, document, ['scrollend', onEnding, { capture: true }]);
      endings.end();
    },
  };
}
