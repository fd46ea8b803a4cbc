/**
 * Puts stand-ins in the place of functions of the page's window, before its own scripts run: what the page keeps in variables is a stand-in
 * too. They have the looks of what they stand for, and call it.
 */
const { apply, construct, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
// The page may replace these later.
const { get, set } = WeakMap.prototype;
const { addEventListener } = EventTarget.prototype;
const then = Promise.prototype.then as Callback;
const clock = performance;
const readClock = Performance.prototype.now;

export type Callback = (...args: unknown[]) => unknown;

/** The time as `performance.now()`, whatever the page puts in its place. */
export const now = (): number => apply(readClock, clock, []);

const originals = new WeakMap<object, Callback>();

type Key = 'value' | 'get' | 'set';

export function standIn(
  holder: object | null,
  name: string,
  handler: ProxyHandler<Callback>,
  key: Key = 'value',
): void {
  const descriptor = holder === null ? undefined : getOwnPropertyDescriptor(holder, name);
  const original: unknown = descriptor?.[key];
  if (holder === null || typeof original !== 'function' || descriptor?.configurable !== true) return;
  const proxy = new Proxy(original as Callback, handler);
  // Of a stand-in for a stand-in too.
  apply(set, originals, [proxy, apply(get, originals, [original]) ?? original]);
  defineProperty(holder, name, { ...descriptor, [key]: proxy });
  const prototype: unknown = handler.construct && original.prototype;
  if (prototype instanceof Object) defineProperty(prototype, 'constructor', { value: proxy });
}

/** Makes stand-ins print the source that browsers print for what they stand for. */
export function printAsOriginals(): void {
  standIn(Function.prototype, 'toString', {
    apply: (original, self) => apply(original, apply(get, originals, [self]) ?? self, []),
  });
}

/** Replaces functions while work is recorded. Nothing that it does throws into the page. */
export class StandIns {
  readonly #isOn: () => boolean;
  readonly #broken: (error: unknown) => void;

  /** @param broken called when the recorder has failed, as in a page that has broken what it needs */
  constructor(isOn: () => boolean, broken: (error: unknown) => void) {
    this.#isOn = isOn;
    this.#broken = broken;
  }

  /** @param before receives the object and the arguments of each call, which it may change; what it returns receives the result */
  calling(
    holder: object | null,
    name: string,
    before: (self: unknown, args: unknown[]) => ((result: unknown) => void) | undefined,
    key: Key = 'value',
  ): void {
    const around = <T>(self: unknown, args: unknown[], call: () => T): T => {
      let after: ((result: unknown) => void) | undefined;
      this.noting(() => {
        if (this.#isOn()) after = before(self, args);
      });
      const result = call();
      if (after !== undefined) this.noting(() => after?.(result));
      return result;
    };
    const handler: ProxyHandler<Callback> = {
      apply: (original, self, args: unknown[]) => around(self, args, () => apply(original, self, args)),
      construct: (original, args: unknown[], newTarget) =>
        around(null, args, () => construct(original, args, newTarget) as object),
    };
    standIn(holder, name, handler, key);
  }

  /** @param called receives the object, the result and the arguments of each call */
  observing(
    holder: object | null,
    name: string,
    called: (source: unknown, result: unknown, args: readonly unknown[]) => void,
    key: Key = 'value',
  ): void {
    this.calling(holder, name, (self, args) => result => called(self, result, args), key);
  }

  /** Adds a listener whose failures the page is not told. */
  listen(target: EventTarget, type: string, listener: (event: Event) => void, options = {}): void {
    apply(addEventListener, target, [type, (event: Event) => this.noting(() => listener(event)), options]);
  }

  /** Returns a callback of the page that tells when it is called. */
  callback(callback: Callback, before: () => void): Callback {
    const { noting } = this;
    return function (this: unknown, ...given) {
      noting(before);
      return apply(callback, this, given);
    };
  }

  /** Keeps a failure of the recorder away from the page. */
  readonly noting = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      this.#broken(error);
    }
  };

  /**
   * Observes how a promise of the page ends, and whether the page uses it: `await` reads its constructor, everything else calls `then`. Its failure is
   * passed on to a promise that nothing handles before the page handles its own: the page is told of unhandled rejections.
   * @param ended called before the page's callbacks
   * @param used called when the page takes the value; one that only catches errors uses it if it uses what that returns
   */
  observeResult(promise: object, ended: (() => void) | null, used: () => void = () => {}): void {
    let isOurs = false;
    const add = (to: Callback, callbacks: readonly unknown[]): unknown => {
      isOurs = true;
      try {
        return apply(to, promise, callbacks);
      } finally {
        isOurs = false;
      }
    };
    const passOn = (reason: unknown): never => {
      if (ended !== null) this.noting(ended);
      throw reason;
    };
    const passed = ended === null ? null : add(then, [() => this.noting(ended), passOn]);
    const handled = (isUsed: boolean): void =>
      this.noting(() => {
        if (passed !== null) apply(then, passed, [undefined, () => {}]);
        if (!isUsed) return;
        deleteProperty(promise, 'constructor');
        deleteProperty(promise, 'then');
        used();
      });
    defineProperty(promise, 'constructor', {
      configurable: true,
      get() {
        if (!isOurs) handled(true);
        return Promise;
      },
    });
    const observe = (next: object): void => this.noting(() => this.observeResult(next, null, used));
    defineProperty(promise, 'then', {
      configurable: true,
      writable: true,
      value(this: unknown, ...callbacks: unknown[]): unknown {
        // The page may have a function of its own there.
        const present = Promise.prototype.then as Callback;
        if (this !== promise) return apply(present, this, callbacks);
        const isUsed = typeof callbacks[0] === 'function';
        handled(isUsed);
        const next = add(present, callbacks);
        if (!isUsed && next instanceof Promise) observe(next);
        return next;
      },
    });
  }
}

/** Returns the prototype of an interface that some documents do not have. */
export const prototypeOf = (interfaceName: string): object | null =>
  (Reflect.get(window, interfaceName) as { readonly prototype?: object } | undefined)?.prototype ?? null;
