/**
 * Runs in the world of the page's own scripts, before them.
 *
 * Puts stand-ins in the place of the functions that pages keep in variables and of the observers that they create, so that the recorder of a
 * step is told of their calls too.
 *
 * Refuses the lock of the pointer. Without a screen, Chromium moves a locked pointer back to the middle without end: its processes are busy
 * with nothing else, and take gigabytes within minutes. It has no way to refuse; but it refuses itself, as the page can expect, a lock with
 * the option `unadjustedMovement`, which it does not know without a screen.
 */
import type { Callback, DocumentStart, Relay } from './functionReplacements.ts';

/** A constant of the block around this script. */
declare const startToken: string;

const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
const OPTIONS = { unadjustedMovement: true };
const relays: Record<string, Relay> = {};
const observed: DocumentStart['observed'] = {};
/** The recorder asks for it with the token: see src/browser/settle/pageTasks.ts. */
const start: DocumentStart = { relays, observed };

function put(holder: object, name: string, handler: ProxyHandler<Callback>): Callback | null {
  const descriptor = getOwnPropertyDescriptor(holder, name);
  if (typeof descriptor?.value !== 'function') return null;
  defineProperty(holder, name, { ...descriptor, value: new Proxy(descriptor.value as Callback, handler) });
  return descriptor.value as Callback;
}

for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'fetch']) {
  const relay: Relay['handler'] = {};
  const original = put(window, name, relay as ProxyHandler<Callback>);
  if (original !== null) relays[name] = { original, handler: relay };
}
for (const name of ['IntersectionObserver', 'ResizeObserver'])
  put(window, name, {
    construct(target, [callback, ...rest]: unknown[], newTarget) {
      const called = function (this: unknown, ...given: unknown[]): unknown {
        observed.enter?.();
        return apply(callback as Callback, this, given);
      };
      return construct(target, [typeof callback === 'function' ? called : callback, ...rest], newTarget);
    },
  });
put(Element.prototype, 'requestPointerLock', {
  apply: (original, self, [given]: unknown[]) =>
    given === startToken ? start : apply(original, self, [OPTIONS]),
});
