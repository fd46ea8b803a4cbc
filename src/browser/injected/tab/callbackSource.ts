/** Judges by the source of a timer's callback whether it goes on with the work of a step or takes its effect back. */

/** Words of callbacks that hide what a step has shown: toasts, "Copied". Minified sources keep the names of methods and constants. */
const TAKES_BACK =
  /remove|hid(?:e|den)|close|clear|dismiss|fade|reset|destroy|unmount|collapse|revert|restore|disappear|delete|expire|toast|snack|notif|copied|!1|false|null|undefined|void 0|(['"`])\1|display|opacity|visib/i;
const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/**
 * Returns true if the callback goes on with the work of the step, as far as its source tells.
 * @param source source of the callback
 * @param name its name: a function that continues after `await` is native and has none; that of a bound function is known
 */
export const goesOn = (source: string, name: string): boolean =>
  !TAKES_BACK.test(NATIVE.test(source) ? name : source);
