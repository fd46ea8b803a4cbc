/**
 * Session records in the data folder: `records/<session>.log`, a file that only grows. An entry is a header of 28 bytes, then the body.
 * JSON is compressed by zstd. A process that dies leaves at most one incomplete entry at the end, which readers skip and the next `append` overwrites.
 */
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, zstdCompress, zstdDecompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Failure } from '../../domain/failure/failures.ts';
import {
  type FileOwner,
  type NewRecordEntry,
  RECORD_KINDS,
  type RecordEntry,
  type RecordKind,
  type SessionRecordStore,
} from '../../domain/ports/sessionFileStore.ts';
import { type AccountFileBytes, toStorageFull } from './accountFileBytes.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** `PSR1`: the first bytes of each header. */
const MAGIC = 0x50_53_52_31;
/** Magic, kind and encoding (one byte each, two unused), number, time (double), length, CRC-32 of the body. */
const HEADER_BYTES = 28;
const ENCODING = { plain: 0, zstd: 1 } as const;
/** Number of sessions whose index stays in memory. An index has about 60 bytes an entry. */
const MAX_INDEXES = 200;
const SCAN_BYTES = 65_536;
const COUNT_BATCH_SIZE = 50;

const SESSION_ID = /^[0-9a-f-]{36}$/;

interface IndexedEntry extends RecordEntry {
  readonly offset: number;
  readonly encoding: number;
}

interface RecordIndex {
  readonly entries: ReadonlyMap<RecordKind, Map<number, IndexedEntry>>;
  end: number;
}

export interface FolderRecordStoreOptions {
  /** Maximum size of the record of one session, in bytes. */
  readonly sessionBytes: number;
  readonly accountBytes: AccountFileBytes;
}

export interface FolderRecordStore extends SessionRecordStore {
  /** Call it once, before the first entry is stored. @param accountIdsOf in the order of the ids; null for an unknown session */
  countStored(
    accountIdsOf: (sessionIds: readonly string[]) => Promise<readonly (string | null)[]>,
  ): Promise<void>;
}

export function folderRecordStore(
  root: string,
  { sessionBytes, accountBytes }: FolderRecordStoreOptions,
): FolderRecordStore {
  const indexes = new LRUCache<string, Promise<RecordIndex>>({ max: MAX_INDEXES });
  /** The last append of each session: appends of a session run one after another. */
  const appends = new Map<string, Promise<void>>();

  const pathOf = (sessionId: string): string => {
    if (!SESSION_ID.test(sessionId)) throw new Error('The session id is not a UUID');
    return join(root, `${sessionId}.log`);
  };

  function indexOf(sessionId: string): Promise<RecordIndex> {
    const known = indexes.get(sessionId);
    if (known !== undefined) return known;
    const index = readIndex(pathOf(sessionId)).catch(error => {
      indexes.delete(sessionId);
      throw error;
    });
    indexes.set(sessionId, index);
    return index;
  }

  async function write(owner: FileOwner, added: readonly NewRecordEntry[]): Promise<void> {
    const { sessionId } = owner;
    const encoded = await Promise.all(added.map(encode));
    const index = await indexOf(sessionId);
    const bytes = encoded.reduce((sum, { header, body }) => sum + header.byteLength + body.byteLength, 0);
    if (index.end + bytes > sessionBytes)
      throw new Failure(
        'QUOTA_EXHAUSTED',
        `The record of this session has its maximum of ${sessionBytes} bytes.`,
      );
    accountBytes.countRecord(owner, bytes);
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await using handle = await open(pathOf(sessionId), 'r+').catch(() =>
        open(pathOf(sessionId), 'w+', 0o600),
      );
      await handle.writev(
        encoded.flatMap(({ header, body }) => [header, body]),
        index.end,
      );
    } catch (error) {
      accountBytes.countRecord(owner, -bytes);
      throw toStorageFull(error);
    }
    for (const { entry, header, body, encoding } of encoded) {
      const { kind, number, at } = entry;
      const offset = index.end + header.byteLength;
      index.entries.get(kind)?.set(number, { kind, number, at, bytes: body.byteLength, offset, encoding });
      index.end = offset + body.byteLength;
    }
  }

  return {
    append(owner, entries) {
      const before = appends.get(owner.sessionId) ?? Promise.resolve();
      const work = before.then(() => write(owner, entries));
      // The next append runs whether or not this one fails; its own caller hears of the failure.
      const settled = work.then(
        () => undefined,
        () => undefined,
      );
      appends.set(owner.sessionId, settled);
      void settled.then(() => {
        if (appends.get(owner.sessionId) === settled) appends.delete(owner.sessionId);
      });
      return work;
    },
    async list(sessionId, { kind, after, limit, newest = false }) {
      await appends.get(sessionId);
      const { entries } = await indexOf(sessionId);
      const found: RecordEntry[] = [];
      for (const { number, at, bytes } of entries.get(kind)?.values() ?? []) {
        if (number > after) found.push({ kind, number, at, bytes });
        if (found.length === limit && !newest) break;
      }
      return found.slice(-limit);
    },
    async read(sessionId, kind, number) {
      await appends.get(sessionId);
      const entry = (await indexOf(sessionId)).entries.get(kind)?.get(number);
      if (entry === undefined) return null;
      const file = await openExisting(pathOf(sessionId));
      if (file === null) return null;
      await using handle = file;
      const body = Buffer.alloc(entry.bytes);
      await handle.read(body, 0, entry.bytes, entry.offset);
      return entry.encoding === ENCODING.zstd ? decompress(body) : body;
    },
    bytes: async sessionId => (await indexOf(sessionId)).end,
    async remove(sessionId) {
      if (!SESSION_ID.test(sessionId)) return;
      await appends.get(sessionId);
      indexes.delete(sessionId);
      const size = (await stat(pathOf(sessionId)).catch(() => null))?.size ?? 0;
      await rm(pathOf(sessionId), { force: true });
      // Again: a read may have read the index of the file before it was removed.
      indexes.delete(sessionId);
      accountBytes.forgetRecord(sessionId, size);
    },
    async countStored(accountIdsOf) {
      if (!accountBytes.isLimited) return;
      const ids = (await readdir(root).catch(() => []))
        .map(name => name.replace(/\.log$/, ''))
        .filter(id => SESSION_ID.test(id));
      for (let start = 0; start < ids.length; start += COUNT_BATCH_SIZE) {
        const batch = ids.slice(start, start + COUNT_BATCH_SIZE);
        const accountIds = await accountIdsOf(batch);
        for (const [i, sessionId] of batch.entries()) {
          const accountId = accountIds[i];
          const size = (await stat(pathOf(sessionId)).catch(() => null))?.size ?? 0;
          if (accountId != null) accountBytes.addStored({ sessionId, accountId }, [size]);
        }
      }
    },
    async unchangedSince(time) {
      const names = (await readdir(root).catch(() => [])).filter(name => name.endsWith('.log'));
      const found: string[] = [];
      for (const name of names) {
        const stats = await stat(join(root, name)).catch(() => null);
        if (stats !== null && stats.mtimeMs < time) found.push(name.slice(0, -'.log'.length));
      }
      return found;
    },
  };
}

async function encode(entry: NewRecordEntry) {
  const isText = entry.kind !== 'picture' && entry.kind !== 'frame';
  const encoding = isText ? ENCODING.zstd : ENCODING.plain;
  const body = isText ? await compress(entry.body) : entry.body;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt8(RECORD_KINDS.indexOf(entry.kind), 4);
  header.writeUInt8(encoding, 5);
  header.writeUInt32BE(entry.number, 8);
  header.writeDoubleBE(entry.at, 12);
  header.writeUInt32BE(body.byteLength, 20);
  header.writeUInt32BE(crc32(body), 24);
  return { entry, header, body, encoding };
}

/** Reads the headers of a record. A record that does not exist has none. */
async function readIndex(path: string): Promise<RecordIndex> {
  const entries = new Map(RECORD_KINDS.map(kind => [kind, new Map<number, IndexedEntry>()]));
  const index: RecordIndex = { entries, end: 0 };
  const handle = await openExisting(path);
  if (handle === null) return index;
  await using file = handle;
  const { size } = await file.stat();
  let last: IndexedEntry | null = null;
  for await (const entry of headers(file, size)) {
    entries.get(entry.kind)?.set(entry.number, entry);
    index.end = entry.offset + entry.bytes;
    last = entry;
  }
  // Only the last entry can be incomplete: a crash of the machine may have stored its length without its bytes.
  if (last !== null && !(await isComplete(file, last))) {
    entries.get(last.kind)?.delete(last.number);
    index.end = last.offset - HEADER_BYTES;
  }
  return index;
}

const openExisting = (path: string): Promise<FileHandle | null> =>
  open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

async function* headers(file: FileHandle, size: number): AsyncGenerator<IndexedEntry> {
  let window = Buffer.alloc(0);
  let windowAt = 0;
  for (let at = 0; at + HEADER_BYTES <= size; ) {
    if (at < windowAt || at + HEADER_BYTES > windowAt + window.byteLength) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SCAN_BYTES), 0, SCAN_BYTES, at);
      window = buffer.subarray(0, bytesRead);
      windowAt = at;
      if (bytesRead < HEADER_BYTES) return;
    }
    const header = window.subarray(at - windowAt);
    const kind = RECORD_KINDS[header.readUInt8(4)];
    const bytes = header.readUInt32BE(20);
    const offset = at + HEADER_BYTES;
    if (header.readUInt32BE(0) !== MAGIC || kind === undefined || offset + bytes > size) return;
    yield {
      kind,
      number: header.readUInt32BE(8),
      at: header.readDoubleBE(12),
      bytes,
      offset,
      encoding: header.readUInt8(5),
    };
    at = offset + bytes;
  }
}

async function isComplete(file: FileHandle, { offset, bytes }: IndexedEntry): Promise<boolean> {
  const header = Buffer.alloc(4);
  await file.read(header, 0, 4, offset - 4);
  const body = Buffer.alloc(bytes);
  await file.read(body, 0, bytes, offset);
  return crc32(body) === header.readUInt32BE(0);
}
