import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Client } from 'pg';
import { expect } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { type ApiResponse, callApi } from './callApi.ts';
import { type KnownValues, replaceAt, type Shape, shapePaths, validValues } from './inputShape.ts';
import { manualClock } from './manualClock.ts';
import { createTestDatabase } from './startPostgres.ts';
import { startTestServer, type TestServer } from './startServer.ts';
import { addAccount, type StartedService, startService } from './startService.ts';

/** FUZZ_STORE=postgres sends the cases to a service on PostgreSQL. */
const ON_POSTGRES = process.env.FUZZ_STORE === 'postgres';
/** FUZZ_TIMES=50 runs fifty times as many cases. */
export const FUZZ_TIMES = Number(process.env.FUZZ_TIMES ?? 1);
export const FUZZ_TIMEOUT_MS = 60_000 * FUZZ_TIMES;

/** Marks the part of an otherwise valid input that will be replaced by an invalid one. */
export const INVALID_PLACEHOLDER = '@@wrong@@';

/** Returns the input as JSON, with the invalid text in place of the mark. */
export const jsonWith = (value: unknown, bad: string): string =>
  JSON.stringify(value).replace(JSON.stringify(INVALID_PLACEHOLDER), () => bad);

/** Codes that mean that the input itself is invalid. */
const INVALID_CODES = ['VALIDATION_ERROR', 'INVALID_JSON'];

const sessionIds = (ids: readonly string[]) => fc.constantFrom(...ids.keys()).map(index => ids[index]);

/** Tells when the database of the service changes. */
interface WatchedDatabase {
  /** Changes with every write. */
  version(): Promise<unknown>;
  close(): Promise<void> | void;
}

function watchSqlite(path: string): WatchedDatabase {
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    // https://www.sqlite.org/pragma.html#pragma_data_version
    version: async () => database.prepare('pragma data_version').get()?.data_version,
    close: () => database.close(),
  };
}

async function watchPostgres(url: string): Promise<WatchedDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const counts = rows.map(
    ({ name }) => `(select count(*) || '/' || coalesce(max(xmin::text::bigint), 0) from ${name})`,
  );
  return {
    version: async () =>
      (await client.query(`select concat_ws(',', ${counts.join(', ')}) as version`)).rows[0].version,
    close: () => client.end(),
  };
}

/** A server with known sessions, and a second connection to its database. */
export class FuzzHarness implements AsyncDisposable {
  readonly #started: StartedService;
  readonly #server: TestServer;
  readonly #database: WatchedDatabase;
  readonly #folder: string;
  /** By GraphQL field name. */
  readonly #validValues: Readonly<Record<string, fc.Arbitrary<unknown>>>;

  private constructor(
    started: StartedService,
    server: TestServer,
    {
      folder,
      database,
      sessions,
    }: { folder: string; database: WatchedDatabase; sessions: readonly string[] },
  ) {
    this.#started = started;
    this.#server = server;
    this.#folder = folder;
    this.#database = database;
    this.#validValues = validValuesByField(sessions, started.account.id);
  }

  static async start(): Promise<FuzzHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'pagespace-fuzz-'));
    const path = join(folder, 'store.db');
    // The clock stands still and there is room for one session, so that only requests write to the database.
    const url = ON_POSTGRES ? (await createTestDatabase()).url : null;
    const started = await startService({
      browser: 'fake',
      clock: manualClock(),
      capacity: 1,
      ...(url === null ? { path } : { store: await openPostgresStore(url) }),
    });
    const database = url === null ? watchSqlite(path) : await watchPostgres(url);
    // A subscription to all sessions would never end.
    const server = await startTestServer({ ...started.service, sessionUpdates: async function* () {} });
    const post = async (to: string, key: string, body: object) =>
      (await callApi(server.url, 'POST', to, { key, body })).body;
    // A session that was observed and has ended, an active one of another account, and one that does not exist.
    const ended = await post('/env/observe', started.key, { url: 'about:blank', keep_alive: true });
    await post('/session/close', started.key, { session_id: ended.session.session_id });
    const another = await addAccount(started.store, started.clock, 'another');
    const { session_id } = await post('/session/start', another.key, {});
    const sessions = [ended.session.session_id, session_id, '0b4a7c5e-0000-4000-8000-000000000000'];
    return new FuzzHarness(started, server, { folder, database, sessions });
  }

  get url(): string {
    return this.#server.url;
  }

  get key(): string {
    return this.#started.key;
  }

  /** Accepts names in snake_case and camelCase. */
  readonly knownValues: KnownValues = name =>
    this.#validValues[name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())] ?? null;

  /**
   * Sends a request and checks what every response must satisfy: no internal error, no error in the log, and nothing
   * written to the database when the request fails. Revokes the keys that it created: an account has a maximum number of active keys.
   * @returns the failure codes of the response
   */
  async sendAndCheck(send: () => Promise<ApiResponse>): Promise<string[]> {
    const before = await this.#database.version();
    this.#server.logLines.length = 0;
    const response = await send();
    const codes = failureCodes(response);
    expect(codes).not.toContain('INTERNAL');
    if (response.status >= 500) expect(codes).toEqual(['AT_CAPACITY']);
    if (response.status >= 400) expect(codes).not.toEqual([]);
    if (codes.length > 0) expect(await this.#database.version()).toBe(before);
    expect(this.#server.logLines.filter(({ level }) => level >= 50)).toEqual([]);
    if (codes.length === 0 && (await this.#database.version()) !== before) await this.#revokeCreatedKeys();
    return codes;
  }

  async #revokeCreatedKeys(): Promise<void> {
    const { account, viewer, store, clock } = this.#started;
    for (const { id, revokedAt } of await store.accounts.keys(account.id))
      if (id !== viewer.keyId && revokedAt === null)
        await store.accounts.revokeKey(account.id, id, clock.now());
  }

  /** Sends inputs in which one part is invalid: each part in turn. */
  async checkInvalidParts(
    shape: Shape,
    invalidTexts: fc.Arbitrary<string>,
    send: (value: unknown, invalidText: string) => Promise<ApiResponse>,
  ): Promise<void> {
    for (const path of shapePaths(shape))
      await fc.assert(
        fc.asyncProperty(validValues(shape, path), invalidTexts, async (value, text) => {
          await this.sendAndCheck(() => send(replaceAt(value, path, INVALID_PLACEHOLDER), text));
        }),
        { numRuns: FUZZ_TIMES },
      );
  }

  /** Checks that some valid inputs are accepted; otherwise `checkInvalidParts` proves nothing. The inputs are the same in every run. */
  async assertValidAccepted(shape: Shape, send: (value: unknown) => Promise<ApiResponse>): Promise<void> {
    let accepted = 0;
    const count = async (value: unknown) => {
      const codes = await this.sendAndCheck(() => send(value));
      if (!codes.some(code => INVALID_CODES.includes(code))) accepted += 1;
    };
    await fc.assert(fc.asyncProperty(validValues(shape), count), { numRuns: 10 * FUZZ_TIMES, seed: 1 });
    expect(accepted).toBeGreaterThan(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.close();
    await this.#server[Symbol.asyncDispose]();
    await this.#started[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true });
  }
}

const failureCodes = ({ body, text }: ApiResponse): string[] =>
  typeof body?.code === 'string'
    ? [body.code]
    : [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code ?? '');

const validValuesByField = (
  sessions: readonly string[],
  accountId: string,
): Readonly<Record<string, fc.Arbitrary<unknown>>> => ({
  sessionId: sessionIds(sessions),
  id: sessionIds(sessions),
  accountId: fc.constant(accountId),
  keyId: fc.constant('0'),
  actionId: fc.constantFrom('B1', 'S4'),
  downloadId: fc.constant('D1'),
  keyCode: fc.constant(65),
  modifiers: fc.constant(0),
  deltaX: fc.constant(10),
  deltaY: fc.constant(10),
  clicks: fc.constant(1),
  holdId: fc.constant('0b4a7c5e-0000-4000-8000-00000000001d'),
  linkId: fc.constant('0b4a7c5e-0000-4000-8000-00000000001e'),
  nodeId: fc.constant('node'),
  diffSince: fc.constant('O1'),
  since: fc.constant('O1'),
  waitFor: fc.constant('network quiet'),
  waitMs: fc.constantFrom(0, 50),
  diffOnly: fc.constant(false),
  fields: fc.constant(['session', 'actions.id']),
  url: fc.constant('https://example.com/'),
  server: fc.constant('http://93.184.216.34:3128'),
  idempotencyKey: fc.uuid(),
  reference: fc.uuid(),
  extract: fc.constant({ type: 'object', properties: { a: { type: 'string', selector: 'p' } } }),
  sessionTimeout: fc.constant(5),
  sessionTimeoutMinutes: fc.constant(5),
  minNbActions: fc.constant(1),
  min: fc.constant(1),
  max: fc.constant(20),
  maxNbActions: fc.constant(20),
  maxTokens: fc.constant(500),
  maxWidth: fc.constant(320),
  maxCharacters: fc.constant(100_000),
  cursor: fc.constant(null),
  before: fc.constant(null),
  after: fc.constant(null),
  last: fc.constant(null),
  width: fc.constant(800),
  height: fc.constant(600),
  origin: fc.constant('https://api.example.com'),
  origins: fc.constant(['https://shop.example']),
  allowHosts: fc.constant(['*.example.com']),
  denyHosts: fc.constant(['bad.example.com']),
  methods: fc.constant(['GET']),
  vaultEntries: fc.constant(['shop']),
  profiles: fc.constant(['shop']),
  minutesPerDay: fc.constant(5),
  microsPerDay: fc.constant(5),
  requireApproval: fc.constant(null),
  version: fc.constant(1),
  approvalId: fc.uuid(),
  totp: fc.constant('GEZDGNBVGY3TQOJQ'),
  username: fc.constant('ada@example.com'),
  password: fc.constant('correct horse'),
  note: fc.constant('my first school'),
  cardHolder: fc.constant('Ada Lovelace'),
  cardNumber: fc.constant('4111111111111111'),
  cardExpiry: fc.constant('12/29'),
  cardCode: fc.constant('123'),
  name: fc.constant('X-Api-Key'),
  domain: fc.constant('shop.example.com'),
  path: fc.constant('/'),
  sameSite: fc.constant(null),
  device: fc.constant('iPhone 15'),
  userAgent: fc.constant('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'),
  locale: fc.constant('de-DE'),
  timezone: fc.constant('Europe/Berlin'),
  storageState: fc.constant({ cookies: [], origins: [] }),
  profile: fc.constant(null),
  from: fc.constant('2026-03-09T14:05:00Z'),
  to: fc.constant('2026-04-09T14:05:00Z'),
});
