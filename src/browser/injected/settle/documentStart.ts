/**
 * Runs in the world of the page's own scripts, before them: it creates the recorder of the document's work.
 *
 * It also refuses the lock of the pointer. Without a screen, Chromium moves a locked pointer back to the middle without end: its processes
 * are busy with nothing else, and take gigabytes within minutes. It has no way to refuse; but it refuses itself, as the page can expect, a
 * lock with the option `unadjustedMovement`, which it does not know without a screen.
 */
import type { TaskWait } from './replies.ts';
import { type Callback, printAsOriginals, standIn } from './standIns.ts';
import { createTaskRecorder, type TaskRecorder } from './tasks.ts';

const OPTIONS = { unadjustedMovement: true };
const recorder = createTaskRecorder();

/** True if the iterators of the page, which every loop of the recorder calls, come to an end. Calls none of them more than twice. */
const hasIterators = (): boolean =>
  [() => [0], () => new Set([0]), () => new Map()].every(create => {
    const iterator = create()[Symbol.iterator]();
    return iterator.next().done || iterator.next().done === true;
  });

// The service finds this at the handler of the stand-in, which no script can reach: see src/browser/settle/pageTasks.ts.
// `call` has no rest parameter and no spread: those call the iterators of the page's arrays.
const handler: ProxyHandler<Callback> & { call(method: keyof TaskRecorder, argument: TaskWait): unknown } = {
  call: (method, argument) => (hasIterators() ? recorder[method](argument) : null),
  apply: (original, self) => Reflect.apply(original, self, [OPTIONS]),
};
standIn(Element.prototype, 'requestPointerLock', handler);
printAsOriginals();
