import { z } from 'zod';

const names = z.record(z.string(), z.string()).optional();
const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      /** The platforms of the package; set if it is a build of another package for one platform. */
      os: z.unknown().optional(),
      cpu: z.unknown().optional(),
      dependencies: names,
      optionalDependencies: names,
      peerDependencies: names,
      peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
    }),
  ),
});
export type PackageLock = z.infer<typeof lockShape>;
type LockedPackage = PackageLock['packages'][string];

/** Parses the text of package-lock.json. @throws SyntaxError or ZodError when the text is not such a file */
export const readLock = (text: string): PackageLock => lockShape.parse(JSON.parse(text));

/**
 * Licences (SPDX) that only require attribution, and the MPL, which also requires the source of its own files: packages are used as they are
 * published. A person must check a package with any other licence.
 */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'],
  ...['MIT-0', 'MPL-2.0', 'Python-2.0', 'Unlicense', 'Zlib'],
]);

/** The licences of most packages; the page names the packages of all others. */
const COMMON = new Set(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

const namesOf = (rows: readonly LicenceRow[]): string =>
  rows.map(({ name, version }) => `\`${name}\` ${version}`).join(', ');

/** Returns true if the service may use a package with this licence (an SPDX expression): with OR one allowed licence is enough, with AND all must be allowed. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/ OR /)
    .some(choice => choice.split(/ AND /).every(licence => ALLOWED.has(licence.trim())));

export interface LicenceRow {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; null if the package states no licence. */
  readonly licence: string | null;
}

/**
 * Returns every package that production needs, sorted by name, with its licence. A build of a package for one platform gets the licence of that
 * package if it states none itself, because the same author publishes both.
 */
export function productionLicences({ packages }: PackageLock): readonly LicenceRow[] {
  const rows = new Map<string, LicenceRow>();
  const walk = (path: string, user: LicenceRow | null): void => {
    const entry = packages[path];
    if (entry === undefined || rows.has(path)) return;
    const isBuild = (entry.os ?? entry.cpu) !== undefined;
    const licence = entry.license ?? (isBuild ? (user?.licence ?? null) : null);
    const name = entry.name ?? path.replace(/^.*node_modules\//, '');
    const row = { name, version: entry.version ?? '', licence };
    if (path !== '') rows.set(path, row);
    for (const needed of requiredPackages(entry)) walk(resolvePackagePath(packages, path, needed), row);
  };
  walk('', null);
  const unique = new Map([...rows.values()].map(row => [`${row.name} ${row.version}`, row]));
  return [...unique.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

// Do not use a locale: it differs between machines.
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function requiredPackages({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies ?? {});
  return [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...peers.filter(name => peerDependenciesMeta?.[name]?.optional !== true),
  ];
}

/** Returns the path where Node finds the package `name` when the package at `from` imports it: nested first, then outwards. */
function resolvePackagePath(packages: PackageLock['packages'], from: string, name: string): string {
  const inner = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (from === '' || packages[inner] !== undefined) return inner;
  return resolvePackagePath(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/** Returns the text of docs/licences.md. @throws Error that names each package whose licence is not allowed or not stated */
export function licencesPage(lock: PackageLock): string {
  const rows = productionLicences(lock);
  const faults = rows.filter(({ licence }) => licence === null || !isAllowed(licence));
  if (faults.length > 0) {
    const names = faults.map(
      ({ name, version, licence }) => `${name} ${version} (${licence ?? 'none stated'})`,
    );
    throw new Error(`Check the licences of these packages before you use them: ${names.join(', ')}.`);
  }
  const byLicence = [...Map.groupBy(rows, ({ licence }) => licence ?? '')].toSorted(
    ([a, { length: more }], [b, { length }]) => length - more || compare(a, b),
  );
  return `# Licences of the packages

Every package that \`npm ci --omit=dev\` can install, on any platform. pagespace itself is under Apache-2.0 (see LICENSE). \`npm run docs\` writes this page; \`npm run check\` fails when the page is stale, or when a package has a
licence that \`src/setup/licences.ts\` does not allow. Most packages contain the text of their licence; those of The Guild (\`@graphql-tools\`, \`@whatwg-node\`,
\`cross-inspect\`) only name it. \`npm sbom --omit=dev --sbom-format=cyclonedx\` (or \`spdx\`) lists each with its version and licence, without a network.

| Licence | Packages | |
|---|---|---|
${byLicence.map(([licence, group]) => `| ${licence} | ${group.length} | ${COMMON.has(licence) ? '' : namesOf(group)} |`).join('\n')}

Some packages contain code of other projects:

| Package | Contains | Named in |
|---|---|---|
| \`@graphql-yoga/render-graphiql\` | GraphiQL, React, Monaco (all MIT) and others | some in the comments of the bundle, the others nowhere |
| \`playwright\`, \`playwright-core\` | many packages | \`ThirdPartyNotices.txt\`, \`NOTICE\`, \`lib/*.LICENSE\` |
| \`unpdf\` | PDF.js (Apache-2.0) | its README |
| \`node-*\` | V8, OpenSSL, ICU and others | \`LICENSE\` |

\`dist/page\` contains Readability and DOMPurify, and \`dist/web\` the packages of the dashboard, which are among them. Of \`mediabunny\` (MPL-2.0) it serves the
published files, unchanged but bundled; their source is in \`node_modules/mediabunny/src\` and at https://github.com/Vanilagy/mediabunny. The lists of advertisers and
trackers that sessions block are data of \`third-party-web\` (MIT).

The browser is not among them: Playwright or the system installs Chromium, under the BSD licence and the licences of its parts
(\`chrome://credits\`). The image also contains Debian packages, among them Chromium and the fonts Liberation and Noto Color Emoji (SIL OFL 1.1). Each
has its licence in \`/usr/share/doc/<package>/copyright\`.
`;
}
