/** Parses elements, and points of elements, in the value of an action. */
import type { Point } from './geometry.ts';

/** `B1`, or a point of the element: `B1@10,20`, in pixels from its top left corner. */
const TARGET_PATTERN = /([LBI]\d+)(?:\s*@\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?))?/gi;
const SINGLE_TARGET_PATTERN = new RegExp(`^${TARGET_PATTERN.source}$`, 'i');

export interface PointerTarget {
  readonly id: string;
  readonly position?: Point;
}

/** Returns all elements and points in a text, in order. */
export function parsePointerTargets(text: string): readonly PointerTarget[] {
  return [...text.matchAll(TARGET_PATTERN)].map(([, id = '', x, y]) => ({
    id: id.toUpperCase(),
    ...(x !== undefined && y !== undefined && { position: { x: Number(x), y: Number(y) } }),
  }));
}

/** Returns the element or point, if the text contains nothing else; null for any other text. */
export const parseSinglePointerTarget = (text: string): PointerTarget | null =>
  SINGLE_TARGET_PATTERN.test(text) ? (parsePointerTargets(text)[0] ?? null) : null;
