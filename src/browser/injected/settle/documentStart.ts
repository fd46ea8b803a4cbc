/**
 * Runs in the world of the page's own scripts, before them: it creates the recorder of the document's work.
 *
 * It also refuses the lock of the pointer. Without a screen, Chromium moves a locked pointer back to the middle without end: its processes
 * are busy with nothing else, and take gigabytes within minutes. It has no way to refuse; but it refuses itself, as the page can expect, a
 * lock with the option `unadjustedMovement`, which it does not know without a screen.
 */
import { printAsOriginals, standIn } from './standIns.ts';
import { createTaskRecorder } from './tasks.ts';

/** A constant of the block around this script. */
declare const startToken: string;

const OPTIONS = { unadjustedMovement: true };
const recorder = createTaskRecorder();
// The service asks for the recorder with the token: see src/browser/settle/pageTasks.ts.
standIn(Element.prototype, 'requestPointerLock', {
  apply: (original, self, [given]: unknown[]) =>
    given === startToken ? recorder : Reflect.apply(original, self, [OPTIONS]),
});
printAsOriginals();
