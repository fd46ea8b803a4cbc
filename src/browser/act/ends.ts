/** Elements, and points of them, as a command's value names them. */
import type { Point } from './place.ts';

/** `B1`, or `B1@10,20`: a point of the element, in pixels from its top left corner. */
const END = /([LBI]\d+)(?:\s*@\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?))?/gi;
const ONE_END = new RegExp(`^${END.source}$`, 'i');
export interface End {
  readonly id: string;
  readonly position?: Point;
}

/** All that a text names, in its order. */
export function endsOf(text: string): readonly End[] {
  return [...text.matchAll(END)].map(([, id = '', x, y]) => ({
    id: id.toUpperCase(),
    ...(x !== undefined && y !== undefined && { position: { x: Number(x), y: Number(y) } }),
  }));
}

/** The one that a text names and nothing else; null for any other text. */
export const oneEnd = (text: string): End | null => (ONE_END.test(text) ? (endsOf(text)[0] ?? null) : null);
