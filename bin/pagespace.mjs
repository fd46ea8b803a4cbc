#!/usr/bin/env node
/**
 * The command `pagespace`, of a clone and of the npm package. The service needs Node 24: an older Node starts the one that
 * `npm start` has installed in the clone. Plain JavaScript without packages, because it runs on Node 20 too.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REQUIRED_NODE_MAJOR = 24;

// Node reads it before its first thread starts. src/main/serve.ts explains the number.
process.env.UV_THREADPOOL_SIZE ??= '32';

// A clone of the repository has no compiled files: Node runs its TypeScript.
const main = ['../lib/main.js', '../src/main.ts']
  .map(path => new URL(path, import.meta.url))
  .find(url => existsSync(url));

if (Number(process.versions.node.split('.')[0]) >= REQUIRED_NODE_MAJOR) await import(main.href);
else runOn(bundledNode());

/** Returns the path of the Node that the clone has; exits if it has none. */
function bundledNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    const isClone = main.pathname.endsWith('.ts');
    process.stderr.write(
      isClone && !existsSync(new URL('../node_modules', import.meta.url))
        ? `pagespace: nothing is installed yet. Run \`npm start\` in ${fileURLToPath(new URL('..', import.meta.url))} first: it installs Node ${REQUIRED_NODE_MAJOR}, the packages and a browser, and starts the service.\n`
        : `pagespace needs Node ${REQUIRED_NODE_MAJOR} or newer. This is ${process.version}. Install Node ${REQUIRED_NODE_MAJOR} from https://nodejs.org/ and try again.\n`,
    );
    process.exit(1);
  }
}

/** Runs the command line on another Node, and ends as it ends. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal signals both processes; others signal only this one. The child decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', error => {
    process.stderr.write(`pagespace: ${node} does not start: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
