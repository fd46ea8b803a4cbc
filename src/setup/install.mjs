/**
 * Prepares a clone to run: packages, Node 24, built scripts, a browser. Every npm script that needs one of these starts with it.
 * Prints nothing when nothing is missing. Plain JavaScript without packages: it runs first, on any Node from 18 on.
 *
 * `--cli` needs the packages, `--serve` the built scripts and a browser as well, `--test` the development packages
 * and the engines of a cluster too.
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
import { acquireInstallLock, isInstallLocked } from './installLock.mjs';

const REQUIRED_NODE_MAJOR = 24;
const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const mode = process.argv[2] ?? '--serve';
const lockFolder = at('.install-lock');
const pinnedNode = at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const cacheFolder = at('node_modules', '.cache', 'pagespace');
/** The file with the path of the browser that was found last. */
const browserPathFile = join(cacheFolder, 'browser');
/** The file with the result of the search for the engines of a cluster, which is made once. */
const enginesFile = join(cacheFolder, 'engines');
/** The file with the SHA-256 of the package-lock.json that was installed last. */
const lockDigestFile = join(cacheFolder, 'lock');

const report = line => process.stderr.write(`pagespace: ${line}\n`);
const fail = line => {
  report(line);
  process.exit(1);
};

// Two npm commands that are started at once in a fresh clone would install over each other.
if (isInstallLocked(lockFolder) || !isSetUp()) {
  const release = acquireInstallLock(lockFolder, pid =>
    report(`waiting for another npm command that is setting up this clone (process ${pid})`),
  );
  process.on('exit', release);
  setUp();
}

function isSetUp() {
  if (!packagesAreInstalled() || unlinkedRuntime() !== null) return false;
  if (mode === '--test' && !existsSync(enginesFile)) return false;
  return mode === '--cli' || (scriptsAreBuilt() && browserIsInstalled());
}

function setUp() {
  if (!packagesAreInstalled()) installPackages();
  else linkRuntime();
  if (mode === '--cli') return;
  if (!scriptsAreBuilt()) buildScripts();
  if (!browserIsInstalled()) runSetup('ensureBrowser.ts', browserPathFile);
  if (mode === '--test' && !existsSync(enginesFile)) runSetup('ensureEngines.ts', enginesFile);
}

/** Returns true if node_modules holds every package in the version that package-lock.json names. `withDevelopment`: also the development packages. */
function packagesAreInstalled(withDevelopment = mode === '--test') {
  try {
    const locked = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(at('node_modules', '.package-lock.json'), 'utf8')).packages;
    // The registry does not have an optional package for this platform that a complete install left out: do not try it again.
    const triedAll = existsSync(lockDigestFile) && readFileSync(lockDigestFile, 'utf8') === lockDigest();
    return Object.entries(locked).every(([path, lock]) => {
      if (path === '') return true;
      const found = installed[path];
      if (found !== undefined && existsSync(at(path)))
        return found.version === lock.version && found.integrity === lock.integrity;
      if (lock.dev || lock.devOptional)
        return !withDevelopment || (lock.optional && (triedAll || !isForThisPlatform(lock)));
      return lock.optional === true && (triedAll || !isForThisPlatform(lock));
    });
  } catch {
    // npm writes this file at the end of an install. Without it nothing is installed, or not completely.
    return false;
  }
}

/** Returns true if an optional package is built for this platform. npm may leave out the ones for all platforms. */
function isForThisPlatform({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  const musl = process.platform === 'linux' && readdirSync('/lib').some(name => name.startsWith('ld-musl-'));
  const names = field => (typeof field === 'string' ? [field] : field);
  return (
    (os === undefined || names(os).includes(process.platform)) &&
    (cpu === undefined || names(cpu).includes(process.arch)) &&
    (libc === undefined || names(libc).includes(musl ? 'musl' : 'glibc'))
  );
}

function hasDevelopmentPackages() {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  return Object.entries(packages).some(([path, { dev }]) => dev === true && existsSync(at(path)));
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex');
}

function installPackages() {
  // npm ci removes all packages first, also those of a service that runs from this clone. If only development packages are missing, npm install adds them.
  const command = packagesAreInstalled(false) ? ['install', '--no-save'] : ['ci'];
  report(`installing the locked packages (npm ${command[0]}); this takes a few seconds the first time`);
  const begin = Date.now();
  // Users do not need the development packages, which are most of them. A clone that has them keeps them.
  const dev = mode === '--test' || hasDevelopmentPackages() ? '--include=dev' : '--omit=dev';
  npm(process.env.npm_node_execpath ?? process.execPath, ...command, dev);
  const node = checkRuntime();
  // npm leaves out optional packages that need a newer Node than the one that npm runs on. A second install, run by the pinned Node, adds them.
  if (!packagesAreInstalled()) {
    npm(node, 'install', '--no-save', dev);
    linkRuntime();
  }
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(lockDigestFile, lockDigest());
  report(`packages installed in ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

function npm(node, ...args) {
  // Do not use the npm on PATH: it may be in the node_modules that npm is about to replace.
  const file = process.env.npm_execpath;
  // No package needs its install scripts, and they would run third-party code with the user's rights.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, prefix] = file ? [node, [file]] : ['npm', []];
  const { status } = spawnSync(command, [...prefix, ...args, ...flags], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: file === undefined && process.platform === 'win32',
    env: {
      ...process.env,
      PATH: [...(node === pinnedNode ? [dirname(node)] : []), process.env.PATH].join(delimiter),
    },
  });
  if (status !== 0)
    fail(`npm ${args[0]} failed (see above). Check the network and the npm registry, then try again.`);
}

/** Creates the link in node_modules/.bin by which npm scripts find the pinned Node, because npm 9 installs Node without it. */
function linkRuntime() {
  const binary = unlinkedRuntime();
  if (binary !== null) symlinkSync(relative(dirname(pinnedNode), binary), pinnedNode);
}

/** Returns the path of the pinned Node if it runs on this machine and has no link in node_modules/.bin; null otherwise. */
function unlinkedRuntime() {
  if (process.platform === 'win32' || existsSync(pinnedNode)) return null;
  const binary = at('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(binary) && majorOf(binary) >= REQUIRED_NODE_MAJOR ? binary : null;
}

/** Exits if there is no Node of the required version. Call it after an install: later npm starts this script on that Node. */
function checkRuntime() {
  linkRuntime();
  if (majorOf(pinnedNode) >= REQUIRED_NODE_MAJOR) return pinnedNode;
  // The pinned Node does not run here (another libc). Without the link npm scripts find the system's Node.
  rmSync(pinnedNode, { force: true });
  if (majorOf('node') >= REQUIRED_NODE_MAJOR) return 'node';
  return fail(
    `pagespace needs Node ${REQUIRED_NODE_MAJOR} or newer. This system has ${process.version}, and the registry has no Node ` +
      `for ${process.platform}-${process.arch} that runs here. Install Node ${REQUIRED_NODE_MAJOR} from https://nodejs.org/ and try again.`,
  );
}

function majorOf(node) {
  const { stdout } = spawnSync(node, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}

function nodeCommand() {
  return existsSync(pinnedNode) ? pinnedNode : 'node';
}

/** Returns true if the scripts in dist/ are newer than every file that they are built from. */
function scriptsAreBuilt() {
  const built = [
    'page/agent.js',
    'page/prewarm.js',
    'page/scrape.js',
    'web/docs.js',
    'web/dashboard/main.js',
  ].map(name => at('dist', name));
  if (!built.every(existsSync)) return false;
  const oldestBuilt = Math.min(...built.map(path => statSync(path).mtimeMs));
  const sources = ['src/browser/injected', 'src/web', 'src/setup/build.ts', 'package-lock.json'];
  return sources.every(source => newestChangeMs(at(source)) <= oldestBuilt);
}

function newestChangeMs(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map(name => newestChangeMs(join(path, name))));
}

/** Returns true if CHROMIUM_PATH, or else the path at which the browser was found last, is an executable file. */
function browserIsInstalled() {
  const path =
    process.env.CHROMIUM_PATH || (existsSync(browserPathFile) && readFileSync(browserPathFile, 'utf8'));
  if (!path) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // The browser was removed, or CHROMIUM_PATH is wrong. The search in ensureBrowser.ts reports what to do.
    return false;
  }
}

function buildScripts() {
  report('building the scripts for the browser');
  const { status } = spawnSync(nodeCommand(), [at('src', 'setup', 'build.ts')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail('building the scripts for the browser failed (see above).');
}

/** Runs a program of this folder, which writes its result to a file. */
function runSetup(program, resultFile) {
  const { status } = spawnSync(nodeCommand(), [at('src', 'setup', program), resultFile], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      NODE_USE_ENV_PROXY: '1',
      PATH: `${at('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  });
  if (status !== 0) process.exit(1);
}
