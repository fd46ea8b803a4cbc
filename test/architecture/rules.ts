/** Finds what the tables of folders.ts and packages.ts do not allow. */
import type { FolderRule } from './folderRule.ts';
import { FOLDERS } from './folders.ts';
import type { Import, Sources } from './imports.ts';
import { PACKAGES, TYPES_ANYWHERE, WITHOUT_NODE } from './packages.ts';

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The longest rule that matches. */
const folderOf = (path: string): FolderRule | undefined =>
  FOLDERS.filter(folder => isUnder(path, folder.path)).toSorted((a, b) => b.path.length - a.path.length)[0];

/** Files that belong to no folder of the table. */
export const filesOutsideFolders = (paths: Iterable<string>): string[] =>
  [...paths].filter(path => folderOf(path) === undefined).map(path => `${path} is in no folder of the table`);

/** A longer file holds more than one idea, or says in its head why it does not. */
const MAX_LINES = 500;

export const tooLong = (sources: Sources): string[] =>
  [...sources]
    .map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines`);

/** Imports of files that the table does not allow, as `from → to`. */
export function forbiddenImports(imports: readonly Import[]): string[] {
  const forbidden = imports.filter(each => !each.isPackage && !importIsAllowed(each));
  return [...new Set(forbidden.map(({ from, to }) => `${from} → ${to}`))];
}

function importIsAllowed({ from, to, typeOnly }: Import): boolean {
  const folder = folderOf(from);
  const target = folderOf(to);
  if (folder === undefined || target === undefined) return false;
  if (target === folder || folder.mayImport.includes('*')) return true;
  const allowed = [...folder.mayImport, ...(typeOnly ? (folder.mayImportTypesOf ?? []) : [])];
  return allowed.includes(target.path) || allowed.includes(to);
}

/** Imports of packages that the table does not allow, as `from → package`. */
export function forbiddenPackages(imports: readonly Import[]): string[] {
  return imports
    .filter(each => each.isPackage && !packageIsAllowed(each))
    .map(({ from, to }) => `${from} → ${to}`);
}

function packageIsAllowed({ from, to, typeOnly }: Import): boolean {
  if (typeOnly && TYPES_ANYWHERE.includes(to)) return true;
  const isNode = to.startsWith('node:');
  if (isNode && WITHOUT_NODE.some(folder => isUnder(from, folder))) return false;
  const folders = PACKAGES[to] ?? (isNode ? ['*'] : []);
  return folders.some(folder => folder === '*' || isUnder(from, folder));
}

/** Circular imports, type-only ones included. Each circle is listed once and starts with its first file by name. */
export function importCircles(imports: readonly Import[]): string[] {
  const next = Map.groupBy(
    imports.filter(each => !each.isPackage),
    each => each.from,
  );
  const circles = new Set<string>();
  const finished = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const seenAt = path.indexOf(file);
    if (seenAt >= 0) {
      circles.add(canonicalCircle(path.slice(seenAt)));
      return;
    }
    if (finished.has(file)) return;
    for (const { to } of next.get(file) ?? []) walk(to, [...path, file]);
    finished.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return [...circles];
}

function canonicalCircle(circle: readonly string[]): string {
  const first = circle.indexOf([...circle].toSorted()[0] ?? '');
  const rotated = [...circle.slice(first), ...circle.slice(0, first)];
  return [...rotated, rotated[0]].join(' → ');
}
