/** Computes the positions of elements that form a grid on the screen: a board, a calendar. */
import type { Reachability } from '../reach/reachability.ts';

export interface BoxedElement {
  readonly reachability: Reachability;
}

const MIN_GROUP_SIZE = 4;
const MAX_GROUP_SIZE = 900;
/** Maximum number of grid cells per element of the group: with more cells, too many are empty for a grid. */
const MAX_CELLS_PER_ELEMENT = 1.5;

/** Returns `row 2, column 3` for each element if the boxes of the group fill a grid on the screen; null if they do not. */
export function gridPositions(group: readonly BoxedElement[]): string[] | null {
  if (group.length < MIN_GROUP_SIZE || group.length > MAX_GROUP_SIZE) return null;
  const rows = clusterPositions(group.map(centerY));
  const columns = clusterPositions(group.map(centerX));
  if (rows.length < 2 || columns.length < 2) return null;
  if (rows.length * columns.length > group.length * MAX_CELLS_PER_ELEMENT) return null;
  return group.map(
    element =>
      `row ${clusterIndex(rows, centerY(element))}, column ${clusterIndex(columns, centerX(element))}`,
  );
}

const centerX = ({ reachability: { box } }: BoxedElement): number => (box.left + box.right) / 2;
const centerY = ({ reachability: { box } }: BoxedElement): number => (box.top + box.bottom) / 2;

/** Centers closer than this are in the same row or column. CSS pixels. */
const SAME_LINE_PX = 4;

function clusterPositions(centers: readonly number[]): number[] {
  const lines: number[] = [];
  for (const center of [...centers].sort((a, b) => a - b)) {
    const last = lines.at(-1);
    if (last === undefined || center - last > SAME_LINE_PX) lines.push(center);
  }
  return lines;
}

/** Returns the number of the row or column that this center is in, starting at 1. */
const clusterIndex = (lines: readonly number[], center: number): number =>
  lines.findIndex(line => Math.abs(line - center) <= SAME_LINE_PX) + 1;
