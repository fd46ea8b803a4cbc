import { Readable } from 'node:stream';
import type { Viewer } from '../../domain/account/account.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { NodeEpoch } from '../../domain/ports/nodes.ts';
import type { SessionFile } from '../../domain/ports/sessionFileStore.ts';
import type { PageLogEntries, PageLogKind } from '../../domain/session/pageLog.ts';
import { isActive, type Session } from '../../domain/session/session.ts';
import type { ScreencastFrame } from '../../domain/session/takeOver.ts';
import type { Pagespace } from '../pagespace.ts';
import { RECORD_READS, type RecordRead } from '../sessions/sessionRecords.ts';
import { type CallOptions, decodeResult, NodeGone } from './nodeClient.ts';
import { CHANGE_NAMES, CHANGES, type Change } from './nodeMethods.ts';
import type { RoutingDeps } from './sessionRouter.ts';

/** A start gives up an engine that is away for this time, in milliseconds. */
const MAX_WAIT_MS = 8_000;
const PAUSE_MS = 250;

/**
 * Runs `work` until it succeeds or an engine has been away for eight seconds: a start on a busy machine, or beside an engine that
 * starts too, should not fail because one connection came late.
 * @throws the last error of `work`
 */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  clock: Pick<Clock, 'monotonicNow' | 'scheduleAfter'>,
): Promise<Result> {
  const giveUpAt = clock.monotonicNow() + MAX_WAIT_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isFailure(error, 'DEPENDENCY_UNAVAILABLE') || clock.monotonicNow() >= giveUpAt) throw error;
      await new Promise<void>(resolve => void clock.scheduleAfter(PAUSE_MS, resolve));
    }
}

const READ_TIMEOUT_MS = 5_000;
/** Maximum wait for the unwritten state of another node's sessions, in milliseconds: the stored state serves too. */
const STATE_TIMEOUT_MS = 1_000;
/** An upload takes as long as its caller sends: its node restarts its deadline at each chunk. */
const UPLOAD_TIMEOUT_MS = 86_400_000;

const NEVER = new AbortController().signal;

/** Creates the reads and streams that ask the node of the session. @param fileHost returns the node whose disk has the files of a session; null for this node. Throws DEPENDENCY_UNAVAILABLE if that node is down */
export function createRoutedReads(
  { node, client, router, directory }: RoutingDeps,
  fileHost: (sessionId: string) => Promise<NodeEpoch | null>,
) {
  const { pagespace } = node;
  const read = (timeoutMs = READ_TIMEOUT_MS): CallOptions => ({ signal: NEVER, timeoutMs, hasEffect: false });

  async function withLiveStates<One extends Session | null>(
    sessions: readonly One[],
  ): Promise<readonly (One | Session)[]> {
    const remote = sessions.flatMap(each =>
      each !== null && isActive(each) && !node.runs(each.id) ? [each.id] : [],
    );
    if (remote.length === 0) return sessions;
    const owners = await directory.owners(remote);
    const byOwner = Map.groupBy(
      remote.keys().filter(index => owners[index] != null),
      index => owners[index]?.epoch,
    );
    const states = await Promise.all(
      [...byOwner.values()].map(async indexes => {
        const owner = owners[indexes[0] ?? 0];
        if (owner == null) return [];
        const ids = indexes.map(index => remote[index]);
        // The stored state is right too; it lacks what has happened since the last operation ended.
        const found = await client
          .call(owner, 'currentStates', [ids], read(STATE_TIMEOUT_MS))
          .catch(() => []);
        return found as readonly (Session | null)[];
      }),
    );
    const current = new Map(states.flat().flatMap(each => (each === null ? [] : [[each.id, each] as const])));
    return sessions.map(each => (each === null ? each : (current.get(each.id) ?? each)));
  }

  /** A node that has just stopped has nothing to read any more: then `otherwise` runs. */
  async function readThere<T>(
    owner: NodeEpoch,
    method: string,
    args: readonly unknown[],
    otherwise: () => T | Promise<T>,
  ): Promise<T> {
    try {
      return (await client.call(owner, method, args, read())) as T;
    } catch (error) {
      if (error instanceof NodeGone) return otherwise();
      throw error;
    }
  }

  const change =
    (name: Change) =>
    (viewer: Viewer, command: { readonly sessionId: string }): Promise<unknown> =>
      router.route(
        command.sessionId,
        NEVER,
        () => (pagespace[name] as (viewer: Viewer, command: unknown) => Promise<unknown>)(viewer, command),
        async owner => {
          const options = { signal: NEVER, timeoutMs: CHANGES[name], hasEffect: true };
          return client.call(owner, name, [viewer, command], options);
        },
      );

  /** Runs a read of a record on the node whose disk has it. @throws Failure DEPENDENCY_UNAVAILABLE if that node has stopped */
  const onDiskOf = async <T>(
    sessionId: string,
    name: RecordRead | 'observationDiff' | 'removeRecord',
    args: readonly unknown[],
  ): Promise<T> => {
    const host = await fileHost(sessionId);
    if (host === null) return (pagespace[name] as (...args: readonly unknown[]) => Promise<T>)(...args);
    return readThere<T>(host, name, args, () => Promise.reject(nodeDownFailure()));
  };
  const recordRead =
    (name: RecordRead) =>
    (sessionId: string, ...args: readonly unknown[]): Promise<unknown> =>
      onDiskOf(sessionId, name, [sessionId, ...args]);

  // Each has the types of its local form.
  const changes = Object.fromEntries(CHANGE_NAMES.map(name => [name, change(name)])) as unknown;
  const recordReads = Object.fromEntries(RECORD_READS.map(name => [name, recordRead(name)])) as unknown;
  const routed = {
    async *followPageLog<Kind extends PageLogKind>(
      sessionId: string,
      kind: Kind,
      after: number,
      signal: AbortSignal,
    ) {
      const host = await fileHost(sessionId);
      if (host === null) return yield* pagespace.followPageLog(sessionId, kind, after, signal);
      const call = { signal, timeoutMs: READ_TIMEOUT_MS, hasEffect: false };
      const stream = await client
        .stream(host, 'followPageLog', [sessionId, kind, after], call)
        .catch((error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        });
      if (stream !== null) yield* decodeItems<readonly PageLogEntries[Kind][]>(stream.items, signal);
    },
    removeRecord: (viewer, sessionId) => onDiskOf(sessionId, 'removeRecord', [viewer, sessionId]),

    async sessions(viewer, ids) {
      return withLiveStates(await pagespace.sessions(viewer, ids));
    },

    async listSessions(viewer, options) {
      const page = await pagespace.listSessions(viewer, options);
      const current = await withLiveStates(page.rows.map(({ session }) => session));
      return {
        ...page,
        rows: page.rows.map((row, index) => ({ ...row, session: current[index] ?? row.session })),
      };
    },

    async tabs(sessionId) {
      const owner = await router.otherOwner(sessionId);
      return owner === null ? pagespace.tabs(sessionId) : readThere(owner, 'tabs', [sessionId], () => []);
    },

    observationDiff: (...args) => onDiskOf(args[0], 'observationDiff', args),

    async listFiles(sessionId, kind) {
      const host = await fileHost(sessionId);
      if (host === null) return pagespace.listFiles(sessionId, kind);
      return readThere<readonly SessionFile[]>(host, 'listFiles', [sessionId, kind], () => {
        throw filesUnreachableFailure();
      });
    },

    async openDownload(viewer, sessionId, fileId) {
      const host = await fileHost(sessionId);
      if (host === null) return pagespace.openDownload(viewer, sessionId, fileId);
      try {
        const { value, items } = await client.stream(
          host,
          'openDownload',
          [viewer, sessionId, fileId],
          read(),
        );
        return {
          file: value as SessionFile,
          bytes: Readable.toWeb(Readable.from(items)) as ReadableStream<Uint8Array>,
        };
      } catch (error) {
        if (!(error instanceof NodeGone)) throw error;
        throw filesUnreachableFailure(error);
      }
    },

    uploadFile(viewer, command) {
      const { chunks, signal, ...input } = command;
      return router.route(
        command.sessionId,
        signal,
        () => pagespace.uploadFile(viewer, command),
        async owner => {
          const options = { signal, timeoutMs: UPLOAD_TIMEOUT_MS, hasEffect: true, body: chunks };
          return (await client.call(owner, 'uploadFile', [viewer, input], options)) as SessionFile;
        },
      );
    },

    frames(viewer, sessionId, options, signal) {
      return router.route(
        sessionId,
        signal,
        () => pagespace.frames(viewer, sessionId, options, signal),
        async owner => {
          const call = { signal, timeoutMs: READ_TIMEOUT_MS, hasEffect: false };
          const { items } = await client.stream(owner, 'frames', [viewer, sessionId, options], call);
          return decodeItems<ScreencastFrame>(items, signal);
        },
      );
    },
  } satisfies Partial<Pagespace>;
  return {
    ...routed,
    ...(changes as Pick<Pagespace, Change>),
    ...(recordReads as Pick<Pagespace, RecordRead>),
  };
}

const nodeDownFailure = (): Failure =>
  new Failure('DEPENDENCY_UNAVAILABLE', 'The node that has the record of this session does not run.', {
    retryAfterSeconds: 30,
  });

/** Creates the failure of a read of files whose node is down: they are on its disk, and there again when it is. */
export const filesUnreachableFailure = (cause?: unknown): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'The node that has the files of this session does not answer. They can be read when it runs again.',
    { cause, retryAfterSeconds: 5 },
  );

/** Yields what another node streams. Like a local stream, it ends when the signal aborts or the session ends. */
async function* decodeItems<Item>(
  items: AsyncGenerator<Uint8Array, void, undefined>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  try {
    for await (const item of items) yield decodeResult(item) as Item;
  } catch (error) {
    // A node that has stopped has ended the session, and its frames with it.
    if (!signal.aborted && !(error instanceof NodeGone) && !isFailure(error, 'DEPENDENCY_UNAVAILABLE'))
      throw error;
  }
}
