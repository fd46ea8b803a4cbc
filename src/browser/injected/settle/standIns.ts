/**
 * Puts stand-ins in the place of functions of the page's window, before its own scripts run: what the page keeps in variables is a stand-in
 * too. They have the looks of what they stand for, and call it.
 */
const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
// The page may replace these later.
const { get, set } = WeakMap.prototype;

export type Callback = (...args: unknown[]) => unknown;
/** Performs a call in the place of the original function. */
type Call = (original: Callback, self: unknown, args: unknown[]) => unknown;

/** The functions for which stand-ins stand. */
const originals = new WeakMap<object, Callback>();

/** The part of a property that is replaced. */
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

/** Replaces functions while work is recorded. */
export class StandIns {
  readonly #isOn: () => boolean;
  readonly #broken: () => void;

  /** @param broken called when the page has broken what its recorder needs */
  constructor(isOn: () => boolean, broken: () => void) {
    this.#isOn = isOn;
    this.#broken = broken;
  }

  calling(holder: object | null, name: string, call: Call, key: Key = 'value'): void {
    const isOn = this.#isOn;
    const handler = {
      apply: (original: Callback, self: unknown, args: unknown[]) =>
        isOn() ? call(original, self, args) : apply(original, self, args),
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
    const observe = (original: Callback, self: unknown, args: unknown[]): unknown => {
      const result = apply(original, self, args);
      this.noting(() => called(self, result, args));
      return result;
    };
    this.calling(holder, name, observe, key);
  }

  /** @param created receives each object that the page creates */
  creating(name: string, created: (source: EventTarget) => void): void {
    standIn(window, name, {
      construct: (target, args: unknown[], newTarget): object => {
        const result: object = construct(target, args, newTarget);
        if (this.#isOn() && result instanceof EventTarget) this.noting(() => created(result));
        return result;
      },
    });
  }

  /** Keeps a failure of the recorder away from the page, which has broken something that it needs. */
  noting(work: () => void): void {
    try {
      work();
    } catch {
      this.#broken();
    }
  }
}

/** Returns the prototype of an interface that some documents do not have. */
export function prototypeOf(interfaceName: string): object | null {
  const found = (window as unknown as Record<string, { readonly prototype?: object } | undefined>)[
    interfaceName
  ];
  return found?.prototype ?? null;
}
