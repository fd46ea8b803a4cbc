/** The code of a page that sends a request. */
import { hash } from 'node:crypto';

/** Number of calls, the innermost first, that tell one sender from another. */
const MAX_CALLS = 8;

/** The cause of a request, as Chromium reports it. */
interface Initiator {
  readonly stack?: {
    readonly callFrames: readonly {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    }[];
  };
}

/** Returns a short text that is the same for requests of the same chain of calls; empty if no script sent the request. */
export function callSiteOf(initiator: Initiator | undefined): string {
  const calls = initiator?.stack?.callFrames.slice(0, MAX_CALLS) ?? [];
  if (calls.length === 0) return '';
  const parts = calls.map(call => `${call.functionName} ${call.url} ${call.lineNumber} ${call.columnNumber}`);
  return hash('sha1', parts.join('\n'));
}
