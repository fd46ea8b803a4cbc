/** Returns the parts of an action that `space.markdown` shows, by docs/contract.md. */
import type { Action } from '../../src/domain/space/action.ts';
import { quote } from '../../src/domain/space/pageText.ts';
import type { ParsedAction } from './parseSpaceMarkdown.ts';

type Shown = Omit<ParsedAction, 'category' | 'context' | 'name'>;

/**
 * Returns the parts of an action that every line has. Its section and its context are compared with `isSameWords`, its name
 * with `isShownName`.
 */
export function shownAction({ id, description, status, params }: Action): Shown {
  const values = params
    .filter(({ type }) => type !== 'boolean')
    .flatMap(param => param.values ?? [])
    .map(value => quote(value).slice(1, -1));
  return {
    id,
    description: shownDescription(description),
    status: status === 'valid' || status === 'excluded' ? null : status,
    takesFile: params.some(({ type }) => type === 'file'),
    values: values.length === 0 ? null : values,
  };
}

/** Returns true if two texts are the same, as far as neither is cut. */
export function isSameWords(a: string, b: string): boolean {
  const isCut = (short: string, long: string) => short.endsWith('…') && long.startsWith(short.slice(0, -1));
  return a === b || isCut(a, b) || isCut(b, a);
}

/** Returns true if one of two texts contains the other, as far as neither is cut. */
export function isInOneBox(a: string, b: string): boolean {
  const [short, long] = [a, b].map(text => text.replace(/…$/, '')).sort((x, y) => x.length - y.length);
  return isSameWords(a, b) || long?.includes(short ?? '') === true;
}

/** Returns the name in a description; null for none. */
export function nameOf(description: string): string | null {
  const [first] = partsOf(description);
  return first === undefined || first.own.includes(',') ? null : first.quoted;
}

/** Returns true if a line may show a name so: cut, or without words that the name has twice. */
export function isShownName(shown: string | null, name: string | null): boolean {
  if (shown === null || name === null) return shown === name;
  if (`${shown} ${shown}` === name) return true;
  let at = 0;
  return shown.split('…').every((piece, index, pieces) => {
    const found =
      index === pieces.length - 1 && piece !== '' ? name.lastIndexOf(piece) : name.indexOf(piece, at);
    const isPlaced = index === 0 ? found === 0 : found >= at;
    at = found + piece.length;
    return isPlaced && (index < pieces.length - 1 || piece === '' || at === name.length);
  });
}

/** Returns the context that a description ends with; null for none. */
export const contextOf = (description: string): string | null =>
  partsOf(description).find(({ own }) => own.endsWith(', in '))?.quoted ?? null;

/** Divides a text into own words, each with the quotation after them. */
function partsOf(text: string): { own: string; quoted: string | null }[] {
  const pieces = text.split('"');
  return Array.from({ length: Math.ceil(pieces.length / 2) }, (_, index) => ({
    own: pieces[index * 2] ?? '',
    quoted: pieces[index * 2 + 1] ?? null,
  }));
}

function shownDescription(description: string): string {
  const parts = partsOf(description);
  const place = parts.findIndex(({ own }) => own.endsWith(', in '));
  return parts
    .map(({ own, quoted }, index) => {
      const words = own.replace(/, not checked(?=,|$)/, '').replace(/, \d+(?:st|nd|rd|th) of \d+(?=,|$)/, '');
      if (index === place) return words.slice(0, -', in '.length);
      if (quoted === null) return words;
      const isName = index === 0 && !own.includes(',');
      return isName ? words : `${words}"${quoted}"`;
    })
    .join('');
}
