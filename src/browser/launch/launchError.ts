/** Error messages for the operator when a browser does not start. Playwright's own messages are written for programmers. */
import { stripVTControlCharacters } from 'node:util';
import { chromiumOutputOf, isSandboxUnavailable } from '../cdp/playwrightInternals.ts';

const MAX_OUTPUT_LINES = 10;

const SANDBOX_HELP = `Chromium's sandbox cannot run here: it needs a user other than root who is allowed to create user namespaces.
Run the service as such a user (Ubuntu 23.10 and later forbid user namespaces by AppArmor; for containers see docs/container.md), or set
PAGESPACE_CHROMIUM_SANDBOX=off to run without the sandbox: a page that breaks out of the browser then has the rights of this process.`;

/** Converts the error of a failed `chromium.launch` to one with a message for the operator; its `cause` is the original error. */
export function toLaunchError(error: unknown, executablePath: string): Error {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  if (isSandboxUnavailable(text)) return new Error(SANDBOX_HELP, { cause: error });
  const output = chromiumOutputOf(text)
    .map(line => `  ${line}`)
    .slice(-MAX_OUTPUT_LINES);
  const [first = ''] = text.replace(/^browserType\.launch: /, '').split('\n');
  const lines = [`Chromium (${executablePath}) did not start: ${first}`, ...output];
  return new Error(lines.join('\n'), { cause: error });
}
