import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileOwner, SessionFileStore } from '../../src/domain/ports/sessionFileStore.ts';
import { AccountFileBytes } from '../../src/store/files/accountFileBytes.ts';
import { folderFileStore } from '../../src/store/files/folderFileStore.ts';

let root: string;
let files: SessionFileStore;
const session = randomUUID();
const owner = { sessionId: session, accountId: 'a' };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pagespace-files-'));
  files = folderFileStore(root, { sessionBytes: 10 });
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
    expect(await files.save(owner, 'upload', 'a.txt', chunks('ab', 'c'))).toMatchObject({
      id: 'U1',
      name: 'a.txt',
      bytes: 3,
    });
    expect((await files.save(owner, 'upload', 'b.txt', chunks('d'))).id).toBe('U2');
    expect(await textOf('upload', 'U1')).toBe('abc');
  });

  it('reserve() rejects the 1,001st file of a kind', async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `D${i + 1}`);
    await Promise.all(ids.map(id => mkdir(join(root, session, 'download', id), { recursive: true })));
    await expect(files.reserve(owner, 'download', 'a')).rejects.toThrow(/maximum of 1000 downloads/);
    await expect(files.reserve(owner, 'upload', 'a')).resolves.toMatchObject({ id: 'U1' });
  });

  it('saves an empty file', async () => {
    expect((await files.save(owner, 'upload', 'none', chunks())).bytes).toBe(0);
  });

  it('leaves nothing if the chunks fail', async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error('gone');
    }
    await expect(files.save(owner, 'upload', 'a', broken())).rejects.toThrow('gone');
    expect(await files.list(session, 'upload')).toEqual([]);
    expect(await readdir(join(root, session, 'upload'))).toEqual([]);
  });

  it('rejects a file above the limit and leaves nothing', async () => {
    await files.save(owner, 'upload', 'a', chunks('12345678'));
    await expect(files.save(owner, 'upload', 'b', chunks('90', 'a'))).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
    });
    expect((await files.list(session, 'upload')).map(file => file.id)).toEqual(['U1']);
  });

  it('rejects an announced size above the limit before the first chunk', async () => {
    async function* unread(): AsyncIterable<Uint8Array> {
      yield* [];
      throw new Error('It was read.');
    }
    await expect(files.save(owner, 'upload', 'a', unread(), 11)).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
    });
    expect(await files.list(session, 'upload')).toEqual([]);
  });

  it('rejects at once if no space is left', async () => {
    await files.save(owner, 'upload', 'a', chunks('1234567890'));
    await expect(files.save(owner, 'upload', 'b', chunks())).rejects.toMatchObject({
      code: 'QUOTA_EXHAUSTED',
    });
  });

  it.each(['../../etc/passwd', '/abs', 'a\\b', '..', ''])(
    'keeps a file named %j inside its folder',
    async name => {
      const kept = await files.save(owner, 'upload', name, chunks('x'));
      expect(kept.name).not.toMatch(/[/\\]|^\.\.?$/);
      expect(await textOf('upload', kept.id)).toBe('x');
    },
  );
});

describe('The limit of an account', () => {
  const limits = () => ({
    sessionBytes: 100_000,
    accountBytes: new AccountFileBytes({ maxBytes: 20_000, retentionDays: null }),
  });
  const sessions = [randomUUID(), randomUUID()] as const;
  const [first, second] = sessions.map(sessionId => ({ sessionId, accountId: 'a' })) as [
    FileOwner,
    FileOwner,
  ];
  const sized = (bytes: number) => new Blob([new Uint8Array(bytes)]).stream();
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'stored',
      ({ code }) => code,
    );
  beforeEach(() => {
    files = folderFileStore(root, limits());
  });

  it('counts files that are written at the same time, and gives back the space of those that fail', async () => {
    const saves = [first, second].map(owner => files.save(owner, 'upload', 'a', sized(9_000)));
    expect((await Promise.all(saves.map(codeOf))).filter(code => code === 'stored')).toHaveLength(1);
    expect(await codeOf(files.save(second, 'upload', 'b', sized(2_500)))).toBe('stored');
    expect(
      await files.save({ sessionId: session, accountId: 'b' }, 'upload', 'c', sized(9_000)),
    ).toMatchObject({
      bytes: 9_000,
    });
  });

  it('counts a reserved file when it is kept, and removes one that is not', async () => {
    {
      await using small = await files.reserve(first, 'download', 'a');
      await writeFile(small.path, new Uint8Array(9_000));
      await small.keep();
    }
    {
      await using large = await files.reserve(second, 'download', 'b');
      await writeFile(large.path, new Uint8Array(9_000));
      expect(await codeOf(large.keep())).toBe('BODY_TOO_LARGE');
    }
    expect((await files.list(first.sessionId, 'download')).map(({ bytes }) => bytes)).toEqual([9_000]);
    expect(await readdir(join(root, second.sessionId, 'download'))).toEqual([]);
    expect(await codeOf(files.save(second, 'upload', 'c', sized(2_500)))).toBe('stored');
  });

  it('counts what is stored when the service starts, until it is removed', async () => {
    await files.save(first, 'upload', 'a', sized(14_000));
    const restarted = folderFileStore(root, limits());
    await restarted.countStored(async ids => ids.map(() => 'a'));
    expect(await codeOf(restarted.save(second, 'upload', 'b', sized(0)))).toBe('QUOTA_EXHAUSTED');
    await restarted.remove(first.sessionId);
    expect(await codeOf(restarted.save(second, 'upload', 'b', sized(14_000)))).toBe('stored');
  });
});

describe('open()', () => {
  it('returns null for an unknown file', async () => {
    expect(await textOf('download', 'D1')).toBeNull();
    expect(await textOf('upload', '../U1')).toBeNull();
  });

  it('returns a stream that can be cancelled before it is read', async () => {
    await files.save(owner, 'upload', 'a', chunks('1234'));
    const found = await files.open(session, 'upload', 'U1');
    await expect(found?.bytes.cancel()).resolves.toBeUndefined();
  });
});
