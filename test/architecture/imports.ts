/** Every import of a tree of sources: static, type-only, re-exported, dynamic, and `import('…').Type`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

/** Path relative to src/ → source text. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  /** The importing file, relative to src/. */
  readonly from: string;
  /** A file relative to src/ (`../` where it lies outside), a `node:` module, or a package's name. */
  readonly to: string;
  /** Erased before the code runs. */
  readonly typeOnly: boolean;
  readonly isPackage: boolean;
}

/** The hand-written sources in src/, or in another folder of the repository. */
export function readSources(folder = 'src'): Sources {
  const root = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/generated/'));
  return new Map(files.map(path => [path, readFileSync(join(root, path), 'utf8')]));
}

/** @throws Error for a file that does not parse, or an import whose target is not a literal */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    requests(from, text).map(({ specifier, typeOnly }) => {
      const isPackage = !specifier.startsWith('.');
      const to = isPackage ? packageName(specifier) : posix.join(posix.dirname(from), specifier);
      return { from, to, typeOnly, isPackage };
    }),
  );
}

function requests(from: string, text: string): { specifier: string; typeOnly: boolean }[] {
  const { program, errors } = parseSync(from, text, { sourceType: 'module' });
  if (errors[0] !== undefined) throw new Error(`${from}: ${errors[0].message}`);
  const found: { specifier: string; typeOnly: boolean }[] = [];
  const add = (specifier: string, typeOnly: boolean) => found.push({ specifier, typeOnly });
  new Visitor({
    ImportDeclaration(node) {
      const each = node.specifiers.map(
        specifier => specifier.type === 'ImportSpecifier' && specifier.importKind === 'type',
      );
      add(node.source.value, node.importKind === 'type' || (each.length > 0 && each.every(Boolean)));
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.exportKind === 'type');
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) add(node.source.value, node.exportKind === 'type');
    },
    TSImportType(node) {
      add(node.source.value, true);
    },
    ImportExpression(node) {
      if (node.source.type !== 'Literal' || typeof node.source.value !== 'string')
        throw new Error(`${from}: the target of an import is not a literal`);
      add(node.source.value, false);
    },
  }).visit(program);
  return found;
}

const packageName = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
