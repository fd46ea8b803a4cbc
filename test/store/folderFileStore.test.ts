import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionFileStore } from '../../src/domain/ports/sessionFileStore.ts';
import { folderFileStore } from '../../src/store/folderFileStore.ts';

let root: string;
let files: SessionFileStore;
const session = randomUUID();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pagespace-files-'));
  files = folderFileStore(root, 10);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function* pieces(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function textOf(kind: 'upload' | 'download', id: string): Promise<string | null> {
  const found = await files.open(session, kind, id);
  return found === null ? null : new Response(found.bytes).text();
}

describe('a file that comes in pieces', () => {
  it('is kept whole, under the next id', async () => {
    expect(await files.save(session, 'upload', 'a.txt', pieces('ab', 'c'))).toMatchObject({
      id: 'U1',
      name: 'a.txt',
      bytes: 3,
    });
    expect((await files.save(session, 'upload', 'b.txt', pieces('d'))).id).toBe('U2');
    expect(await textOf('upload', 'U1')).toBe('abc');
  });

  it('is the thousandth at most: each looks at all others', async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `D${i + 1}`);
    await Promise.all(ids.map(id => mkdir(join(root, session, 'download', id), { recursive: true })));
    await expect(files.reserve(session, 'download', 'a')).rejects.toThrow(/maximum of 1000 downloads/);
    await expect(files.reserve(session, 'upload', 'a')).resolves.toMatchObject({ id: 'U1' });
  });

  it('may be empty', async () => {
    expect((await files.save(session, 'upload', 'none', pieces())).bytes).toBe(0);
  });

  it('leaves nothing when it breaks off', async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error('gone');
    }
    await expect(files.save(session, 'upload', 'a', broken())).rejects.toThrow('gone');
    expect(await files.list(session, 'upload')).toEqual([]);
    expect(await readdir(join(root, session, 'upload'))).toEqual([]);
  });

  it('is refused past what the session may keep, and leaves nothing', async () => {
    await files.save(session, 'upload', 'a', pieces('12345678'));
    await expect(files.save(session, 'upload', 'b', pieces('90', 'a'))).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
    });
    expect((await files.list(session, 'upload')).map(file => file.id)).toEqual(['U1']);
  });

  it('is refused at once where nothing is left', async () => {
    await files.save(session, 'upload', 'a', pieces('1234567890'));
    await expect(files.save(session, 'upload', 'b', pieces())).rejects.toMatchObject({
      code: 'QUOTA_EXHAUSTED',
    });
  });

  it.each(['../../etc/passwd', '/abs', 'a\\b', '..', ''])('named %j stays in its folder', async name => {
    const kept = await files.save(session, 'upload', name, pieces('x'));
    expect(kept.name).not.toMatch(/[/\\]|^\.\.?$/);
    expect(await textOf('upload', kept.id)).toBe('x');
  });
});

describe('a file that is opened', () => {
  it('is null where there is none', async () => {
    expect(await textOf('download', 'D1')).toBeNull();
    expect(await textOf('upload', '../U1')).toBeNull();
  });

  it('can be let go of before it is read', async () => {
    await files.save(session, 'upload', 'a', pieces('1234'));
    const found = await files.open(session, 'upload', 'U1');
    await expect(found?.bytes.cancel()).resolves.toBeUndefined();
  });
});
