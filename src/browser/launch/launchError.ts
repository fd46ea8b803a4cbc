/** Why a browser did not start, in words for the operator: Playwright's are for who writes a program with it. */

/** What Chromium itself said, in Playwright's log of the launch. */
const CHROMIUM_OUTPUT_LINE = /^\s*- \[pid=\d+\]\[err\] (.+)$/gm;
/** Colours of a terminal (ECMA-48, SGR). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for.
const TERMINAL_COLOUR = /\u001b\[[\d;]*m/g;
const MAX_OUTPUT_LINES = 10;

const SANDBOX_HELP = `Chromium's sandbox cannot run here: it does not for root, nor for a user who may not make user namespaces.
Run the service as another user and allow them (Ubuntu from 23.10 forbids them by AppArmor; for containers see docs/container.md), or set
PAGESPACE_CHROMIUM_SANDBOX=off to run without the sandbox: a page that breaks out of the browser then has this process's rights.`;

/** @returns the error as it is told; `cause` holds the one it was made of */
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
