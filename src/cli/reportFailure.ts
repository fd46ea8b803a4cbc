/** Prints the failure of a command, and returns the exit code. */
import { PagespaceError } from '../client/main.ts';
import { terminalJson, terminalText } from '../domain/terminalText.ts';
import { UsageError } from './connection.ts';
import { exitCodeOf } from './exitCode.ts';

/**
 * Prints an error of the client: its code and what happened on standard error, and the list of actions as it is now on standard
 * output, if the failure has one. With `json`, standard output has the whole failure.
 * @returns the exit code; null if the error is not one of the client
 */
export function reportFailure(error: unknown, json: boolean): number | null {
  if (error instanceof UsageError) {
    process.stderr.write(`pagespace: ${terminalText(error.message)}\n`);
    return 2;
  }
  if (!(error instanceof PagespaceError)) return null;
  const { code, message, retryable, errors, space, session, requestId } = error;
  const advice = code === 'CONNECTION_FAILED' ? ' Is it running? `npm start` starts it.' : '';
  process.stderr.write(`pagespace: ${code}: ${terminalText(message)}${advice}\n`);
  if (json)
    process.stdout.write(
      `${terminalJson({ code, detail: message, retryable, errors, session, space, requestId })}\n`,
    );
  else if (space !== null) process.stdout.write(`${terminalText(space.markdown)}\n`);
  return exitCodeOf(code);
}
