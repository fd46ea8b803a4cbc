import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionFileStore } from '../../src/domain/ports/sessionFileStore.ts';
import { folderFileStore } from '../../src/store/files/folderFileStore.ts';

let root: string;
let files: SessionFileStore;
const session = randomUUID();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pagespace-files-'));
  files = folderFileStore(root, 10);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function* chunks(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function textOf(kind: 'upload' | 'download', id: string): Promise<string | null> {
  const found = await files.open(session, kind, id);
  return found === null ? null : new Response(found.bytes).text();
}

describe('save()', () => {
  it('saves the whole file under the next id', async () => {
    expect(await files.save(session, 'upload', 'a.txt', chunks('ab', 'c'))).toMatchObject({
      id: 'U1',
      name: 'a.txt',
      bytes: 3,
    });
    expect((await files.save(session, 'upload', 'b.txt', chunks('d'))).id).toBe('U2');
    expect(await textOf('upload', 'U1')).toBe('abc');
  });

  it('reserve() rejects the 1,001st file of a kind', async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `D${i + 1}`);
    await Promise.all(ids.map(id => mkdir(join(root, session, 'download', id), { recursive: true })));
    await expect(files.reserve(session, 'download', 'a')).rejects.toThrow(/maximum of 1000 downloads/);
    await expect(files.reserve(session, 'upload', 'a')).resolves.toMatchObject({ id: 'U1' });
  });

  it('saves an empty file', async () => {
    expect((await files.save(session, 'upload', 'none', chunks())).bytes).toBe(0);
  });

  it('leaves nothing if the chunks fail', async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error('gone');
    }
    await expect(files.save(session, 'upload', 'a', broken())).rejects.toThrow('gone');
    expect(await files.list(session, 'upload')).toEqual([]);
    expect(await readdir(join(root, session, 'upload'))).toEqual([]);
  });

  it('rejects a file above the limit and leaves nothing', async () => {
    await files.save(session, 'upload', 'a', chunks('12345678'));
    await expect(files.save(session, 'upload', 'b', chunks('90', 'a'))).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
    });
    expect((await files.list(session, 'upload')).map(file => file.id)).toEqual(['U1']);
  });

  it('rejects at once if no space is left', async () => {
    await files.save(session, 'upload', 'a', chunks('1234567890'));
    await expect(files.save(session, 'upload', 'b', chunks())).rejects.toMatchObject({
      code: 'QUOTA_EXHAUSTED',
    });
  });

  it.each(['../../etc/passwd', '/abs', 'a\\b', '..', ''])(
    'keeps a file named %j inside its folder',
    async name => {
      const kept = await files.save(session, 'upload', name, chunks('x'));
      expect(kept.name).not.toMatch(/[/\\]|^\.\.?$/);
      expect(await textOf('upload', kept.id)).toBe('x');
    },
  );
});

describe('open()', () => {
  it('returns null for an unknown file', async () => {
    expect(await textOf('download', 'D1')).toBeNull();
    expect(await textOf('upload', '../U1')).toBeNull();
  });

  it('returns a stream that can be cancelled before it is read', async () => {
    await files.save(session, 'upload', 'a', chunks('1234'));
    const found = await files.open(session, 'upload', 'U1');
    await expect(found?.bytes.cancel()).resolves.toBeUndefined();
  });
});
