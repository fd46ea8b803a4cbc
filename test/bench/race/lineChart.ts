import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

/** A point of a curve: both numbers above 0, because both axes are logarithmic. */
export type Point = readonly [x: number, y: number];

/** One curve. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** A chart of curves on logarithmic axes. */
export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const WIDTH = 640;
const HEIGHT = 380;
const MARGIN = { top: 48, right: 150, bottom: 48, left: 64 };
/** Colours that differ for colour-blind readers too (Okabe and Ito), with marks of different shapes. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

/** Minimum distance of the names of two curves. */
const LABEL_HEIGHT = 15;

/** Draws the chart as an SVG document. */
export function lineChart({ title, xLabel, yLabel, series }: LineChart): string {
  const all = series.flatMap(({ points }) => points);
  const scale = (values: readonly number[], range: [number, number]) =>
    scaleLog([Math.min(...values) * 0.8, Math.max(...values) * 1.25], range);
  const x = scale(
    all.map(([value]) => value),
    [MARGIN.left, WIDTH - MARGIN.right],
  );
  const y = scale(
    all.map(([, value]) => value),
    [HEIGHT - MARGIN.bottom, MARGIN.top],
  );
  const path = line<Point>(
    ([value]) => x(value),
    ([, value]) => y(value),
  );
  const text = (at: Point, words: string, more = ''): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${xmlText(words)}</text>`;
  const ticks = [...new Set(all.map(([value]) => value))].map(value =>
    text([x(value), HEIGHT - MARGIN.bottom + 18], value.toLocaleString('en'), 'text-anchor="middle"'),
  );
  const levels = y.ticks(5).filter(value => /^[125]/.test(String(value).replace(/^0\.0*/, '')));
  const grid = levels.map(
    value =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#d0d0d0"/>` +
      text([MARGIN.left - 8, y(value) + 4], value.toLocaleString('en'), 'text-anchor="end"'),
  );
  const heights = apart(series.map(({ points }) => y(points.at(-1)?.[1] ?? 1) + 4));
  const curves = series.map(({ name, points }, nth) => {
    const color = COLORS[nth % COLORS.length] ?? '#000';
    const marks = points.map(point => mark([x(point[0]), y(point[1])], nth, color)).join('');
    const [lastX] = points.at(-1) ?? [1, 1];
    const label = text([x(lastX) + 12, heights[nth] ?? 0], name, `fill="${color}"`);
    return `<path d="${path([...points]) ?? ''}" fill="none" stroke="${color}" stroke-width="2"/>${marks}${label}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333" role="img">`,
    `<title>${xmlText(title)}</title><rect width="100%" height="100%" fill="#fff"/>`,
    text([MARGIN.left, 22], title, 'font-size="15" font-weight="bold"'),
    text([MARGIN.left, 38], yLabel),
    text([(MARGIN.left + WIDTH - MARGIN.right) / 2, HEIGHT - 10], xLabel, 'text-anchor="middle"'),
    ...grid,
    ...ticks,
    ...curves,
    '</svg>\n',
  ].join('\n');
}

/** Moves labels down until none covers another. @param heights the y of each label; the result has the same order */
function apart(heights: readonly number[]): readonly number[] {
  const moved = [...heights];
  let free = Number.NEGATIVE_INFINITY;
  for (const nth of heights
    .keys()
    .toArray()
    .sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0))) {
    moved[nth] = Math.max(heights[nth] ?? 0, free);
    free = (moved[nth] ?? 0) + LABEL_HEIGHT;
  }
  return moved;
}

function mark([x, y]: Point, nth: number, color: string): string {
  const at = `fill="${color}"`;
  if (nth % 2 === 0) return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4" ${at}/>`;
  return `<rect x="${(x - 4).toFixed(1)}" y="${(y - 4).toFixed(1)}" width="8" height="8" ${at}/>`;
}

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
