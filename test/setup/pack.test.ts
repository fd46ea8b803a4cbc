import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** For npm on a busy machine. */
const MS = 180_000;

/** An empty folder in which a person has installed the tarball. */
let folder: string;
let packed: string[];
let product: TestProduct;
let shop: PracticeShop;

/** The Node that a person has: the system's, which may be older than the one of the service. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(each => !each.includes('node_modules'));
  return folders.map(each => join(each, 'node')).find(each => existsSync(each)) ?? process.execPath;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-pack-'));
  // Two packs at once would write the same files, and npm packs what it finds: this one is npm's own order of things.
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
  const report: unknown = JSON.parse(stdout);
  const [entry] = Array.isArray(report) ? report : Object.values(report as object);
  packed = entry.files.map(({ path }: { path: string }) => path);
  const own = join(folder, 'node_modules', 'pagespace');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, entry.filename), '-C', own, '--strip-components', '1']);
  linkProductionPackages(join(folder, 'node_modules'));
  product = await startTestProduct({ browser: 'chromium' });
  shop = await startPracticeShop();
}, MS);
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Links the packages that an install of the tarball brings: those that the lockfile does not mark as development. */
function linkProductionPackages(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const path of Object.keys(packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || packages[path].dev || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    symlinkSync(join(root, path), join(target, name));
  }
}

const pagespace = (args: readonly string[], env: Record<string, string> = {}) =>
  run(systemNode(), [join(folder, 'node_modules/pagespace/bin/pagespace.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });

describe('The npm package', () => {
  it('holds compiled JavaScript, the types of the client, the scripts for browsers, and nothing else', () => {
    const allowed =
      /^(LICENSE|README\.md|package\.json|bin\/pagespace\.mjs|dist\/(page|web)\/\w+\.js|lib\/.+\.js|lib\/client\/.+\.d\.ts)$/;
    expect(packed.filter(path => !allowed.test(path))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining([
        'bin/pagespace.mjs',
        'lib/main.js',
        'lib/client/main.d.ts',
        'dist/page/agent.js',
      ]),
    );
  });

  it('names its version, licence, repository, command and client', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/pagespace/package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'pagespace',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      license: 'Apache-2.0',
      repository: { type: 'git' },
      bin: { pagespace: 'bin/pagespace.mjs' },
      publishConfig: { provenance: true },
    });
    expect(manifest.private).toBeUndefined();
  });

  it('has a client that imports nothing but its own files', () => {
    const client = join(folder, 'node_modules/pagespace/lib/client');
    const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.js'),
    );
    const imports = files.flatMap(name => [
      ...readFileSync(join(client, name), 'utf8').matchAll(/\bfrom\s*"([^"]+)"/g),
    ]);
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.map(([, target]) => target).filter(target => !target?.startsWith('.'))).toEqual([]);
  });

  it("is the same command in a clone, on the system's Node, without compiled files", async () => {
    const { stdout } = await run(systemNode(), [join(root, 'bin/pagespace.mjs'), '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it(
    "runs on the system's Node: the command line drives a page of a running service",
    async () => {
      const env = { PAGESPACE_URL: product.url, PAGESPACE_API_KEY: product.key };
      expect((await pagespace(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect((await pagespace(['open', shop.url], env)).stdout).toContain('B2 "Add to basket"');
      expect((await pagespace(['do', 'B2'], env)).stdout).toContain('1 in the basket');
      expect((await pagespace(['close'], env)).stdout).toContain(', closed');
    },
    MS,
  );

  it("runs on the system's Node: the client", async () => {
    const program = `import { PagespaceClient } from 'pagespace/client';
      const client = new PagespaceClient({ url: '${product.url}', key: '${product.key}' });
      const session = await client.start();
      const page = await session.observe('${shop.url}');
      await session.close();
      for await (const event of session.events()) console.log(event.type);
      console.log(page.metadata.title);`;
    const { stdout } = await run(systemNode(), ['--input-type=module', '-e', program], { cwd: folder });
    expect(stdout).toBe('CREATED\nOBSERVED\nENDED\nAll papers · The Paper Shop\n');
  });

  it(
    'starts a service with a browser of its own, and shows the whole demo on its own site',
    async () => {
      const { stdout } = await pagespace(['demo'], {
        PAGESPACE_WARM_CONTEXTS: '0',
        ...(process.env.CHROMIUM_PATH !== undefined && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
        ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
      });
      const parts = stdout.match(/^(start|observe|step|scrape|close)(?= )/gm);
      expect(parts).toEqual(['start', 'observe', 'step', 'scrape', 'close']);
      expect(stdout).toContain('session closed');
    },
    MS,
  );

  it(
    'runs the examples of docs/clients.md, and its types accept them',
    async () => {
      writeFileSync(join(folder, 'example.mts'), examples());
      const { stdout } = await run(process.execPath, ['example.mts'], { cwd: folder });
      expect(stdout).toContain('1 in the basket · The Paper Shop');
      expect(stdout).toContain("{ heading: 'All papers' }");
      expect(stdout).toContain('ACTION_NOT_FOUND false');
      expect(stdout).toContain(`2 ${shop.url}`);
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2024',
        '--lib',
        'es2024,dom,dom.iterable,esnext.disposable',
      ];
      await run(process.execPath, [tsc, ...options, '--types', '', 'example.mts'], { cwd: folder });
    },
    MS,
  );
});

/** The TypeScript of docs/clients.md as one program: the imports and the client once, then one block for each example. */
function examples(): string {
  const text = readFileSync(join(root, 'docs/clients.md'), 'utf8');
  const [first = '', ...others] = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const withoutImports = others.map(code => code.replace(/^import .*$/gm, ''));
  const imports = "import { ActionStaleError, PagespaceError } from 'pagespace/client';\n";
  const program = imports + first + withoutImports.map(code => `{\n${code}}\n`).join('');
  return program
    .replaceAll('http://127.0.0.1:4000', product.url)
    .replaceAll('psk_…', product.key)
    .replaceAll('https://example.com/', shop.url);
}
