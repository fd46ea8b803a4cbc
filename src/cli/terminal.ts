/** Prints the results of commands: text with colours on a terminal, JSON for programs. */
import pc from 'picocolors';
import { terminalJson, terminalText } from '../domain/terminalText.ts';

/** Prints text, without sequences that a terminal obeys. */
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
