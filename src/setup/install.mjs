/**
 * Brings a clone to where it can run, at the head of every npm script that needs it. Says nothing when there is nothing to do.
 * Plain JavaScript without packages: it runs first, on whatever Node (18 or newer) the system has.
 *
 * `--cli` needs the packages, `--serve` the in-page scripts and a browser as well, `--test` the development packages too.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_NODE_MAJOR = 24;
const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const mode = process.argv[2] ?? '--serve';
const pinnedNode = at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const notes = at('node_modules', '.cache', 'pagespace');
const browserNote = join(notes, 'browser');
const lockNote = join(notes, 'lock');

const tell = line => process.stderr.write(`pagespace: ${line}\n`);
const fail = line => {
  tell(line);
  process.exit(1);
};

if (!packagesAreInPlace()) installPackages();
else linkRuntime();
if (mode !== '--cli') {
  if (!builtIsFresh()) step('building the in-page scripts', nodeCommand(), [at('src', 'setup', 'build.ts')]);
  if (!browserIsThere()) runBrowserSetup();
}

/** Whether what npm put into node_modules is what package-lock.json asks for, package by package. */
function packagesAreInPlace() {
  try {
    const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(at('node_modules', '.package-lock.json'), 'utf8')).packages;
    // What a whole install could not bring for this platform, another would not bring either.
    const triedAll = existsSync(lockNote) && readFileSync(lockNote, 'utf8') === lockDigest();
    return Object.entries(wanted).every(([path, lock]) => {
      if (path === '') return true;
      const there = present[path];
      if (there !== undefined && existsSync(at(path)))
        return there.version === lock.version && there.integrity === lock.integrity;
      if (lock.dev || lock.devOptional)
        return mode !== '--test' || (lock.optional && (triedAll || !fits(lock)));
      return lock.optional === true && (triedAll || !fits(lock));
    });
  } catch {
    // No lock in node_modules, or none that can be read: nothing was installed, or not to the end.
    return false;
  }
}

/** Whether an optional package is one for this very platform. Those for every platform come and go as npm sees fit. */
function fits({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  const musl = process.platform === 'linux' && readdirSync('/lib').some(name => name.startsWith('ld-musl-'));
  const names = field => (typeof field === 'string' ? [field] : field);
  return (
    (os === undefined || names(os).includes(process.platform)) &&
    (cpu === undefined || names(cpu).includes(process.arch)) &&
    (libc === undefined || names(libc).includes(musl ? 'musl' : 'glibc'))
  );
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex');
}

function installPackages() {
  tell('installing the locked packages (npm ci); this takes a few seconds the first time');
  const begin = Date.now();
  const dev = mode === '--test' ? ['--include=dev'] : [];
  npm(process.env.npm_node_execpath ?? process.execPath, 'ci', ...dev);
  const node = checkRuntime();
  // npm leaves out optional packages that want a newer Node than the one it runs on itself: those come now, by the pinned one.
  if (!packagesAreInPlace()) {
    npm(node, 'install', '--no-save', ...dev);
    linkRuntime();
  }
  mkdirSync(notes, { recursive: true });
  writeFileSync(lockNote, lockDigest());
  tell(`packages installed in ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

function npm(node, ...args) {
  // npm's own file: what PATH says may lie in the node_modules that npm is about to replace.
  const file = process.env.npm_execpath;
  // No package needs a script of its own at the install: what they would run is somebody else's code with the user's rights.
  const always = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, before] = file ? [node, [file]] : ['npm', []];
  const done = spawnSync(command, [...before, ...args, ...always], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: file === undefined && process.platform === 'win32',
    env: {
      ...process.env,
      PATH: [...(node === pinnedNode ? [dirname(node)] : []), process.env.PATH].join(delimiter),
    },
  });
  if (done.status !== 0)
    fail(`npm ${args[0]} failed (see above). Check the network and the npm registry, then try again.`);
}

/** npm 9 installs the pinned Node without linking its command; npm's scripts find it only by that link. */
function linkRuntime() {
  if (process.platform === 'win32' || existsSync(pinnedNode)) return;
  const binary = at('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(binary) && majorOf(binary) >= NEEDED_NODE_MAJOR)
    symlinkSync(relative(dirname(pinnedNode), binary), pinnedNode);
}

/** The Node to use. After an install only: on later runs npm has started this script on that very runtime. */
function checkRuntime() {
  linkRuntime();
  if (majorOf(pinnedNode) >= NEEDED_NODE_MAJOR) return pinnedNode;
  // It is there but does not run (another libc): out of the way, so that npm's scripts find the system's.
  rmSync(pinnedNode, { force: true });
  if (majorOf('node') >= NEEDED_NODE_MAJOR) return 'node';
  return fail(
    `pagespace needs Node ${NEEDED_NODE_MAJOR} or newer. This system has ${process.version}, and the registry has no Node ` +
      `for ${process.platform}-${process.arch} that runs here. Install Node ${NEEDED_NODE_MAJOR} from https://nodejs.org/ and try again.`,
  );
}

function majorOf(node) {
  const said = spawnSync(node, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  return Number(/^v(\d+)\./.exec(said.stdout ?? '')?.[1] ?? 0);
}

function nodeCommand() {
  return existsSync(pinnedNode) ? pinnedNode : 'node';
}

/** Whether the scripts of pages are newer than everything they are made from. */
function builtIsFresh() {
  const built = ['page/perceive.js', 'page/scrape.js', 'web/home.js'].map(name => at('dist', name));
  if (!built.every(existsSync)) return false;
  const oldestBuilt = Math.min(...built.map(path => statSync(path).mtimeMs));
  const sources = ['src/browser', 'src/domain', 'src/web', 'src/setup/build.ts', 'package-lock.json'];
  return sources.every(source => newestIn(at(source)) <= oldestBuilt);
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map(name => newestIn(join(path, name))));
}

/** Whether the browser is still where the last look found it. */
function browserIsThere() {
  const path = process.env.CHROMIUM_PATH || (existsSync(browserNote) && readFileSync(browserNote, 'utf8'));
  if (!path) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Gone since, or CHROMIUM_PATH names nothing: the whole look says what is to be done.
    return false;
  }
}

function runBrowserSetup() {
  const done = spawnSync(nodeCommand(), [at('src', 'setup', 'browser.ts'), browserNote], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      NODE_USE_ENV_PROXY: '1',
      PATH: `${at('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  });
  if (done.status !== 0) process.exit(1);
}

function step(what, command, args) {
  tell(what);
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) fail(`${what} failed (see above).`);
}
