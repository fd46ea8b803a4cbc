/** Parses where the pointer acts, in the value of an action: elements (`B1`), points of them (`B1@10,20`), points of the page (`@10,20`). */
import type { Point } from './geometry.ts';

/** The keys that can be held during a gesture, with Playwright's names. */
export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  alt: 'Alt',
  option: 'Alt',
  control: 'Control',
  ctrl: 'Control',
  meta: 'Meta',
  cmd: 'Meta',
  command: 'Meta',
  shift: 'Shift',
};

const POINT = '@\\s*(-?\\d+(?:\\.\\d+)?)\\s*[,;]\\s*(-?\\d+(?:\\.\\d+)?)';
const KEYS = `(?:(?:${Object.keys(MODIFIERS).join('|')})\\s*\\+\\s*)*`;
const TIME = '\\s+(\\d{1,2}:\\d\\d)\\b';
/** Matches the keys before a target, then `B1`, `B1@10,20`, `B1 10:30` or `@10,20`. */
const TARGET_PATTERN = new RegExp(`(${KEYS})(?:\\b([LBI]\\d+)(?:\\s*${POINT}|${TIME})?|${POINT})`, 'gi');
/** Matches what may stand between two targets, and around them. */
const SEPARATORS = /^(?:[\s,;>→-]|\bto\b)*$/i;

export interface PointerTarget {
  /** The id of the element; null for a point of the visible page. */
  readonly id: string | null;
  /** CSS pixels from the top left corner of the element, or of the visible page; absent for the middle of the element. */
  readonly position?: Point;
  /** The keys that are held meanwhile. */
  readonly modifiers: readonly Modifier[];
  /** The time of a day in a week view, such as `10:30`, at which the pointer acts; absent for any other target. */
  readonly time?: string;
  /** Words of the page, in the middle of which the pointer acts; absent for an element or a point. */
  readonly words?: string;
}

export function parsePointerTargets(text: string): readonly PointerTarget[] {
  return [...text.matchAll(TARGET_PATTERN)].map(toTarget);
}

export const hasOnlyTargets = (text: string): boolean => SEPARATORS.test(text.replace(TARGET_PATTERN, ' '));

/** Matches the keys before words of the page, then the words in straight or curly quotes. */
const WORDS_PATTERN = new RegExp(`^(${KEYS})["“”]([^"“”]+)["“”]`, 'i');

export function parseLeadingTarget(text: string): { target: PointerTarget; rest: string } | null {
  const trimmed = text.trim();
  const quoted = WORDS_PATTERN.exec(trimmed);
  if (quoted !== null) {
    const [all, keys = '', words = ''] = quoted;
    return {
      target: { id: null, modifiers: modifiersIn(keys), words },
      rest: trimmed.slice(all.length).trim(),
    };
  }
  const match = [...trimmed.matchAll(TARGET_PATTERN)][0];
  if (match === undefined || match.index !== 0) return null;
  return { target: toTarget(match), rest: trimmed.slice(match[0].length).trim() };
}

/** Matches `->` between targets, outside of quoted words. */
const ARROW = /\s*->\s*(?=(?:[^"“”]*["“”][^"“”]*["“”])*[^"“”]*$)/;

/** Returns the stops of a drag between quoted words and elements or points, in order; null for a text that has not both. */
export function parseStopsWithWords(text: string): readonly PointerTarget[] | null {
  const parts = text.split(ARROW).map(parseLeadingTarget);
  const stops = parts.flatMap(part => (part === null || part.rest !== '' ? [] : [part.target]));
  const words = stops.filter(isWords);
  return stops.length < parts.length || words.length === 0 || words.length === stops.length ? null : stops;
}

export const isWords = ({ words = '' }: PointerTarget): boolean =>
  words !== '' && parsePointerTargets(words).length === 0;

const modifiersIn = (keys: string): readonly Modifier[] => [
  ...new Set(
    keys
      .split('+')
      .map(key => MODIFIERS[key.trim().toLowerCase()])
      .filter(key => key !== undefined),
  ),
];

function toTarget([, keys = '', id, x, y, time, pageX, pageY]: RegExpMatchArray): PointerTarget {
  const [left, top] = [x ?? pageX, y ?? pageY];
  return {
    id: id?.toUpperCase() ?? null,
    modifiers: modifiersIn(keys),
    ...(time !== undefined && { time }),
    ...(left !== undefined && top !== undefined && { position: { x: Number(left), y: Number(top) } }),
  };
}
