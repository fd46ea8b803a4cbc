/** The files of a session: what its pages downloaded, and what callers uploaded for them. */
import { type KeyScope, scopesCover, type Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { SessionFile, SessionFileKind, SessionFiles } from '../domain/ports.ts';
import type { OperationDeadline } from './deadline.ts';
import { LiveSession } from './liveSession.ts';
import type { LiveSessions } from './liveSessions.ts';
import type { Till } from './till.ts';

/** A file on its way in. */
export interface UploadCommand {
  readonly sessionId: string;
  /** What the file is called; made safe, so it may differ afterwards. */
  readonly name: string;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** The files as the doors call them. */
export interface FileVerbs {
  /** Of a session that the caller was given, in the order of their ids. */
  files(sessionId: string, kind: SessionFileKind): Promise<readonly SessionFile[]>;
  /**
   * A downloaded file and its bytes; who asks must read or cancel the stream.
   * @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, NOT_FOUND
   */
  download(
    viewer: Viewer,
    sessionId: string,
    fileId: string,
  ): Promise<{ readonly file: SessionFile; readonly bytes: ReadableStream<Uint8Array> }>;
  /**
   * Keeps a file for file inputs of the session's pages. An operation like any other: it waits its turn and resets the timer. Its
   * time-out counts from the last piece.
   * @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, SESSION_CLOSED, SESSION_TIMED_OUT, SESSION_ERROR, SESSION_BUSY,
   *   BODY_TOO_LARGE, REQUEST_TIMEOUT, BALANCE_EXHAUSTED, QUOTA_EXHAUSTED, STORAGE_FULL, OPERATION_TIMEOUT
   */
  upload(viewer: Viewer, command: UploadCommand): Promise<SessionFile>;
}

/** What keeps files. */
export interface FilesParts {
  readonly files: SessionFiles;
  readonly operationTimeoutMs: number;
}

export function createFiles(
  lives: LiveSessions,
  till: Till,
  { files, operationTimeoutMs }: FilesParts,
): FileVerbs {
  return {
    files: (sessionId, kind) => files.list(sessionId, kind),

    async download(viewer, sessionId, fileId) {
      need(viewer, 'read');
      const known = await lives.lookUp(viewer, sessionId);
      const { id } = known instanceof LiveSession ? known.session : known;
      const found = await files.open(id, 'download', fileId.toUpperCase());
      if (found === null)
        throw new Failure('NOT_FOUND', `This session has no download ${fileId.slice(0, 50)}.`);
      return found;
    },

    async upload(viewer, { sessionId, name, pieces, signal }) {
      need(viewer, 'operate');
      const live = await lives.find(viewer, sessionId);
      const { answer } = await live.run(
        {
          name: 'upload',
          keyId: viewer.keyId,
          timeoutMs: operationTimeoutMs,
          caller: signal,
          timeoutMinutes: null,
          endsOnFailure: false,
          mayBegin: () => till.check(viewer, live.meter),
        },
        async (_lease, deadline) => ({
          answer: await files.receive(live.id, 'upload', name, until(deadline, pieces)),
          record: { events: [], ends: false },
        }),
      );
      return answer;
    },
  };
}

function need(viewer: Viewer, scope: KeyScope): void {
  if (!scopesCover(viewer.scopes, scope))
    throw new Failure('SCOPE_DENIED', `This key lacks the scope "${scope}", which files need.`);
}

/** The pieces as they come, each of which renews the deadline. When it is over, that is thrown though the next piece never comes. */
async function* until(
  { signal, renew }: OperationDeadline,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  aborted.catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const source = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await Promise.race([source.next(), aborted]);
      if (done) return;
      renew();
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Unheard: it may wait for a piece that never comes.
    void source.return?.();
  }
}
