/**
 * Refuses the lock of the pointer, in the world of the page's own scripts and before they run. Without a screen, Chromium moves a locked
 * pointer back to the middle without end: its processes are busy with nothing else, and take gigabytes within minutes. It has no way to
 * refuse; but it refuses itself, as the page can expect, a lock with the option `unadjustedMovement`, which it does not know without a screen.
 */
import { type Callback, FunctionReplacements, replacedWith } from './functionReplacements.ts';

const OPTIONS = { unadjustedMovement: true };
const apply = Reflect.apply as (call: Callback, self: unknown, args: readonly unknown[]) => unknown;

new FunctionReplacements([
  replacedWith(Element.prototype, 'requestPointerLock', (original, self) => apply(original, self, [OPTIONS])),
]).replace();
