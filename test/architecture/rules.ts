/** Who may import whom: the table of rooms and the one of packages, and what breaks them. */
import type { Import, Sources } from './imports.ts';

interface FolderRule {
  /** A folder or file, relative to src/. The longest that fits a path is its room. */
  readonly path: string;
  /** Rooms, or single files, that it may import beside itself. */
  readonly mayImport: readonly string[];
  /** Beside these, what only types are taken from: a shape costs nothing at run time. */
  readonly mayImportTypesOf?: readonly string[];
}

/** ARCHITECTURE's table. `main` wires: it may import all. */
export const FOLDERS: readonly FolderRule[] = [
  { path: 'async', mayImport: [] },
  { path: 'domain', mayImport: [] },
  { path: 'config', mayImport: [] },
  { path: 'log.ts', mayImport: ['config'] },
  { path: 'browser', mayImport: ['async', 'domain'], mayImportTypesOf: ['config', 'log.ts'] },
  { path: 'store', mayImport: ['domain'] },
  { path: 'bus', mayImport: ['domain'] },
  { path: 'limiter', mayImport: ['domain'] },
  { path: 'wallet', mayImport: ['domain'] },
  { path: 'service', mayImport: ['async', 'domain'], mayImportTypesOf: ['config', 'log.ts'] },
  // The doors know the service by its verbs alone: a shape.
  {
    path: 'api',
    mayImport: ['async', 'domain', 'api/graphql', 'api/rest'],
    mayImportTypesOf: ['service/pagespace.ts', 'config', 'log.ts'],
  },
  { path: 'api/graphql', mayImport: ['domain', 'service', 'api'] },
  { path: 'api/rest', mayImport: ['domain', 'api', 'api/graphql'] },
  { path: 'web', mayImport: [] },
  { path: 'setup', mayImport: ['domain', 'config', 'browser/launch/findChromium.ts', 'api/graphql'] },
  { path: 'demo', mayImport: ['domain', 'config', 'log.ts', 'api/graphql/generated'] },
  { path: 'main', mayImport: ['*'] },
  { path: 'main.ts', mayImport: ['*'] },
];

/** Each package with the rooms that may use it; `*` for all. A package that is not here is in the wrong room. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  zod: ['*'],
  kysely: ['store'],
  'node:sqlite': ['store'],
  playwright: ['browser'],
  'playwright-core': ['browser'],
  'ipaddr.js': ['browser', 'api'],
  socks: ['browser'],
  'lru-cache': ['browser', 'service', 'store', 'api'],
  'rate-limiter-flexible': ['limiter'],
  viem: ['wallet'],
  mdream: ['browser'],
  unpdf: ['browser'],
  dompurify: ['browser'],
  '@mozilla/readability': ['browser'],
  graphql: ['api', 'setup', 'demo'],
  'graphql-yoga': ['api'],
  'graphql-ws': ['api', 'demo'],
  'graphql-request': ['demo', 'main'],
  '@graphql-typed-document-node/core': ['api', 'demo'],
  '@graphql-yoga/render-graphiql': ['api'],
  '@pothos/core': ['api'],
  '@pothos/plugin-complexity': ['api'],
  '@pothos/plugin-dataloader': ['api'],
  '@pothos/plugin-relay': ['api'],
  '@pothos/plugin-scope-auth': ['api'],
  '@pothos/plugin-zod': ['api'],
  dataloader: ['api'],
  ws: ['api', 'demo'],
  'prom-client': ['api'],
  'node:http': ['api', 'browser', 'demo'],
  pino: ['log.ts'],
  'pino-pretty': ['log.ts'],
  'fastest-levenshtein': ['config'],
  commander: ['main.ts'],
  picocolors: ['main', 'demo', 'setup'],
  esbuild: ['setup'],
};

/** Packages whose types alone may be named anywhere. */
const TYPES_ANYWHERE = ['pino'];

const isUnder = (path: string, under: string) => path === under || path.startsWith(`${under}/`);

function folderOf(path: string): FolderRule | undefined {
  return FOLDERS.filter(room => isUnder(path, room.path)).toSorted(
    (a, b) => b.path.length - a.path.length,
  )[0];
}

/** Files that lie in no room. */
export const filesOutsideFolders = (paths: Iterable<string>): string[] =>
  [...paths].filter(path => folderOf(path) === undefined).map(path => `${path} lies in no room`);

/** A file past this many lines is two things. */
const MAX_LINES = 300;

/** Files that are longer than the rule allows. */
export const tooLong = (sources: Sources): string[] =>
  [...sources]
    .map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines`);

/** Imports of files against the table of rooms. */
export function forbiddenImports(imports: readonly Import[]): string[] {
  return imports
    .filter(each => !each.isPackage && !importIsAllowed(each))
    .map(({ from, to }) => `${from} → ${to}`);
}

function importIsAllowed({ from, to, typeOnly }: Import): boolean {
  const room = folderOf(from);
  const target = folderOf(to);
  if (room === undefined || target === undefined) return false;
  if (target === room || room.mayImport.includes('*')) return true;
  const allowed = [...room.mayImport, ...(typeOnly ? (room.mayImportTypesOf ?? []) : [])];
  // A room's name stands for the room, not for rooms inside it; a file's name for that file.
  return (
    allowed.includes(target.path) ||
    allowed.some(path => isUnder(to, path) && path !== target.path && !isFolderRule(path))
  );
}

const isFolderRule = (path: string): boolean => FOLDERS.some(room => room.path === path);

/** Packages against the table of packages. The domain's purity is checked here too: it may use zod and nothing of Node. */
export function forbiddenPackages(imports: readonly Import[]): string[] {
  return imports
    .filter(each => each.isPackage && !packageIsAllowed(each))
    .map(({ from, to }) => `${from} → ${to}`);
}

function packageIsAllowed({ from, to, typeOnly }: Import): boolean {
  if (typeOnly && TYPES_ANYWHERE.includes(to)) return true;
  const rooms = PACKAGES[to] ?? (to.startsWith('node:') ? ['*'] : []);
  if (to.startsWith('node:') && isUnder(from, 'domain')) return false;
  return rooms.some(room => room === '*' || isUnder(from, room));
}

/** Circles of imports that stand at run time, each named once, beginning with its first file by name. */
export function importCircles(imports: readonly Import[]): string[] {
  const standing = imports.filter(each => !each.isPackage && !each.typeOnly);
  const next = Map.groupBy(standing, each => each.from);
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const seenAt = path.indexOf(file);
    if (seenAt >= 0) {
      found.add(canonicalCircle(path.slice(seenAt)));
      return;
    }
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return [...found];
}

function canonicalCircle(circle: readonly string[]): string {
  const first = circle.indexOf([...circle].toSorted()[0] ?? '');
  const turned = [...circle.slice(first), ...circle.slice(0, first)];
  return [...turned, turned[0]].join(' → ');
}
