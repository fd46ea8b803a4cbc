import { appendFile, mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewRecordEntry, SessionRecordStore } from '../../src/domain/ports/sessionFileStore.ts';
import { AccountFileBytes } from '../../src/store/files/accountFileBytes.ts';
import { folderRecordStore } from '../../src/store/files/folderRecordStore.ts';

const owner = { sessionId: '0198a0c0-0000-7000-8000-000000000001', accountId: 'a1' };
const text = (value: string) => new TextEncoder().encode(value);
const entry = (number: number, value = `entry ${number}`): NewRecordEntry => ({
  kind: 'observation',
  number,
  at: 1_000 + number,
  body: text(value),
});
const unlimited = { maxBytes: null, retentionDays: null };

let root: string;
let store: SessionRecordStore;
const reopened = (
  sessionBytes = 1_000_000,
  limit: { maxBytes: number | null; retentionDays: null } = unlimited,
) => folderRecordStore(root, { sessionBytes, accountBytes: new AccountFileBytes(limit) });
const read = async (from: SessionRecordStore, number: number) => {
  const body = await from.read(owner.sessionId, 'observation', number);
  return body === null ? null : new TextDecoder().decode(body);
};
const path = () => join(root, `${owner.sessionId}.log`);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pagespace-record-'));
  store = reopened();
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('a session record', () => {
  it('returns each entry by its kind and number, also after a restart', async () => {
    await store.append(owner, [entry(1), { ...entry(1), kind: 'picture', body: text('jpeg') }, entry(2)]);
    for (const each of [store, reopened()]) {
      expect(await read(each, 2)).toBe('entry 2');
      expect(await each.read(owner.sessionId, 'picture', 1)).toEqual(Buffer.from('jpeg'));
      expect(await each.read(owner.sessionId, 'picture', 2)).toBeNull();
    }
  });

  it('lists the entries of a kind after a number, up to a limit', async () => {
    await store.append(
      owner,
      [1, 2, 3, 4].map(number => entry(number)),
    );
    const listed = await reopened().list(owner.sessionId, { kind: 'observation', after: 1, limit: 2 });
    expect(listed.map(({ number, at }) => [number, at])).toEqual([
      [2, 1_002],
      [3, 1_003],
    ]);
  });

  it('keeps the order of appends that were made at once', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(number => store.append(owner, [entry(number)])));
    const listed = await reopened().list(owner.sessionId, { kind: 'observation', after: 0, limit: 9 });
    expect(listed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([1, 27, 28, 29, 40])(
    'skips an entry of which a crash stored %d bytes, and overwrites it',
    async bytes => {
      await store.append(owner, [entry(1)]);
      const { size } = await stat(path());
      await store.append(owner, [entry(2)]);
      await truncate(path(), Math.min(size + bytes, (await stat(path())).size - 1));
      const restarted = reopened();
      expect(await read(restarted, 2)).toBeNull();
      await restarted.append(owner, [entry(3)]);
      expect(await read(reopened(), 1)).toBe('entry 1');
      expect(await read(reopened(), 3)).toBe('entry 3');
    },
  );

  it('skips a last entry whose bytes are not those that were written', async () => {
    await store.append(owner, [entry(1), entry(2)]);
    await truncate(path(), (await stat(path())).size - 1);
    await appendFile(path(), Buffer.from([0]));
    expect(await read(reopened(), 2)).toBeNull();
    expect(await read(reopened(), 1)).toBe('entry 1');
  });

  it('stores text in a fraction of its size', async () => {
    const long = JSON.stringify(
      Array.from({ length: 500 }, (_, id) => ({ id, role: 'link', name: 'Product' })),
    );
    await store.append(owner, [entry(1, long)]);
    expect(await store.bytes(owner.sessionId)).toBeLessThan(long.length / 4);
    expect(await read(store, 1)).toBe(long);
  });

  it('refuses an entry beyond the limit of the session, and keeps those before it', async () => {
    store = reopened(200);
    await store.append(owner, [entry(1)]);
    const large = { ...entry(2), kind: 'picture', body: new Uint8Array(300) } as const;
    await expect(store.append(owner, [large])).rejects.toMatchObject({ code: 'QUOTA_EXHAUSTED' });
    expect(await read(store, 1)).toBe('entry 1');
  });

  it('refuses an entry beyond the limit of the account', async () => {
    store = reopened(1_000_000, { maxBytes: 100, retentionDays: null });
    const large = { ...entry(1), kind: 'picture', body: new Uint8Array(300) } as const;
    await expect(store.append(owner, [large])).rejects.toMatchObject({ code: 'QUOTA_EXHAUSTED' });
    expect(await store.bytes(owner.sessionId)).toBe(0);
  });

  it('is empty for a session without a record, and after its removal', async () => {
    expect(await store.list(owner.sessionId, { kind: 'frame', after: 0, limit: 5 })).toEqual([]);
    await store.append(owner, [entry(1)]);
    await store.remove(owner.sessionId);
    await store.remove(owner.sessionId);
    expect(await read(store, 1)).toBeNull();
    expect(await store.bytes(owner.sessionId)).toBe(0);
  });

  it('is empty after its removal although it was read meanwhile', async () => {
    await store.append(owner, [entry(1)]);
    await Promise.all([store.remove(owner.sessionId), read(store, 1)]);
    expect(await read(store, 1)).toBeNull();
    expect(await store.bytes(owner.sessionId)).toBe(0);
  });

  it('can be read by its owner only', async () => {
    await store.append(owner, [entry(1)]);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });
});
