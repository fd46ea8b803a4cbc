/**
 * Draws docs/architecture.svg from the table of folders: `npm run architecture` writes it, and a test fails when it is stale. A folder
 * that belongs to no box is an error, so the picture cannot leave out a module.
 */
import { writeFileSync } from 'node:fs';
import { FOLDERS } from './folders.ts';

/** A box of the picture: the folders in it, and the technology behind it. */
interface Box {
  readonly name: string;
  readonly what: string;
  /** Folders of src/, with all below them. The longest match of all boxes counts. */
  readonly folders: readonly string[];
}

/** The rows of the picture, from callers to engines. */
const ROWS: readonly (readonly Box[])[] = [
  [
    { name: 'client', what: '@pagespace/client, no packages', folders: ['client'] },
    { name: 'cli', what: 'commands that call a service', folders: ['cli'] },
    { name: 'web', what: 'scripts of pages for people', folders: ['web'] },
    { name: 'demo', what: 'the demo, the practice shop', folders: ['demo'] },
  ],
  [
    { name: 'api/mcp', what: 'tools and resources', folders: ['api/mcp'] },
    { name: 'api/graphql', what: 'Pothos, Yoga, graphql-ws', folders: ['api/graphql'] },
    { name: 'api/rest', what: 'routes, OpenAPI', folders: ['api/rest'] },
    { name: 'api/pages', what: 'home, manual, GraphiQL', folders: ['api/pages'] },
    { name: 'api', what: 'node:http, keys, metrics', folders: ['api'] },
  ],
  [{ name: 'operations', what: 'each operation once, for every way in', folders: ['operations'] }],
  [
    {
      name: 'service',
      what: 'sessions in order, accounts, billing, the cluster of nodes',
      folders: ['service'],
    },
  ],
  [
    { name: 'browser', what: 'Chromium, Playwright', folders: ['browser'] },
    { name: 'store', what: 'SQLite or PostgreSQL', folders: ['store'] },
    { name: 'bus', what: 'memory, NATS, nodes', folders: ['bus'] },
    { name: 'wallet', what: 'sign-in messages', folders: ['wallet'] },
    { name: 'telemetry', what: 'Prometheus, traces', folders: ['telemetry'] },
  ],
  [
    {
      name: 'domain',
      what: 'values, unions, failures, ports; async, config and log beside it',
      folders: ['domain', 'async', 'config', 'log.ts', 'version.ts'],
    },
  ],
];
/** The code that connects everything, and what npm scripts do before: drawn as a frame, not with lines. */
const FRAME: Box = {
  name: 'main',
  what: 'the only place that connects the modules; setup: what npm scripts do before',
  folders: ['main', 'main.ts', 'setup'],
};
/** Drawn at the bottom and used by all: without lines. */
const GROUND = 'domain';
/** The boxes that the service calls through the ports of the domain. */
const BEHIND_PORTS = new Set(ROWS[4]?.map(({ name }) => name).filter(name => name !== 'telemetry'));

const WIDTH = 1000;
const BOX_HEIGHT = 50;
const ROW_STEP = 98;
const TOP = 62;
const MARGIN = 28;
const GAP = 14;

const boxes = [...ROWS.flat(), FRAME];
const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Returns the name of the box of a folder. @throws Error when it has none */
function boxOf(path: string): string {
  const matches = boxes.flatMap(({ name, folders }) =>
    folders.filter(folder => isIn(path, folder)).map(folder => ({ name, length: folder.length })),
  );
  const best = matches.toSorted((a, b) => b.length - a.length)[0];
  if (best === undefined) throw new Error(`src/${path} belongs to no box of docs/architecture.svg.`);
  return best.name;
}

/** Returns the pairs of boxes of which the first imports the second. */
function imports(): [string, string][] {
  const found = new Map<string, [string, string]>();
  for (const { path, mayImport, mayImportTypesOf = [] } of FOLDERS)
    for (const target of [...mayImport, ...mayImportTypesOf]) {
      const from = boxOf(path);
      if (from === FRAME.name || target === '*') continue;
      const to = boxOf(target);
      // The boxes of the API are parts of one module.
      if (isIn(from, 'api') && isIn(to, 'api')) continue;
      if (from !== to && to !== GROUND) found.set(`${from} ${to}`, [from, to]);
    }
  return [...found.values()];
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const places = new Map<string, Place>(
  ROWS.flatMap((row, index) => {
    const width = (WIDTH - 2 * MARGIN - GAP * (row.length - 1)) / row.length;
    return row.map(
      ({ name }, column) =>
        [name, { x: MARGIN + column * (width + GAP), y: TOP + index * ROW_STEP, width }] as const,
    );
  }),
);

function line(from: string, to: string, kind: string): string {
  const a = places.get(from);
  const b = places.get(to);
  if (a === undefined || b === undefined) throw new Error(`${from} or ${to} has no place.`);
  const middle = (place: Place): number => place.x + place.width / 2;
  // Where a wide box meets a narrow one, the line is straight down.
  const x1 = a.width > b.width ? clamp(middle(b), a) : middle(a);
  const x2 = b.width > a.width ? clamp(middle(a), b) : middle(b);
  if (a.y === b.y) {
    const side = a.x < b.x ? 1 : -1;
    const start = side > 0 ? a.x + a.width : a.x;
    const end = side > 0 ? b.x : b.x + b.width;
    const bend = Math.abs(end - start) > GAP + 1 ? -BOX_HEIGHT / 2 - 14 : 0;
    const y = a.y + BOX_HEIGHT / 2 + (bend === 0 ? 8 * side : bend);
    if (bend === 0) return path(`M${n(start)} ${n(y)}H${n(end - 3 * side)}`, kind);
    return path(`M${n(middle(a))} ${a.y}V${n(y)}H${n(middle(b) - 8 * side)}V${b.y - 3}`, kind);
  }
  const down = a.y < b.y;
  const y1 = down ? a.y + BOX_HEIGHT : a.y;
  const y2 = down ? b.y - 4 : b.y + BOX_HEIGHT + 4;
  return path(`M${n(x1)} ${y1}L${n(x2)} ${y2}`, kind);
}

const n = (value: number): string => value.toFixed(0);
const clamp = (x: number, { x: left, width }: Place): number =>
  Math.min(left + width - 20, Math.max(left + 20, x));
const path = (d: string, kind: string): string =>
  `  <path class="line ${kind}" d="${d}" marker-end="url(#tip)"/>`;
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function boxSvg({ name, what }: Box): string {
  const place = places.get(name);
  if (place === undefined) throw new Error(`${name} has no place.`);
  const { x, y, width } = place;
  const at = n(x + width / 2);
  return `  <rect class="${name === 'service' || name === 'operations' ? 'core' : 'room'}" x="${n(x)}" y="${y}" width="${n(width)}" height="${BOX_HEIGHT}" rx="7"/>
  <text class="name" x="${at}" y="${y + 21}">${escapeXml(name)}</text><text class="what" x="${at}" y="${y + 39}">${escapeXml(what)}</text>`;
}

/** Returns the picture. @throws Error when a folder of the table belongs to no box */
export function drawArchitecture(): string {
  for (const { path: folder } of FOLDERS) boxOf(folder);
  const height = TOP + (ROWS.length - 1) * ROW_STEP + BOX_HEIGHT + 46;
  const direct = imports().map(([from, to]) => line(from, to, ''));
  const ports = [...BEHIND_PORTS].map(name => line('service', name, 'port'));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">
  <title id="title">The modules of pagespace</title>
  <desc id="desc">${escapeXml(
    imports()
      .map(([from, to]) => `${from} imports ${to}`)
      .join('; '),
  )}. The service calls ${[...BEHIND_PORTS].join(', ')} through the ports of the domain.</desc>
  <style>
    .ground { fill: #fbfbf9; stroke: #d3d8d1 } .room { fill: #fff; stroke: #aab4b0 } .core { fill: #e6f2ee; stroke: #0b6b58 }
    .name { fill: #1d2430; font-size: 15px; font-weight: 650; text-anchor: middle } .what { fill: #4d5869; font-size: 11.5px; text-anchor: middle }
    .note { fill: #4d5869; font-size: 12px } .line { stroke: #6a7686; fill: none; stroke-width: 1.3 } .port { stroke-dasharray: 5 4 } .tip { fill: #6a7686 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #14181f; stroke: #2d3542 } .room { fill: #1d232d; stroke: #4a5566 } .core { fill: #15312b; stroke: #5fd0b4 }
      .name { fill: #e4e8ef } .what, .note { fill: #aab4c3 } .line { stroke: #8693a5 } .tip { fill: #8693a5 }
    }
  </style>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
  <rect class="ground" x="6" y="6" width="${WIDTH - 12}" height="${height - 12}" rx="10"/>
  <text class="note" x="${MARGIN}" y="32">main, around all: ${escapeXml(FRAME.what)}</text>
${[...direct, ...ports].join('\n')}
${ROWS.flat().map(boxSvg).join('\n')}
  <text class="note" x="${MARGIN}" y="${height - 20}">Lines: imports. Dashed: calls through the ports of the domain. Every module uses the domain, which uses none.</text>
</svg>
`;
}

if (import.meta.main)
  writeFileSync(new URL('../../docs/architecture.svg', import.meta.url), drawArchitecture());
