import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const kept = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const dockerfile = kept('Dockerfile').replaceAll(/ *\\\n */g, ' ');
const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const product: { version: string; description: string; license: string; scripts: { start: string } } =
  JSON.parse(kept('package.json'));

const label = (name: string) =>
  new RegExp(`org\\.opencontainers\\.image\\.${name}="([^"]*)"`).exec(image)?.[1];

describe('the image', () => {
  it('is labelled as package.json has it', () => {
    expect(label('version')).toBe(product.version);
    expect(label('description')).toBe(product.description);
    expect(label('licenses')).toBe(product.license);
  });

  it('runs as a user who is named by number and is not root', () => {
    expect(Number(/^USER (.+)$/m.exec(image)?.[1])).toBeGreaterThan(0);
  });

  it('looks names up in as many threads as npm start does', () => {
    const threads = /UV_THREADPOOL_SIZE=\d+/;
    expect(threads.exec(image)?.[0]).toBe(threads.exec(product.scripts.start)?.[0]);
  });

  it('is sent nothing by the build but what it copies', () => {
    const sent = kept('.dockerignore').trim().split('\n');
    expect(sent[0]).toBe('*');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) =>
      from.split(' '),
    );
    const roots = new Set(copied.map(path => `!${path.replace(/\/.*/, '')}`));
    expect(new Set(sent.slice(1))).toEqual(roots);
  });
});
