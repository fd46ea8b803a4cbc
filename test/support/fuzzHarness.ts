import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type ApiResponse, callApi } from './callApi.ts';
import { type KnownValues, replaceAt, type Shape, shapePaths, validValues } from './inputShape.ts';
import { manualClock } from './manualClock.ts';
import { startTestServer, type TestServer } from './startServer.ts';
import { addAccount, type StartedService, startService } from './startService.ts';

/** FUZZ_TIMES=50 tries everything fifty times as often. */
export const FUZZ_TIMES = Number(process.env.FUZZ_TIMES ?? 1);
export const FUZZ_TIMEOUT_MS = 60_000 * FUZZ_TIMES;

/** Stands for what is wrong in a value that is right else. */
export const INVALID_PLACEHOLDER = '@@wrong@@';

/** The value as JSON, with the wrong text in its place. */
export const jsonWith = (value: unknown, bad: string): string =>
  JSON.stringify(value).replace(JSON.stringify(INVALID_PLACEHOLDER), () => bad);

/** Refusals of what is wrong in itself. */
const INVALID_CODES = ['VALIDATION_ERROR', 'INVALID_JSON'];

/** What was right was done so often that there is no room left. */
const LIMIT_REACHED = /keys that work/;

const sessionIds = (ids: readonly string[]) => fc.constantFrom(...ids.keys()).map(index => ids[index]);

/** The doors, and a look at the store from outside. */
export class FuzzHarness implements AsyncDisposable {
  readonly #started: StartedService;
  readonly #server: TestServer;
  readonly #database: DatabaseSync;
  readonly #folder: string;
  /** Values that are right, by the names of fields. */
  readonly #validValues: Readonly<Record<string, fc.Arbitrary<unknown>>>;

  private constructor(
    started: StartedService,
    doors: TestServer,
    { folder, path, sessions }: { folder: string; path: string; sessions: readonly string[] },
  ) {
    this.#started = started;
    this.#server = doors;
    this.#folder = folder;
    this.#database = new DatabaseSync(path, { readOnly: true });
    this.#validValues = validValuesByField(sessions, started.account.id);
  }

  static async start(): Promise<FuzzHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'pagespace-fuzz-'));
    const path = join(folder, 'store.db');
    // Time stands still, so that nothing is written but what a request writes. There is room for one session alone.
    const started = await startService({ path, clock: manualClock(), capacity: 1 });
    // News of all sessions would never end.
    const doors = await startTestServer({ ...started.service, sessionUpdates: async function* () {} });
    const post = async (to: string, key: string, body: object) =>
      (await callApi(doors.url, 'POST', to, { key, body })).body;
    // One that was observed and has ended, one that another account runs, and one that never was.
    const ended = await post('/env/observe', started.key, { url: 'about:blank', keep_alive: true });
    await post('/session/close', started.key, { session_id: ended.session.session_id });
    const another = await addAccount(started.store, started.clock, 'another');
    const { session_id } = await post('/session/start', another.key, {});
    const sessions = [ended.session.session_id, session_id, '0b4a7c5e-0000-4000-8000-000000000000'];
    return new FuzzHarness(started, doors, { folder, path, sessions });
  }

  get url(): string {
    return this.#server.url;
  }

  get key(): string {
    return this.#started.key;
  }

  /** Both ways of writing a name mean the same. */
  readonly knownValues: KnownValues = name =>
    this.#validValues[name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())] ?? null;

  /**
   * Sends it, and looks whether it was answered as anything may be: no fault of ours, and where it was refused nothing was
   * written. @returns its codes
   */
  async sendAndCheck(send: () => Promise<ApiResponse>): Promise<string[]> {
    const before = this.#dataVersion();
    this.#server.logLines.length = 0;
    const answer = await send();
    const codes = failureCodes(answer);
    expect(codes).not.toContain('INTERNAL');
    if (answer.status >= 500) expect(codes).toEqual(['AT_CAPACITY']);
    if (answer.status >= 400) expect(codes).not.toEqual([]);
    if (codes.length > 0) expect(this.#dataVersion()).toBe(before);
    expect(this.#server.logLines.filter(({ level }) => level >= 50)).toEqual([]);
    return codes;
  }

  /** Every part is sent wrong, while the rest is right. */
  async assertInvalidRejected(
    shape: Shape,
    bad: fc.Arbitrary<string>,
    send: (value: unknown, bad: string) => Promise<ApiResponse>,
  ): Promise<void> {
    for (const path of shapePaths(shape))
      await fc.assert(
        fc.asyncProperty(validValues(shape, path), bad, async (value, text) => {
          await this.sendAndCheck(() => send(replaceAt(value, path, INVALID_PLACEHOLDER), text));
        }),
        { numRuns: 3 * FUZZ_TIMES },
      );
  }

  /** Now and then what is right is not refused as wrong: else nothing would have been tried above. */
  async assertValidAccepted(shape: Shape, send: (value: unknown) => Promise<ApiResponse>): Promise<void> {
    let arrived = 0;
    const count = async (value: unknown) => {
      let told = '';
      const codes = await this.sendAndCheck(async () => {
        const answer = await send(value);
        told = answer.text;
        return answer;
      });
      if (!codes.some(code => INVALID_CODES.includes(code)) || LIMIT_REACHED.test(told)) arrived += 1;
    };
    await fc.assert(fc.asyncProperty(validValues(shape), count), { numRuns: 10 * FUZZ_TIMES });
    expect(arrived).toBeGreaterThan(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
    await this.#server[Symbol.asyncDispose]();
    await this.#started[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true });
  }

  /** Changes with every commit to the store (https://www.sqlite.org/pragma.html#pragma_data_version). */
  #dataVersion(): unknown {
    return this.#database.prepare('pragma data_version').get()?.data_version;
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
  actionId: fc.constantFrom('B1', 'S4'),
  downloadId: fc.constant('D1'),
  diffSince: fc.constant('O1'),
  since: fc.constant('O1'),
  diffOnly: fc.constant(false),
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
  from: fc.constant('2026-03-09T14:05:00Z'),
  to: fc.constant('2026-04-09T14:05:00Z'),
});
