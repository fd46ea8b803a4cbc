/** Parses ids of elements (`B1`), and points of elements (`B1@10,20`), in the value of an action. */
import type { Point } from './geometry.ts';

/** Matches the id of an element, `B1`, or a point of it, `B1@10,20`: CSS pixels from its top left corner. */
const TARGET_PATTERN = /([LBI]\d+)(?:\s*@\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?))?/gi;
const SINGLE_TARGET_PATTERN = new RegExp(`^${TARGET_PATTERN.source}$`, 'i');

export interface PointerTarget {
  readonly id: string;
  readonly position?: Point;
}

/** Returns all ids of elements (`B1`) and points of elements (`B1@10,20`) in a text, in order. */
export function parsePointerTargets(text: string): readonly PointerTarget[] {
  return [...text.matchAll(TARGET_PATTERN)].map(([, id = '', x, y]) => ({
    id: id.toUpperCase(),
    ...(x !== undefined && y !== undefined && { position: { x: Number(x), y: Number(y) } }),
  }));
}

/** Parses a text that is one id (`B1`) or one point of an element (`B1@10,20`); null for any other text. */
export const parseSinglePointerTarget = (text: string): PointerTarget | null =>
  SINGLE_TARGET_PATTERN.test(text) ? (parsePointerTargets(text)[0] ?? null) : null;
