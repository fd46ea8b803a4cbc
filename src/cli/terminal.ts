/** Prints the results of commands: text with colours on a terminal, JSON for programs; failures with their exit codes. */
import pc from 'picocolors';
import { PagespaceError } from '../client/main.ts';
import { FAILURES, type FailureCode } from '../domain/failure/failures.ts';
import { terminalJson, terminalText } from '../domain/terminalText.ts';
import { UsageError } from './connection.ts';

export const print = (text: string): void => void process.stdout.write(`${terminalText(text)}\n`);

export const printJson = (value: unknown): void => print(terminalJson(value));

const isColoured = process.stdout.isTTY === true && pc.isColorSupported;

/** How lines of a list and of a difference begin, and how they look. The colours go around text that has no sequences of its own. */
const LINES: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^#+ .*/, pc.bold],
  [/^! .*/, pc.yellow],
  [/^\+ (?=.)/, pc.green],
  [/^- .*/, pc.red],
  [/^~ (?=.)/, pc.cyan],
  [/^(session|Tabs:|S\d).*/, pc.dim],
];
const IDS = /^((?:[+~=] )?\s*)((?:[LBI]\d+(?:–[LBI]\d+)?(?: (?=[LBI]\d))?)+)/;

/** Prints a list of actions or a difference; on a terminal with colours. @param isTerminal default: standard output is one */
export function printList(text: string, isTerminal = isColoured): void {
  const lines = terminalText(text).split('\n');
  process.stdout.write(`${(isTerminal ? lines.map(coloured) : lines).join('\n')}\n`);
}

function coloured(line: string): string {
  const marked = line.replace(IDS, (_, before: string, ids: string) => `${before}${pc.bold(pc.green(ids))}`);
  for (const [pattern, colour] of LINES)
    if (pattern.test(line)) return marked.replace(pattern, found => colour(found));
  return marked;
}

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

interface ExitCode {
  readonly code: number;
  readonly meaning: string;
  /** HTTP statuses of the failures with this exit code. */
  readonly statuses: readonly number[];
  /** Codes of the client's own errors with this exit code. */
  readonly others?: readonly string[];
}

const EXIT_CODES: readonly ExitCode[] = [
  { code: 0, meaning: 'Success.', statuses: [] },
  {
    code: 1,
    meaning: 'The service or the command failed unexpectedly.',
    statuses: [500],
    others: ['UNEXPECTED_RESPONSE'],
  },
  {
    code: 2,
    meaning: 'The command is not valid: arguments, values, or settings.',
    statuses: [400, 405, 413, 415, 422, 431],
  },
  { code: 3, meaning: 'The key or the address of the page is refused.', statuses: [401, 403] },
  { code: 4, meaning: 'The session or file does not exist.', statuses: [404] },
  {
    code: 5,
    meaning: 'The action cannot be performed now; the new list is printed if the failure has one.',
    statuses: [409],
  },
  { code: 6, meaning: 'The session has ended.', statuses: [410] },
  { code: 7, meaning: 'A limit is reached: requests, sessions, quota or balance.', statuses: [402, 429] },
  { code: 8, meaning: 'The page failed: it does not load, or its browser crashed.', statuses: [502, 504] },
  {
    code: 9,
    meaning: 'The service cannot be reached, or cannot take the request now.',
    statuses: [408, 503, 507],
    others: ['CONNECTION_FAILED', 'CLIENT_TIMEOUT'],
  },
];

export function exitCodeOf(code: string): number {
  const status = Object.hasOwn(FAILURES, code) ? FAILURES[code as FailureCode].status : null;
  const row = EXIT_CODES.find(
    ({ statuses, others }) => (status !== null && statuses.includes(status)) || others?.includes(code),
  );
  return row?.code ?? 1;
}

/** Returns the exit codes as a Markdown table, for docs/clients.md; docs/failures.md has the code of each failure. */
export function exitCodeTable(): string {
  const rows = EXIT_CODES.map(({ code, meaning, others = [] }) => {
    const own = others.map(name => `\`${name}\``).join(', ');
    return `| ${code} | ${meaning}${own === '' ? '' : ` Also ${own}.`} |`;
  });
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n');
}
