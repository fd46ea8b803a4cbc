/** Errors of a browser that did not start, written for the operator; Playwright's are written for programmers. */

/** A line that Chromium itself wrote, in Playwright's log of the launch. */
const CHROMIUM_OUTPUT_LINE = /^\s*- \[pid=\d+\]\[err\] (.+)$/gm;
/** Colours of a terminal (ECMA-48, SGR). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the escape character.
const TERMINAL_COLOUR = /\u001b\[[\d;]*m/g;
const MAX_OUTPUT_LINES = 10;

const SANDBOX_HELP = `Chromium's sandbox cannot run here: it needs a user other than root who is allowed to create user namespaces.
Run the service as such a user (Ubuntu 23.10 and later forbid user namespaces by AppArmor; for containers see docs/container.md), or set
PAGESPACE_CHROMIUM_SANDBOX=off to run without the sandbox: a page that breaks out of the browser then has the rights of this process.`;

/** @returns an error with a message for the operator; its `cause` is the original error */
export function toLaunchError(error: unknown, executablePath: string): Error {
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(TERMINAL_COLOUR, '');
  if (/No usable sandbox|Running as root without --no-sandbox|sys_chroot/.test(text))
    return new Error(SANDBOX_HELP, { cause: error });
  const output = [...text.matchAll(CHROMIUM_OUTPUT_LINE)]
    .map(([, line]) => `  ${line}`)
    .slice(-MAX_OUTPUT_LINES);
  const [first = ''] = text.replace(/^browserType\.launch: /, '').split('\n');
  const lines = [`Chromium (${executablePath}) did not start: ${first}`, ...output];
  return new Error(lines.join('\n'), { cause: error });
}
