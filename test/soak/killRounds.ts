/** Kills a real service at random moments while it works, and compares the completed operations with its store. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { groupMembers } from '../../src/browser/limits/processTable.ts';
import { parseApiKey } from '../../src/service/accounts/apiKeys.ts';
import { dataFolder } from '../../src/store/files/dataFolder.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { type RunningProgram, runProgram } from '../main/runProgram.ts';
import { registeredBrowsers } from '../support/browserProcesses.ts';
import { servePages } from '../support/servePages.ts';

/** An operation to which the service has responded. */
interface CompletedOperation {
  readonly sessionId: string;
  readonly event: 'created' | 'observed' | 'ended';
  /** The URL of the page, for `observed`. */
  readonly url: string | null;
}

/** The result of one round. */
export interface Round {
  /** Milliseconds from the first response to the kill. */
  readonly killedAfterMs: number;
  readonly completed: number;
  /** Sentences; empty when the round has found no fault. */
  readonly faults: readonly string[];
}

const CALLERS = 4;
/** The kill comes at a random moment within this time after the first response. */
const MAX_KILL_DELAY_MS = 1_200;

/**
 * @param folder the data folder of all rounds
 * @param onRound called after each round
 */
export async function killRounds(
  folder: string,
  rounds: number,
  onRound?: (round: Round) => void,
): Promise<Round[]> {
  await using pages = await servePages({ '/': '<title>A page</title><a href="/">Again</a>' });
  const env = {
    PORT: '0',
    PAGESPACE_DATA_DIR: folder,
    PAGESPACE_WARM_CONTEXTS: '1',
    PAGESPACE_EGRESS_ALLOW: new URL(pages.url).host,
    LOG_LEVEL: 'warn',
  };
  const found: Round[] = [];
  let key = '';
  for (let n = 0; n < rounds; n++) {
    const running = runProgram(['serve'], env);
    const [, url = ''] = await running.waitForOutput(/listens on (\S+)/);
    await running.waitForOutput(/\n.*(curl|keys -- create).*\n$/);
    key ||=
      running
        .out()
        .split('\n')
        .find(line => parseApiKey(line) !== null) ?? '';
    const killedAfterMs = Math.random() * MAX_KILL_DELAY_MS;
    let faults: string[];
    let completed: CompletedOperation[];
    try {
      faults = await activeAfterStart(url, key);
      completed = await workUntilKilled(running, { url, key, page: pages.url }, killedAfterMs);
    } finally {
      running.child.kill('SIGKILL');
      await running.result;
    }
    const round = {
      killedAfterMs,
      completed: completed.length,
      faults: [...faults, ...(await verifyStore(folder, completed))],
    };
    found.push(round);
    onRound?.(round);
  }
  const last = runProgram(['serve'], env);
  const left = registeredBrowsers(join(folder, 'browsers'));
  const [, url = ''] = await last.waitForOutput(/listens on (\S+)/);
  const faults = [
    ...(await activeAfterStart(url, key)),
    ...left.flatMap(({ group }) =>
      groupMembers(group).map(({ pid }) => `process ${pid} of a browser is left`),
    ),
  ];
  last.child.kill('SIGTERM');
  await last.result;
  found.push({ killedAfterMs: 0, completed: 0, faults });
  return found;
}

/** Right after a start no session may be listed as active. */
async function activeAfterStart(url: string, key: string): Promise<string[]> {
  const response = await fetch(`${url}/sessions?status=active`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { sessions } = (await response.json()) as { sessions: { session_id: string }[] };
  return sessions.map(({ session_id }) => `session ${session_id} is listed as active after a restart`);
}

async function workUntilKilled(
  running: RunningProgram,
  { url, key, page }: { url: string; key: string; page: string },
  killAfterMs: number,
): Promise<CompletedOperation[]> {
  const completed: CompletedOperation[] = [];
  let count = 0;
  const fire = once(() => setTimeout(() => running.child.kill('SIGKILL'), killAfterMs));
  const call = async (path: string, body: object): Promise<string> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { session_id?: string; session?: { session_id: string } };
    if (!response.ok) throw new Error(`${path} responded ${JSON.stringify(answer)}`);
    fire();
    return answer.session_id ?? answer.session?.session_id ?? '';
  };
  const caller = async (): Promise<void> => {
    for (;;) {
      const session_id = await call('/session/start', {});
      completed.push({ sessionId: session_id, event: 'created', url: null });
      for (let n = 0; n < 3; n++) {
        const target = `${page}/?${++count}`;
        await call('/env/observe', { session_id, url: target });
        completed.push({ sessionId: session_id, event: 'observed', url: target });
      }
      // Every fourth session stays open.
      if (count % 4 === 0) continue;
      await call('/session/close', { session_id });
      completed.push({ sessionId: session_id, event: 'ended', url: null });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: CALLERS }, caller));
  // When no caller has received a response, the service has not been killed yet.
  running.child.kill('SIGKILL');
  await running.result;
  const refused = ends.flatMap(end =>
    end.status === 'rejected' && /responded/.test(String(end.reason)) ? [end.reason] : [],
  );
  if (refused.length > 0)
    throw new Error('the service refused an operation that it should complete', { cause: refused[0] });
  return completed;
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

async function verifyStore(folder: string, completed: readonly CompletedOperation[]): Promise<string[]> {
  const { databasePath } = dataFolder(folder);
  const faults: string[] = [];
  const database = new DatabaseSync(databasePath);
  const [integrity] = database.prepare('pragma integrity_check').all();
  if (integrity?.integrity_check !== 'ok') faults.push(`the store is damaged: ${JSON.stringify(integrity)}`);
  const rows = database.prepare('select id, account_id, last_seq from sessions').all();
  database.close();
  const store = await openSqliteStore(databasePath);
  try {
    const { findings } = await store.auditLedger();
    faults.push(...findings.map(finding => `the ledger does not agree: ${JSON.stringify(finding)}`));
    for (const row of rows)
      faults.push(...(await sessionFaults(store, String(row.id), Number(row.last_seq))));
    for (const [sessionId, operations] of Map.groupBy(completed, one => one.sessionId)) {
      const events = await store.sessions.events(sessionId, 0, 1_000);
      for (const { event: did, url } of operations)
        if (
          !events.some(
            ({ event }) => event.type === did && (url === null || ('url' in event && event.url === url)),
          )
        )
          faults.push(`"${did}" of session ${sessionId} was completed and is not stored`);
    }
  } finally {
    await store.close();
  }
  return faults;
}

/** Events of operations with a ledger row each: the callers here start, observe and close. */
const OPERATIONS = new Set(['created', 'observed', 'failed']);

async function sessionFaults(store: Store, id: string, lastSeq: number): Promise<string[]> {
  const events = await store.sessions.events(id, 0, 100_000);
  const isWhole = events.length === lastSeq && events.every(({ seq }, index) => seq === index + 1);
  // Throws when the stored JSON is incomplete.
  await store.sessions.observations([id]);
  const [usage] = await store.ledger.sessionUsage([id]);
  const operations = events.filter(({ event }) => OPERATIONS.has(event.type)).length;
  return [
    ...(isWhole ? [] : [`the events of session ${id} have gaps`]),
    ...(usage?.operations === operations
      ? []
      : [`session ${id} has ${operations} operations and ${usage?.operations} charges`]),
  ];
}
