import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import {
  type Account,
  type ApiKey,
  type KeyScope,
  startOfUtcDay,
  type Tier,
} from '../domain/account/account.ts';
import type { AccountStore } from '../domain/ports/accountStore.ts';
import { normalizeText } from '../domain/space/pageText.ts';
import { terminalJson } from '../domain/terminalText.ts';
import { issueApiKey } from '../service/accounts/apiKeys.ts';
import { profileContext } from '../service/secrets/profiles.ts';
import { sealBytes, unsealBytes } from '../service/secrets/sealedBytes.ts';
import { vaultContext } from '../service/secrets/vault.ts';
import { systemClock } from '../service/systemClock.ts';
import { addSecretsKey, dataFolder } from '../store/files/dataFolder.ts';
import { backupDatabase } from '../store/sqlite/openDatabase.ts';
import type { SealedRow, Store } from '../store/store.ts';
import { ensureLocalAccount } from './engines.ts';
import { commandHint, loadConfig } from './loadConfig.ts';

/**
 * Opens the store (of DATABASE_URL, otherwise of PAGESPACE_DATA_DIR), calls `use` and closes the store. Locks nothing: a
 * service may be using it, and the database separates their transactions.
 * @throws ConfigError when the configuration is not valid; StoreError when the store cannot be opened
 */
async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = loadConfig(process.env).config;
  const store = await (databaseUrl === null ? openEmbedded(dataDir) : openDatabase(databaseUrl));
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

// Each store is loaded only where it is used, because loading takes most of the time of a command.
const openEmbedded = async (dataDir: string): Promise<Store> =>
  (await import('../store/sqlite/sqliteStore.ts')).openSqliteStore(dataFolder(dataDir).databasePath);

const openDatabase = async (url: string): Promise<Store> =>
  (await import('../store/postgres/postgresStore.ts')).openPostgresStore(url, {
    maxConnections: 2,
    statementTimeoutMs: null,
  });

/** Creates an account and prints only its id on standard output. */
export async function createAccount(name: string, tier: Tier): Promise<void> {
  await withStore(async ({ accounts }) => {
    const account: Account = { id: randomUUID(), name, tier, createdAt: systemClock.now() };
    await accounts.createAccount(account);
    process.stderr.write(
      `Created account "${name}" (${tier}). To create a key for it: ${commandHint('keys', `create --account ${account.id}`)}\n`,
    );
    process.stdout.write(`${account.id}\n`);
  });
}

/** Prints all accounts with tier and balance, one per line, oldest first; with `json` as one array, with balances in micro-units. */
export async function listAccounts({ json }: { readonly json: boolean }): Promise<void> {
  await withStore(async ({ accounts, ledger }) => {
    const rows = [];
    for (const account of await accounts.allAccounts()) {
      const { balanceMicros } = await ledger.accountBalance(account.id, '', startOfUtcDay(systemClock.now()));
      rows.push({ ...account, createdAt: new Date(account.createdAt).toISOString(), balanceMicros });
    }
    if (json) return void process.stdout.write(`${terminalJson(rows, 2)}\n`);
    for (const { balanceMicros, ...account } of rows) {
      const created = account.createdAt.slice(0, 10);
      const columns = [
        account.id,
        account.tier.padEnd(13),
        `balance ${balanceMicros}`,
        `created ${created}`,
        normalizeText(account.name),
      ];
      process.stdout.write(`${columns.join('  ')}\n`);
    }
  });
}

/** Adds an amount, once for each reference, to the balance of an account, and prints it in micro-units. @throws Error when there is no such account */
export async function creditAccount(
  accountId: string,
  amountMicros: number,
  reference: string,
): Promise<void> {
  await withStore(async ({ accounts, ledger }) => {
    const [account] = await accounts.accounts([accountId]);
    if (account == null)
      throw new Error(
        `There is no account ${accountId}. To list the accounts: ${commandHint('accounts', 'list')}`,
      );
    const at = systemClock.now();
    const entry = await ledger.credit({ accountId, amountMicros, reference, at });
    if (entry.at !== at)
      process.stderr.write(
        `The reference "${reference}" was credited before, with ${entry.amountMicros} micro-units. Nothing was added.\n`,
      );
    const { balanceMicros } = await ledger.accountBalance(accountId, '', startOfUtcDay(at));
    process.stdout.write(`${balanceMicros}\n`);
  });
}

const MS_PER_DAY = 86_400_000;

/** Creates an API key and prints only the key on standard output; its id and scopes go to standard error. */
export async function createKey(options: {
  name: string;
  scopes: readonly KeyScope[];
  expiresInDays: number | null;
  /** The id of the account; null for the local account. */
  account: string | null;
  spendCapMicros: number | null;
}): Promise<void> {
  await withStore(async ({ accounts, auditLog }) => {
    const now = systemClock.now();
    const account = await resolveAccount(accounts, options.account);
    const expiresAt = options.expiresInDays === null ? null : now + options.expiresInDays * MS_PER_DAY;
    const { name, scopes, spendCapMicros } = options;
    const id = randomUUID();
    const record = { at: now, actor: 'operator', subject: id, details: { name, scopes } };
    const { text, key } = await auditLog.append(account.id, { ...record, action: 'key.created' }, stores =>
      issueApiKey(
        stores.accounts,
        { id, accountId: account.id, name, scopes, expiresAt, spendCapMicros },
        now,
      ),
    );
    process.stderr.write(`Created key ${key.id} (${scopes.join(', ')}). It is shown only once:\n`);
    process.stdout.write(`${text}\n`);
  });
}

/** Prints the API keys of an account (default: local), one per line, oldest first; with `json` as one array. Prints only the start of each key. */
export async function listKeys(options: { account: string | null; json: boolean }): Promise<void> {
  await withStore(async ({ accounts }) => {
    const account = await resolveAccount(accounts, options.account);
    const keys = await accounts.keys(account.id);
    if (options.json) return void process.stdout.write(`${terminalJson(keys.map(keyFields), 2)}\n`);
    if (keys.length === 0)
      process.stderr.write(`There are no keys. To create one: ${commandHint('keys', 'create')}\n`);
    for (const key of keys) process.stdout.write(`${formatKey(key)}\n`);
  });
}

/** Revokes an API key and prints it; a running service rejects it within five seconds. @throws Error when the key does not exist */
export async function revokeKey(id: string, options: { account: string | null }): Promise<void> {
  await withStore(async ({ accounts, auditLog }) => {
    const account = await resolveAccount(accounts, options.account);
    const at = systemClock.now();
    const record = { at, actor: 'operator', action: 'key.revoked', subject: id, details: {} } as const;
    const key = await auditLog.append(account.id, record, async stores => {
      const revoked = await stores.accounts.revokeKey(account.id, id, at);
      if (revoked !== null) return revoked;
      throw new Error(`There is no key ${id}. To list the keys: ${commandHint('keys', 'list')}`);
    });
    process.stdout.write(`${formatKey(key)}\n`);
  });
}

/** Returns the account with this id; the local account for null. @throws Error when the account does not exist */
async function resolveAccount(accounts: AccountStore, id: string | null): Promise<Account> {
  if (id === null) return ensureLocalAccount(accounts, systemClock);
  const [account] = await accounts.accounts([id]);
  if (account != null) return account;
  throw new Error(`There is no account ${id}. To list the accounts: ${commandHint('accounts', 'list')}`);
}

const keyFields = (key: ApiKey) => ({
  id: key.id,
  prefix: key.prefix,
  name: key.name,
  state: stateOf(key),
  scopes: key.scopes,
  createdAt: isoTime(key.createdAt),
  lastUsedAt: isoTime(key.lastUsedAt),
  expiresAt: isoTime(key.expiresAt),
  revokedAt: isoTime(key.revokedAt),
});

const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const stateOf = (key: ApiKey): 'valid' | 'expired' | 'revoked' =>
  key.revokedAt !== null ? 'revoked' : isExpired(key) ? 'expired' : 'valid';

const formatKey = (key: ApiKey): string =>
  [
    key.id,
    `${key.prefix}…`,
    stateOf(key).padEnd(7),
    `created ${formatDate(key.createdAt)}`,
    `used ${key.lastUsedAt === null ? 'never' : formatDate(key.lastUsedAt)}`,
    ...(key.expiresAt === null ? [] : [`expires ${formatDate(key.expiresAt)}`]),
    key.scopes.join(','),
    normalizeText(key.name),
  ].join('  ');

const isExpired = (key: ApiKey): boolean => key.expiresAt !== null && key.expiresAt <= systemClock.now();
const formatDate = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Prints the audit as a table, or as JSON. Sets the exit code 1 if something does not agree. */
export async function auditLedgerCommand({ json }: { readonly json: boolean }): Promise<void> {
  await withStore(async store => {
    const audit = await store.auditLedger();
    if (audit.findings.length > 0) process.exitCode = 1;
    if (json) {
      process.stdout.write(`${terminalJson(audit, 2)}\n`);
      return;
    }
    const { accounts, sessions, ledgerRows, rules, findings } = audit;
    const counts = [
      counted(accounts, 'account'),
      counted(sessions, 'session'),
      counted(ledgerRows, 'ledger row'),
    ];
    process.stdout.write(`${counts.join(', ')}\n`);
    for (const rule of rules) {
      const broken = findings.filter(finding => finding.rule === rule);
      process.stdout.write(`${broken.length === 0 ? 'ok    ' : 'BROKEN'}  ${rule}\n`);
      for (const { accountId, subject, expected, found } of broken)
        process.stdout.write(
          `        account ${accountId}${subject === null ? '' : `, ${normalizeText(subject)}`}: expected ${expected}, found ${found}\n`,
        );
    }
  });
}

/** Checks the audit log, and prints the newest row of each account, or the check as JSON. Sets the exit code 1 if a chain is broken. */
export async function auditLogCommand({ json }: { readonly json: boolean }): Promise<void> {
  await withStore(async store => {
    const check = await store.auditLog.check();
    const { rows, heads, broken } = check;
    if (broken.length > 0) process.exitCode = 1;
    if (json) return void process.stdout.write(`${terminalJson(check, 2)}\n`);
    process.stdout.write(`${counted(rows, 'row')} of ${counted(heads.length, 'account')}\n`);
    for (const { accountId, seq, hash } of heads) {
      const found = broken.find(each => each.accountId === accountId);
      const line = `account ${accountId}, row ${found?.seq ?? seq}`;
      process.stdout.write(
        found === undefined ? `ok      ${line}: ${hash}\n` : `BROKEN  ${line}: ${found.reason}\n`,
      );
    }
  });
}

/** Encrypts profiles and vault entries with the first key; exit code 1 if no key opens some. @throws DataFolderError while a service uses the folder */
export async function rotateSecretsCommand(): Promise<void> {
  const { secretsKeys, dataDir } = loadConfig(process.env).config;
  const folder = dataFolder(dataDir);
  const unlock = secretsKeys === null ? folder.lock() : () => {};
  try {
    const added = secretsKeys === null ? addSecretsKey(folder.path) : null;
    const keys = secretsKeys ?? added?.keys ?? [];
    let unreadable = 0;
    const reseal = ({ kind, accountId, name, origins, sealed }: SealedRow): string | null => {
      const context =
        kind === 'profile' ? profileContext(accountId, name) : vaultContext(accountId, { name, origins });
      try {
        return sealBytes(keys, context, unsealBytes(keys, context, sealed));
      } catch {
        unreadable++;
        process.stderr.write(
          `No key opens the ${kind} "${normalizeText(name)}" of the account ${accountId}.\n`,
        );
        return null;
      }
    };
    await withStore(async store => {
      process.stdout.write(`${counted(await store.reseal(reseal), 'encrypted content')} with the new key\n`);
    });
    if (unreadable > 0) process.exitCode = 1;
    else added?.forgetOthers();
  } finally {
    unlock();
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Names in the folder besides its database: files of sessions, their records, the key of secrets, the name of the node, the key of this user. */
const COPIED = ['sessions', 'records', 'secrets-key', 'node-id', 'key', 'url'];

/**
 * Copies the store and the files of sessions to a new folder, which a service can use as its data folder: that is the restore.
 * The database comes first, so each file that it names is in the copy unless it was deleted meanwhile.
 * @param given the folder to write; default: `backup-<time>` beside the data folder
 * @throws Error when the folder exists, when the service is a node of a cluster, or when the copy fails; nothing is left then
 */
export async function backupCommand(given: string | undefined): Promise<void> {
  const { databaseUrl, dataDir } = loadConfig(process.env).config;
  if (databaseUrl !== null)
    throw new Error(
      'The store of a cluster is PostgreSQL: back it up with pg_dump. docs/operating.md says how.',
    );
  const { path, databasePath } = dataFolder(dataDir);
  if (!existsSync(databasePath)) throw new Error(`${path} has no store yet. Start the service first.`);
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-');
  const target = resolve(given ?? join(path, '..', `backup-${time}`));
  if (existsSync(target)) throw new Error(`${target} exists. Name a folder that does not.`);
  const partial = `${target}.partial`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    await backupDatabase(databasePath, join(partial, 'store.sqlite'));
    for (const name of COPIED) {
      const source = join(path, name);
      if (existsSync(source))
        await cp(source, join(partial, name), { recursive: true, preserveTimestamps: true });
    }
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  process.stdout.write(`${target}\n`);
}

/** Brings the schema of the store up to date, and prints that it is. Can run while nodes of the version before run. */
export async function migrateCommand(): Promise<void> {
  await withStore(async () => {
    process.stdout.write('The schema of the store is up to date.\n');
  });
}

/**
 * Asks the service of PAGESPACE_DATA_DIR, or a node of the cluster, to drain: it takes no new sessions, and stops when the
 * running ones have ended or PAGESPACE_DRAIN_SECONDS of its own configuration have passed.
 * @param nodeId the node of the cluster; null for the service that uses the data folder
 * @throws Error if no service uses the data folder, or a node is named without NATS_URL
 */
export async function drainCommand(nodeId: string | null): Promise<void> {
  const { config } = loadConfig(process.env);
  if (nodeId !== null) {
    await announceDrain(config, nodeId);
    process.stdout.write(`Node ${nodeId} was asked to drain.\n`);
    return;
  }
  const folder = dataFolder(config.dataDir);
  const owner = folder.lockOwner();
  if (owner === null) throw new Error(`No service uses the data folder ${folder.path}.`);
  process.kill(owner.pid, 'SIGTERM');
  process.stdout.write(`Process ${owner.pid} was asked to drain.\n`);
}

async function announceDrain(config: Config, nodeId: string): Promise<void> {
  const { natsUrl, natsCredentials, natsCa } = config;
  if (natsUrl === null) throw new Error('--node names a node of a cluster: set NATS_URL and DATABASE_URL.');
  const [{ connectNats }, { natsMessenger }, { announce }] = await Promise.all([
    import('../bus/natsConnection.ts'),
    import('../bus/natsMessenger.ts'),
    import('../service/cluster/nodeMethods.ts'),
  ]);
  const messenger = natsMessenger(
    await connectNats({
      url: natsUrl,
      name: 'pagespace drain',
      ...(natsCredentials !== null && { credentialsFile: natsCredentials }),
      ...(natsCa !== null && { caFile: natsCa }),
    }),
  );
  announce(messenger, 'drain', { nodeId });
  await messenger.close();
}
