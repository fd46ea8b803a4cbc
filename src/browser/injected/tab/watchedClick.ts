import type { Callback, FunctionReplacement } from './windowFunctions.ts';

/** Returns `HTMLElement.prototype.click`, and a replacement that reports the element of each call first. */
export function watchedClick(onClick: (element: unknown) => void): FunctionReplacement {
  const holder = HTMLElement.prototype as unknown as Record<string, Callback>;
  const original = HTMLElement.prototype.click as Callback;
  const replacement = new Proxy(original, {
    apply(target, self, args: unknown[]) {
      onClick(self);
      return Reflect.apply(target, self, args);
    },
  });
  return { holder, name: 'click', original, replacement };
}
