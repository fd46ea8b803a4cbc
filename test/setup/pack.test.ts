import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** For npm on a busy machine. */
const MS = 180_000;

/** A folder in which a person has installed the tarball of the server. */
let folder: string;
/** A folder in which a person has installed the tarball of the client. */
let project: string;
let product: TestProduct;
let shop: PracticeShop;

/** The Node that a person has: the system's, which may be older than the one of the service. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(each => !each.includes('node_modules'));
  return folders.map(each => join(each, 'node')).find(each => existsSync(each)) ?? process.execPath;
}

/** All files below a folder, without the packages in it. */
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry => relative(path, join(entry.parentPath, entry.name)));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-pack-'));
  project = mkdtempSync(join(tmpdir(), 'pagespace-client-'));
  await run(process.execPath, ['src/setup/pack.ts', folder], { cwd: root });
  const tarball = (name: string) =>
    join(folder, readdirSync(folder).find(each => each.startsWith(name)) ?? name);
  const own = join(folder, 'node_modules', 'pagespace');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['xzf', tarball('pagespace-0'), '-C', own, '--strip-components', '1']);
  linkProductionPackages(join(folder, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  const offline = { ...process.env, npm_config_offline: 'true', npm_config_cache: join(project, '.cache') };
  await run('npm', ['install', '--no-audit', tarball('pagespace-client-')], { cwd: project, env: offline });
  product = await startTestProduct({ browser: 'chromium' });
  shop = await startPracticeShop();
}, MS);
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  for (const each of [folder, project]) rmSync(each, { recursive: true, force: true });
});

/** Links the packages that an install of the tarball brings: those that the lockfile does not mark as development, without the Node of the clone. */
function linkProductionPackages(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const path of Object.keys(packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || packages[path].dev || !existsSync(join(root, path))) continue;
    if (/^node-\w+-\w+$/.test(name)) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    symlinkSync(join(root, path), join(target, name));
  }
}

const pagespace = (args: readonly string[], env: Record<string, string> = {}) =>
  run(process.execPath, [join(folder, 'node_modules/pagespace/bin/pagespace.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });

describe('The package of the server', () => {
  it('holds compiled JavaScript, the scripts for browsers, and nothing else', () => {
    const packed = filesIn(join(folder, 'node_modules/pagespace'));
    const allowed =
      /^(LICENSE|README\.md|package\.json|bin\/pagespace\.mjs|dist\/(page|web)\/\w+\.js|dist\/web\/dashboard\/[\w.-]+\.(js|css)|lib\/.+\.js)$/;
    expect(packed.filter(path => !allowed.test(path))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining(['bin/pagespace.mjs', 'lib/main.js', 'dist/page/agent.js']),
    );
  });

  it('names the address of the source in each file that holds code under the MPL', () => {
    const scripts = filesIn(join(folder, 'node_modules/pagespace/dist')).map(path =>
      readFileSync(join(folder, 'node_modules/pagespace/dist', path), 'utf8'),
    );
    const withMpl = scripts.filter(text => text.includes('mozilla.org/MPL') && text.includes('Vanilagy'));
    expect(withMpl).toHaveLength(1);
    for (const text of withMpl) expect(text).toContain('https://github.com/Vanilagy/mediabunny');
  });

  it('names its version, licence, repository and command, and brings no `node` into the project of its user', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/pagespace/package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'pagespace',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      license: 'Apache-2.0',
      repository: { type: 'git' },
      bin: { pagespace: 'bin/pagespace.mjs' },
      engines: { node: '>=24' },
      publishConfig: { provenance: true },
    });
    expect(manifest.optionalDependencies).toBeUndefined();
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const brought = Object.keys(manifest.dependencies).map(name => lock.packages[`node_modules/${name}`]);
    expect(brought.filter(({ bin = {} }) => Object.hasOwn(bin, 'node'))).toEqual([]);
  });

  it('says which Node it needs when an older one runs it', async () => {
    const old = systemNode();
    const { stdout } = await run(old, ['--version']);
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 24) return;
    const failed = await run(old, [join(folder, 'node_modules/pagespace/bin/pagespace.mjs'), '--version'], {
      cwd: folder,
    }).catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pagespace needs Node 24 or newer\./),
    });
  });

  it("is the same command in a clone, on the system's Node", async () => {
    const { stdout } = await run(systemNode(), [join(root, 'bin/pagespace.mjs'), '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('runs: the command line drives a page of a running service', async () => {
    const env = { PAGESPACE_URL: product.url, PAGESPACE_API_KEY: product.key };
    expect((await pagespace(['open', shop.url], env)).stdout).toContain('B2 "Add to basket"');
    expect((await pagespace(['do', 'B2'], env)).stdout).toContain('1 in the basket');
    expect((await pagespace(['close'], env)).stdout).toContain(', closed');
  });

  it(
    'starts a service with a browser of its own, and shows the whole demo in the practice shop',
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
});

describe('The package @pagespace/client', () => {
  it('is all that its install brings: a few files, no command, no other package', () => {
    const installed = filesIn(join(project, 'node_modules'));
    const own = installed.filter(path => path.startsWith('@pagespace/client/'));
    expect(installed.filter(path => !own.includes(path))).toEqual(['.package-lock.json']);
    expect(
      own.filter(path => !/\/(LICENSE|README\.md|package\.json|[\w/]+\.(js|d\.ts))$/.test(path)),
    ).toEqual([]);
    const bytes = own.map(path => statSync(join(project, 'node_modules', path)).size).reduce((a, b) => a + b);
    expect(bytes).toBeLessThan(300_000);
  });

  it('imports nothing but its own files', () => {
    const files = filesIn(join(project, 'node_modules/@pagespace/client')).filter(name =>
      name.endsWith('.js'),
    );
    const imports = files.flatMap(name => [
      ...readFileSync(join(project, 'node_modules/@pagespace/client', name), 'utf8').matchAll(
        /\bfrom\s*"([^"]+)"/g,
      ),
    ]);
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.map(([, target]) => target).filter(target => !target?.startsWith('.'))).toEqual([]);
  });

  it("runs on the system's Node", async () => {
    const program = `import { PagespaceClient } from '@pagespace/client';
      const client = new PagespaceClient({ url: '${product.url}', key: '${product.key}' });
      const session = await client.start();
      const page = await session.observe('${shop.url}');
      await session.close();
      for await (const event of session.events()) console.log(event.type);
      console.log(page.metadata.title);`;
    const { stdout } = await run(systemNode(), ['--input-type=module', '-e', program], { cwd: project });
    expect(stdout).toBe('CREATED\nOBSERVED\nENDED\nAll papers · The Paper Shop\n');
  });

  it(
    'runs the examples of docs/clients.md and of its README, and its types accept them',
    async () => {
      writeFileSync(join(project, 'example.mts'), examples('docs/clients.md'));
      writeFileSync(join(project, 'readme.mts'), examples('src/client/README.md'));
      const { stdout } = await run(process.execPath, ['example.mts'], { cwd: project });
      expect(stdout).toContain('1 in the basket · The Paper Shop');
      expect(stdout).toContain('All papers: Cotton, 300 g');
      expect(stdout).toContain('ACTION_NOT_FOUND false');
      expect(stdout).toContain(`2 ${shop.url}`);
      expect((await run(process.execPath, ['readme.mts'], { cwd: project })).stdout).toContain(
        'B2 "Add to basket"',
      );
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
      await run(process.execPath, [tsc, ...options, '--types', '', 'example.mts', 'readme.mts'], {
        cwd: project,
      });
    },
    MS,
  );
});

/** The TypeScript of a document as one program: the imports and the client once, then one block for each example. */
function examples(document: string): string {
  const text = readFileSync(join(root, document), 'utf8');
  const [first = '', ...others] = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const withoutImports = others.map(code => code.replace(/^import .*$/gm, ''));
  const imports = /ActionStaleError/.test(text)
    ? "import { ActionStaleError, PagespaceError } from '@pagespace/client';\n"
    : '';
  const program = imports + first + withoutImports.map(code => `{\n${code}}\n`).join('');
  return program
    .replaceAll('http://127.0.0.1:4000', product.url)
    .replaceAll('psk_…', product.key)
    .replaceAll('http://127.0.0.1:4001/', shop.url);
}
