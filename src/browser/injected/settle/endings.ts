/** Knows which transitions, animations and loads the work of a step has begun: what the listeners of their ends start is work of the step too. */
import { BEGINNING_FRAMES } from '../../settle/policy.ts';
import { now, type StandIns } from './standIns.ts';

// The page may replace these later, and the recorder puts stand-ins in the place of some.
const { requestAnimationFrame, getComputedStyle } = window;
const { apply } = Reflect;
const { addEventListener, removeEventListener } = EventTarget.prototype;
const { getAttribute, querySelectorAll } = Element.prototype;
const { getOwnPropertyDescriptor } = Object;
const focusedIn = getOwnPropertyDescriptor(Document.prototype, 'activeElement')?.get as () => unknown;
const parentOf = getOwnPropertyDescriptor(Node.prototype, 'parentElement')?.get as () => unknown;

/** Elements that load something when they are added. */
const LOADING = 'img, iframe, script, link, object, embed';
const ADDRESSES = ['src', 'srcset', 'srcdoc', 'href', 'data'];
const LOOKS = ['class', 'style'];
const BEGINNINGS = ['transitionrun', 'animationstart'] as const;
const ENDS = ['transitionend', 'animationend', 'load', 'error'] as const;

/** The questions of `Endings` to the recorder, and its news for it. */
interface StepWork {
  isOfStep(): boolean;
  /** Returns true while work runs that is known to be of others. */
  isOfOthers(): boolean;
  /** Claims what the listeners of an end start. */
  onEnding(): void;
}

export class Endings {
  readonly #standIns: StandIns;
  readonly #work: StepWork;
  /** The elements to which the work of the step has given something to load. */
  #loading = new WeakSet<object>();
  /** The properties and the animations of each element that the work of the step moves. */
  #moving = new WeakMap<object, Set<string>>();
  /** The elements whose class or style others have changed while the work of the step waits for frames: they move what is in them. */
  #movedByOthers = new WeakSet<object>();
  #begunAt = 0;
  /** Number of frames until the styles that the work of the step has set have applied. */
  #framesLeft = 0;
  readonly #changes = new MutationObserver(records =>
    this.#standIns.noting(() => {
      for (const record of records) {
        if (this.#work.isOfStep()) this.#noteLoads(record);
        else if (this.#work.isOfOthers()) this.#movedByOthers.add(record.target);
      }
    }),
  );

  constructor(standIns: StandIns, work: StepWork) {
    this.#standIns = standIns;
    this.#work = work;
    // Its window can be sent to another address.
    standIns.observing(HTMLIFrameElement.prototype, 'contentWindow', frame => this.#load(frame), 'get');
    standIns.observing(HTMLFormElement.prototype, 'submit', form => {
      if (form instanceof Element) this.followTarget(form);
    });
    // The events of an image that is in no document, and of an animation, reach no document.
    standIns.observing(
      HTMLImageElement.prototype,
      'src',
      image => {
        if (!work.isOfStep() || !(image instanceof HTMLImageElement)) return;
        for (const type of ['load', 'error']) standIns.listen(image, type, work.onEnding, { once: true });
      },
      'set',
    );
    standIns.observing(Element.prototype, 'animate', (_element, animation) => {
      if (work.isOfStep() && animation instanceof Animation)
        standIns.listen(animation, 'finish', work.onEnding, { once: true });
    });
  }

  begin(): void {
    this.#loading = new WeakSet();
    this.#moving = new WeakMap();
    this.#begunAt = now();
  }

  observe(): void {
    this.#changes.observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: [...ADDRESSES, ...LOOKS],
    });
    for (const type of BEGINNINGS) apply(addEventListener, document, [type, this.#onBeginning, true]);
    for (const type of ENDS) apply(addEventListener, document, [type, this.#onEnd, true]);
  }

  end(): void {
    this.#changes.disconnect();
    for (const type of BEGINNINGS) apply(removeEventListener, document, [type, this.#onBeginning, true]);
    for (const type of ENDS) apply(removeEventListener, document, [type, this.#onEnd, true]);
  }

  /** Notes that work of the step runs: what begins to move with the next frames is moved by it. */
  noteWork(): void {
    if (this.#framesLeft === 0) this.#awaitFrame();
    this.#framesLeft = BEGINNING_FRAMES;
  }

  /** Notes that a link or a form loads its address in a frame. */
  followTarget(source: Element): void {
    const name = apply(getAttribute, source, ['target']);
    if (name === null || name === '') return;
    const frames = apply(querySelectorAll, document.documentElement, ['iframe']) as NodeListOf<Element>;
    for (const frame of frames) if (apply(getAttribute, frame, ['name']) === name) this.#load(frame);
  }

  #awaitFrame(): void {
    const onFrame = (): void => {
      this.#framesLeft--;
      if (this.#framesLeft > 0) this.#awaitFrame();
      else this.#movedByOthers = new WeakSet();
    };
    apply(requestAnimationFrame, window, [onFrame]);
  }

  #load(element: unknown): void {
    if (this.#work.isOfStep() && element instanceof Element) this.#loading.add(element);
  }

  #noteLoads({ target, attributeName, addedNodes }: MutationRecord): void {
    if (LOOKS.includes(attributeName ?? '')) this.#movedByOthers.delete(target);
    else if (attributeName !== null) this.#load(target);
    for (const node of addedNodes)
      if (node instanceof Element) {
        this.#load(node);
        for (const inner of apply(querySelectorAll, node, [LOADING]) as NodeListOf<Element>)
          this.#load(inner);
      }
  }

  readonly #onBeginning = (event: TransitionEvent | AnimationEvent): void =>
    this.#standIns.noting(() => {
      const { target } = event;
      if (!(target instanceof Element)) return;
      if (this.#framesLeft === 0 && !(event instanceof AnimationEvent && this.#isDelayed(target))) return;
      for (let at: unknown = target; at instanceof Element; at = apply(parentOf, at, []))
        if (this.#movedByOthers.has(at)) return;
      const names = this.#moving.get(target) ?? new Set();
      names.add(nameOf(event));
      this.#moving.set(target, names);
    });

  /** Returns true if an animation of the element has waited since the step began: its beginning is told after that. */
  #isDelayed(element: Element): boolean {
    const delays = (apply(getComputedStyle, window, [element]) as CSSStyleDeclaration).animationDelay
      .split(',')
      .map(Number.parseFloat);
    const delayMs = Math.max(...delays) * 1000;
    return delayMs > 0 && now() - delayMs >= this.#begunAt;
  }

  readonly #onEnd = (event: Event): void =>
    this.#standIns.noting(() => {
      const { target } = event;
      if (target === null) return;
      const isMove = event instanceof TransitionEvent || event instanceof AnimationEvent;
      const isBegun = isMove
        ? this.#moving.get(target)?.delete(nameOf(event)) === true
        : // A step in a frame can lead to another document in it.
          this.#loading.has(target) || target === apply(focusedIn, document, []);
      if (isBegun) this.#work.onEnding();
    });
}

const nameOf = (event: TransitionEvent | AnimationEvent): string =>
  event instanceof TransitionEvent ? event.propertyName : event.animationName;
