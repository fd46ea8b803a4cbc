import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REFUSED_SYSTEM_CALLS } from '../../src/browser/sandbox/sandboxedLaunch.ts';
import { readConfig } from '../../src/config/config.ts';
import { commandHint } from '../../src/main/loadConfig.ts';

const readRepositoryFile = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const dockerfile = readRepositoryFile('Dockerfile').replaceAll(/ *\\\n */g, ' ');
const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const product: { version: string; description: string; license: string; scripts: { start: string } } =
  JSON.parse(readRepositoryFile('package.json'));

const label = (name: string) =>
  new RegExp(`org\\.opencontainers\\.image\\.${name}="([^"]*)"`).exec(image)?.[1];

/** The files and folders that the build copies from the repository. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) =>
  from.split(' '),
);

describe('Dockerfile', () => {
  it('has labels that match package.json', () => {
    expect(label('version')).toBe(product.version);
    expect(label('description')).toBe(product.description);
    expect(label('licenses')).toBe(product.license);
  });

  it('runs as a numeric user that is not root', () => {
    expect(Number(/^USER (.+)$/m.exec(image)?.[1])).toBeGreaterThan(0);
  });

  it('sets the same thread pool size as npm start', () => {
    const threads = /UV_THREADPOOL_SIZE=\d+/;
    expect(threads.exec(image)?.[0]).toBe(threads.exec(product.scripts.start)?.[0]);
  });

  it('has a program that names itself in its hints', () => {
    const script = /printf '([^']*)' > \/usr\/local\/bin\/(\w+)/.exec(image);
    expect(script?.[1]).toContain(`export PAGESPACE_PROGRAM=${script?.[2]}\\n`);
    expect(commandHint('keys', 'create', script?.[2])).toBe('pagespace keys create');
    expect(readConfig({ PAGESPACE_PROGRAM: 'pagespace' }).databaseUrl).toBeNull();
  });

  it('sends only the files that it copies to the build', () => {
    const sent = readRepositoryFile('.dockerignore').trim().split('\n');
    expect(sent[0]).toBe('*');
    const entries = sent.slice(1).map(entry => entry.replace('!', ''));
    const entryOf = (path: string) => entries.find(entry => path === entry || path.startsWith(`${entry}/`));
    expect(copied.filter(path => entryOf(path) === undefined)).toEqual([]);
    expect(new Set(copied.map(entryOf))).toEqual(new Set(entries));
  });

  it('brings the licences of the packages into the image', () =>
    expect(copied).toContain('docs/licences.md'));
});

describe('container/seccomp.json', () => {
  // bubblewrap and Chromium's sandbox mount and enter namespaces of their own.
  const needed = ['mount', 'umount2', 'pivot_root', 'setns'];

  it('refuses what the seccomp filter of browsers refuses, except what makes the sandboxes', () => {
    const { syscalls } = JSON.parse(readRepositoryFile('container/seccomp.json'));
    const refused = REFUSED_SYSTEM_CALLS.map(({ name }) => name).filter(name => !needed.includes(name));
    expect(syscalls).toEqual([{ names: refused, action: 'SCMP_ACT_ERRNO', errnoRet: 1 }]);
  });
});

describe.each(['compose.yaml', 'compose.single.yaml'])('%s', name => {
  it.each(['PAGESPACE_CHROMIUM_SANDBOX', 'PAGESPACE_OUTER_SANDBOX'])('turns on %s', variable => {
    expect(readRepositoryFile(name)).toContain(`${variable}: "on"`);
  });
});
