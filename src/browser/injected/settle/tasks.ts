/**
 * Records the timers, animation frames, messages and requests with which a page continues the work of a step. It runs in the world of the
 * page's own scripts, because no other world sees them. It records while a step runs, from `begin` to `end`, and from the start of each new
 * document, for `UNFILLED_MS` or until its first step. The page has no reference to the recorder itself.
 *
 * The work of a step is what its input events start, and what that work starts in turn: a chain. In a new document all work is of the step
 * that has opened it.
 */
import {
  FIRST_EFFECT_MS,
  FRAMES_MS,
  LATER_EFFECT_MS,
  MAX_IDLE_RUNS,
  MAX_TASKS,
  MAX_TOLD_TIMERS,
  POSTED_MS,
  RECORDED_TIMER_MS,
  TASK_CHECK_MS,
  UNFILLED_MS,
} from '../../settle/policy.ts';
import { clipboardWrites } from './clipboardWrites.ts';
import { isContentChange } from './contentChange.ts';
import { Replies, replySources } from './replies.ts';
import { type Chain, RECORDING, type TaskWait } from './report.ts';
import { requestSources } from './requestSources.ts';
import { type Callback, now, StandIns, standIn } from './standIns.ts';

/** The recorder of one document. The page could hold objects back, so the answers are texts and booleans. */
export interface TaskRecorder {
  /** Starts to record a step. @returns the word `recording`, or how the recorder has failed, as in a page that has broken what it needs */
  begin(): string;
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
  /** Delay, and the calls that have set the timer: a page sets the same timer again. */
  readonly site: string;
}

/** Input events: what their listeners start is work of the step. */
const INPUT_EVENTS =
  'pointerdown pointerup pointermove pointerover pointerenter mousedown mouseup mousemove mouseover mouseenter mouseout click dblclick contextmenu auxclick wheel scroll keydown keyup beforeinput input change submit focusin focusout dragstart drag dragover drop dragend paste popstate hashchange toggle close'.split(
    ' ',
  );
/** Characters of a failure that are told: it may be a text of the page. */
const MAX_FAILURE_TEXT = 200;
const OBSERVED = { subtree: true, childList: true, characterData: true, attributes: true };

/** Returns the present calls of functions. A page may have its own way to write them. */
function presentCalls(): string {
  try {
    return String(new Error().stack);
  } catch {
    return '';
  }
}

/** Returns the delay of a timer, without a call of the page's. */
const delayOf = (delay: unknown): number =>
  Math.max(0, typeof delay === 'number' || typeof delay === 'string' ? Number(delay) : 0) || 0;

/** Returns the text of an error, which may be the page's. */
function textOf(error: unknown): string {
  try {
    return String(error).slice(0, MAX_FAILURE_TEXT);
  } catch {
    return 'an error without a text';
  }
}

/** Creates the recorder of a document that begins. */
export function createTaskRecorder(): TaskRecorder {
  const { apply, construct } = Reflect;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const post = MessagePort.prototype.postMessage;
  const natives = { setTimeout: window.setTimeout, setInterval: window.setInterval };
  const timers = new Map<unknown, Timer>();
  /** The requested animation frames: their chains and callbacks. */
  const frames = new Map<unknown, { readonly chain: Chain; readonly callback: object }>();
  /** Callbacks that requested themselves for too long. */
  const endlessFrames = new WeakSet<object>();
  /** Number of times in a row that timers of one site have run without an effect. */
  const idleRuns = new Map<string, number>();
  /** Timers that have run while changes were observed, and when. */
  let unjudged: { readonly site: string; readonly at: number }[] = [];
  /** Time at which work of the step has set a timer or asked for something last. */
  let startedAt = -Infinity;
  let isObserving = false;
  const roots = new Set<Node>();
  const endOfTask = new MessageChannel();
  const waiters = new Set<() => void>();
  /** Number of the step; 1 for the one that has opened the document. */
  let step = 1;
  let phase: 'new document' | 'step' | 'between steps' | 'broken' = 'new document';
  /** The first failure of the recorder. */
  let failure = '';
  const forget = (): void => {
    unjudged = [];
    timers.clear();
    frames.clear();
    roots.clear();
    replies.begin();
    requests.begin();
  };
  const isRecording = (): boolean => {
    if (phase === 'new document' && now() >= UNFILLED_MS) {
      phase = 'between steps';
      forget();
    }
    return phase === 'step' || phase === 'new document';
  };
  const standIns = new StandIns(isRecording, error => {
    if (phase !== 'broken') failure = textOf(error);
    phase = 'broken';
  });
  /** The work of a new document. */
  const opened: Chain = { step, startedAt: now() };
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
  const isPostRecent = (): boolean => posted.pending > 0 || now() < posted.at + POSTED_MS;
  /** Returns the chain of work that starts now; null if nothing is known of it. */
  const presentChain = (): Chain | null => {
    const known = current ?? (isPostRecent() ? posted.chain : null);
    return known ?? (phase === 'new document' ? opened : null);
  };
  const isOfStep = (): boolean => isRecording() && ofStep(presentChain());
  const onInput = (event: Event): void =>
    standIns.noting(() => {
      enter({ step, startedAt: now() });
      for (const node of event.composedPath()) if (node instanceof ShadowRoot) roots.add(node);
    });
  /** Ends the work of an event whose listeners have run, and what their promises did: the next task is another's. */
  const onInputHandled = (): void =>
    queueMicrotask(() => {
      current = null;
    });

  /** Records the timers that a function sets. */
  const timer = (name: 'setTimeout' | 'setInterval') =>
    standIns.calling(window, name, (self, args) => {
      const callback = args[0];
      const delayMs = delayOf(args[1]);
      const isText = typeof callback === 'string';
      if (delayMs > RECORDED_TIMER_MS || !(isText || typeof callback === 'function')) return undefined;
      const chain = presentChain();
      const isInterval = name === 'setInterval';
      const site = phase === 'step' ? `${delayMs} ${presentCalls()}` : '';
      if (ofStep(chain)) startedAt = now();
      const added: Timer = { isInterval, delayMs, dueAt: now() + delayMs, chain, site };
      if (chain === null) adopt(added);
      let id: unknown = null;
      const run = function (this: unknown, ...given: unknown[]): unknown {
        standIns.noting(() => {
          const setBy = added.chain;
          enter(ofStep(setBy) ? setBy : { step: 0, startedAt: now() });
          if (isObserving && ofStep(setBy) && site !== '') unjudged.push({ site, at: now() });
          if (isInterval) added.dueAt = now() + delayMs;
          else timers.delete(id);
        });
        try {
          return typeof callback === 'function' && apply(callback as Callback, this, given);
        } finally {
          standIns.noting(wakeAll);
        }
      };
      // The browser runs a script that is given as a text, if the page's policy allows it.
      if (!isText) args[0] = run;
      return result => {
        id = result;
        if (isText) apply(natives[name], self, [run, delayMs]);
        if (timers.size < MAX_TASKS) timers.set(id, added);
      };
    });
  const clearing = (name: 'clearTimeout' | 'clearInterval') =>
    standIns.observing(window, name, (_self, _result, [id]) => {
      if (timers.delete(typeof id === 'string' ? Number(id) : id)) wakeAll();
    });
  const onSent = (): void => {
    startedAt = now();
  };
  const isStep = (): boolean => phase === 'step';
  const replies = new Replies({ presentChain, ofStep, onSent, adopt, claim, wakeAll });
  const onPosted = (): void => {
    if (!isOfStep()) return;
    if (!isPostRecent() || !ofStep(posted.chain))
      Object.assign(posted, { chain: presentChain(), firstAt: now() });
    posted.at = now();
    posted.pending++;
    apply(post, hops.port2, [false]);
  };
  timer('setTimeout');
  timer('setInterval');
  clearing('clearTimeout');
  clearing('clearInterval');
  standIns.calling(window, 'requestAnimationFrame', (_self, args) => {
    const callback = args[0];
    const chain = presentChain();
    if (!ofStep(chain) || typeof callback !== 'function' || frames.size >= MAX_TASKS) return undefined;
    let id: unknown = null;
    args[0] = function (this: unknown, ...given: unknown[]): unknown {
      standIns.noting(() => {
        frames.delete(id);
        enter(chain);
      });
      return apply(callback as Callback, this, given);
    };
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
        const callback = args[0];
        const called = function (this: unknown, ...given: unknown[]): unknown {
          if (isStep() && current === null) standIns.noting(() => enter({ step, startedAt: now() }));
          return apply(callback as Callback, this, given);
        };
        if (typeof callback === 'function') args[0] = called;
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
  replySources(standIns, replies, onPosted, isStep);
  const requests = requestSources(standIns, { presentChain, isOfStep, isStep, claim, onSent });

  const isTimerAwaited = ({ chain, dueAt, delayMs, site, isInterval }: Timer, wait: TaskWait): boolean => {
    const isOther = chain === null && wait.includesOthers && !isInterval;
    if (!(ofStep(chain) || isOther) || dueAt > now() + wait.maxMs) return false;
    const boundMs = wait.showsEffect && !isInterval ? LATER_EFFECT_MS : FIRST_EFFECT_MS;
    const isEffectExpected = (idleRuns.get(site) ?? 0) < MAX_IDLE_RUNS;
    return wait.isPromised || (dueAt - (chain?.startedAt ?? dueAt - delayMs) <= boundMs && isEffectExpected);
  };
  /** Judges the timers that have run: whether the document has changed since, or more work was started. */
  const judge = (): void => {
    if (idleRuns.size > MAX_TASKS) idleRuns.clear();
    // Not every shadow tree is observed.
    for (const { site, at } of unjudged)
      if (roots.size === 0)
        idleRuns.set(site, Math.max(changedAt, startedAt) >= at ? 0 : (idleRuns.get(site) ?? 0) + 1);
    unjudged = [];
  };
  const areFramesAwaited = ({ isPromised }: TaskWait): boolean => {
    let isAwaited = false;
    for (const { chain, callback } of frames.values()) {
      if (!ofStep(chain)) continue;
      const isLong = now() - chain.startedAt > FRAMES_MS;
      if (isLong) endlessFrames.add(callback);
      isAwaited ||= isPromised || !(isLong || endlessFrames.has(callback));
    }
    return isAwaited;
  };
  /** Returns true while a message within the window has not arrived, and, in a row of messages, while another may follow. */
  const isPostAwaited = ({ isPromised }: TaskWait): boolean => {
    const isRow = now() - posted.firstAt > POSTED_MS;
    if (!ofStep(posted.chain) || (posted.pending === 0 && !(isRow && isPostRecent()))) return false;
    return isPromised || now() - posted.firstAt <= FIRST_EFFECT_MS;
  };
  const isAwaited = (wait: TaskWait): boolean => {
    for (const task of timers.values()) if (isTimerAwaited(task, wait)) return true;
    return replies.areAwaited(wait) || isPostAwaited(wait) || areFramesAwaited(wait);
  };
  const isIdle = (): boolean =>
    frames.size === 0 && !isPostRecent() && !replies.areOpen() && timers.size === 0;
  /** Returns the rest of the answer of `next`. */
  const told = (): string => {
    const words: (string | number)[] = isIdle() ? ['idle'] : [];
    if (startsDownload) words.push('download');
    for (const { chain, dueAt } of timers.values())
      if (ofStep(chain) && words.length < MAX_TOLD_TIMERS) words.push(Math.max(1, Math.ceil(dueAt - now())));
    return words.join(' ');
  };

  return {
    begin() {
      if (phase === 'broken') return failure;
      step++;
      forget();
      startsDownload = false;
      changedAt = startedAt = -Infinity;
      if (phase === 'step') return RECORDING;
      phase = 'step';
      for (const type of INPUT_EVENTS) {
        apply(addEventListener, window, [type, onInput, { capture: true, passive: true }]);
        apply(addEventListener, window, [type, onInputHandled, { passive: true }]);
      }
      return RECORDING;
    },
    async next(wait) {
      judge();
      if (wait.maxMs <= 0 || !isAwaited(wait)) return told();
      const end = now() + wait.maxMs;
      for (const root of [document, ...roots]) changes.observe(root, OBSERVED);
      isObserving = true;
      const changedBefore = changedAt;
      for (let left = wait.maxMs; left > 0; left = end - now()) {
        await new Promise<void>(resolve => {
          apply(natives.setTimeout, window, [resolve, Math.min(left, TASK_CHECK_MS)]);
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
      forget();
      isObserving = false;
      changes.disconnect();
      for (const type of INPUT_EVENTS) {
        apply(removeEventListener, window, [type, onInput, { capture: true }]);
        apply(removeEventListener, window, [type, onInputHandled]);
      }
    },
  };
}
