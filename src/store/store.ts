import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Compilable, Kysely } from 'kysely';
import type { LedgerAudit } from '../domain/account/ledger.ts';
import { Failure } from '../domain/failure/failures.ts';
import type {
  AccountStore,
  LedgerStore,
  ProfileStore,
  ShareLinkStore,
  VaultStore,
  WalletStore,
} from '../domain/ports/accountStore.ts';
import type { AuditLog } from '../domain/ports/auditLog.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import type { Tables } from './tables.ts';

/** Runs reads whose time grows with what is stored, so that they do not delay other requests. */
export interface Reader {
  /** @param accountId the account that reads; accounts with waiting reads take turns */
  all<Row>(accountId: string, query: Compilable<Row>): Promise<readonly Row[]>;
  /** Stops the reader, and rejects the waiting reads. Idempotent. */
  close(): Promise<void>;
}

/** Creates a reader that reads on the connection of the store: for databases in memory, which no other thread can open. */
export const sameThreadReader = (db: Kysely<Tables>): Reader => ({
  all: async (_accountId, query) => (await db.executeQuery(query.compile())).rows,
  close: async () => {},
});

/** Encrypted contents, and what they are bound to. */
export interface SealedRow {
  readonly kind: 'profile' | 'vault';
  readonly accountId: string;
  readonly name: string;
  /** Of a vault entry. */
  readonly origins: readonly string[];
  readonly sealed: string;
}

/** The open database of the service, as one store per kind of data. */
export interface Store {
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly wallets: WalletStore;
  readonly profiles: ProfileStore;
  readonly vault: VaultStore;
  readonly auditLog: AuditLog;
  readonly shareLinks: ShareLinkStore;
  /** Replaces encrypted contents by those of `reseal` (null leaves them), except those written meanwhile. Returns the number of replaced ones. */
  reseal(reseal: (row: SealedRow) => string | null): Promise<number>;
  /** Checks that sessions, operations, ledger and totals agree. Reads everything: only for the command line and tests. */
  auditLedger(): Promise<LedgerAudit>;
  /** Closes the database; idempotent. Later calls of all stores are rejected. */
  close(): Promise<void>;
}

/** The error when a database cannot be opened as the store. Its message says which database and why, without a password. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

const OTHER_FOLDER = 'or set PAGESPACE_DATA_DIR to another folder';
const DAMAGED = `The file is damaged, or another program wrote it. Restore it from a backup, ${OTHER_FOLDER}.`;
const FULL = 'The disk is full. Free some space on it, then start again.';
const NOT_READABLE = `The folder is missing, or the user of this process may not read and write it. Give that user the folder and its files, ${OTHER_FOLDER}.`;

/** Advice by result code of SQLite (https://www.sqlite.org/rescode.html): the whole code first, else its primary part. */
const SQLITE_ADVICE: Readonly<Record<number, string>> = {
  3: NOT_READABLE,
  5: 'Another process keeps the file locked. End it, or wait until it has finished.',
  8: `The user of this process may not write the file, or its disk is read-only. Give that user the folder and its files, ${OTHER_FOLDER}.`,
  10: `The disk did not read or write the file. Check the disk and its free space, ${OTHER_FOLDER}.`,
  11: DAMAGED,
  13: FULL,
  14: NOT_READABLE,
  23: NOT_READABLE,
  26: DAMAGED,
  778: FULL,
  4874: FULL,
};

const CORRECT_URL = 'correct DATABASE_URL';
const SIGN_IN = `The server does not let this user sign in. Check the user name, the password and pg_hba.conf, or ${CORRECT_URL}.`;
const NO_SERVER = `No PostgreSQL answers at this address. Start it, or ${CORRECT_URL}.`;
const UNKNOWN_HOST = `The host name is not known here. Check the DNS, or ${CORRECT_URL}.`;
const UNTRUSTED =
  'The certificate of the server is not trusted. Name its authority in DATABASE_URL: sslmode=verify-full&sslrootcert=/path/ca.pem.';
const TLS_FILE =
  'Check the files that sslrootcert, sslcert and sslkey of DATABASE_URL name, and that the user of this process may read them.';
/** The message of `pg`, which has no code. */
const NO_TLS_MESSAGE = 'The server does not support SSL connections';
const NO_TLS = 'Turn on TLS at the server, or remove sslmode from DATABASE_URL.';
const NO_ENCRYPTION =
  'The server may let this user in over TLS only. Add sslmode=verify-full to DATABASE_URL, or check pg_hba.conf.';

/** Advice by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), and by code of the system. */
const POSTGRES_ADVICE: Readonly<Record<string, string>> = {
  '28000': SIGN_IN,
  '28P01': SIGN_IN,
  '3D000': `Create the database, or ${CORRECT_URL}.`,
  '3F000': 'Create a schema for the user, or set its search_path.',
  '42501':
    'The user may not create or use the tables. Grant it all rights on the schema (GRANT ALL ON SCHEMA public TO …), or make it the owner of the tables.',
  '25006': `The server is read-only, as a standby is. ${CORRECT_URL[0]?.toUpperCase()}${CORRECT_URL.slice(1)}: it must name the primary.`,
  '53100': 'The disk of the database is full. Free some space on it, then start again.',
  '53300': 'All connections of the server are in use. Raise max_connections, or end other clients.',
  '57P03': 'The server is starting or stopping. Start again in a moment.',
  '55P03': 'Another process keeps a table locked. End it, or wait until it has finished.',
  XX001: 'The database is damaged. Restore it from a backup.',
  XX002: 'The database is damaged. Restore it from a backup.',
  ECONNREFUSED: NO_SERVER,
  ENOENT: NO_SERVER,
  ETIMEDOUT: NO_SERVER,
  EHOSTUNREACH: NO_SERVER,
  ENETUNREACH: NO_SERVER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: `The certificate is one of another host. Give the server one with the name in DATABASE_URL, or ${CORRECT_URL}.`,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
};

/** Returns what the operator can do about an error of SQLite, as sentences; null if nothing is known. */
export function sqliteAdvice(error: unknown): string | null {
  const code = Number(field(error, 'errcode') ?? Number.NaN);
  return SQLITE_ADVICE[code] ?? SQLITE_ADVICE[code & 0xff] ?? null;
}

/** Returns what the operator can do about an error of PostgreSQL or of the connection to it, as sentences; null if nothing is known. */
export function postgresAdvice(error: unknown): string | null {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (field(first, 'syscall') === 'open') return TLS_FILE;
  const message = first instanceof Error ? first.message : '';
  if (message === NO_TLS_MESSAGE) return NO_TLS;
  if (message.endsWith('no encryption')) return NO_ENCRYPTION;
  return POSTGRES_ADVICE[String(field(first, 'code'))] ?? null;
}

/** Creates the StoreError of a SQLite file that cannot be opened. */
export function sqliteOpeningError(noun: string, path: string, error: unknown): StoreError {
  // The failure of a running service has the error of SQLite as its cause.
  const cause = error instanceof Failure ? error.cause : error;
  const happened = `The ${noun} ${path} cannot be opened: ${oneLine(cause)}`;
  return new StoreError(sentences(happened, isDiskFull(path) ? FULL : sqliteAdvice(cause)), { cause });
}

/** True if the disk of a file has no space: SQLite says of a file that it cannot create only that it cannot open it. */
function isDiskFull(path: string): boolean {
  try {
    return statfsSync(dirname(path)).bavail === 0;
  } catch {
    return false;
  }
}

/** Joins what happened and what to do, as sentences. */
export const sentences = (happened: string, advice: string | null): string =>
  advice === null ? happened : `${happened.replace(/\.$/, '')}. ${advice}`;

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');

const field = (error: unknown, name: 'code' | 'errcode' | 'syscall'): unknown =>
  error instanceof Error && name in error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined;
