/** Watches clicks by script, such as those on links to files: such a link is usually in no document. */
import type { Callback } from './windowFunctions.ts';

/** Returns a function that clicks as the native one does. @param clicked receives each element before the click */
export const watchedClick = (native: Callback, clicked: (element: unknown) => void): Callback =>
  new Proxy(native, {
    apply(original, self, args: unknown[]) {
      clicked(self);
      return Reflect.apply(original, self, args);
    },
  });
