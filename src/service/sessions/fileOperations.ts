/** The files of a session: what its pages downloaded, and what callers uploaded for them. */
import { onAbort, race } from '../../async/race.ts';
import { type KeyScope, scopesGrant, type Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { SessionFile, SessionFileKind, SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { Billing } from '../billing/billing.ts';
import { LiveSession } from './liveSession.ts';
import type { OperationDeadline } from './operationDeadline.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** A file on its way in. */
export interface UploadCommand {
  readonly sessionId: string;
  /** What the file is called; made safe, so it may differ afterwards. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** The files as the doors call them. */
export interface FileOperations {
  /** Of a session that the caller was given, in the order of their ids. */
  listFiles(sessionId: string, kind: SessionFileKind): Promise<readonly SessionFile[]>;
  /**
   * A downloaded file and its bytes; who asks must read or cancel the stream.
   * @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, NOT_FOUND
   */
  openDownload(
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
  uploadFile(viewer: Viewer, command: UploadCommand): Promise<SessionFile>;
}

/** What keeps files. */
export interface FileOperationsDeps {
  readonly files: SessionFileStore;
  readonly operationTimeoutMs: number;
}

export function createFileOperations(
  sessions: SessionRegistry,
  billing: Billing,
  { files, operationTimeoutMs }: FileOperationsDeps,
): FileOperations {
  return {
    listFiles: (sessionId, kind) => files.list(sessionId, kind),

    async openDownload(viewer, sessionId, fileId) {
      assertScope(viewer, 'read');
      const known = await sessions.resolve(viewer, sessionId);
      const { id } = known instanceof LiveSession ? known.session : known;
      const found = await files.open(id, 'download', fileId.toUpperCase());
      if (found === null)
        throw new Failure('NOT_FOUND', `This session has no download ${fileId.slice(0, 50)}.`);
      return found;
    },

    async uploadFile(viewer, { sessionId, name, chunks, signal }) {
      assertScope(viewer, 'operate');
      const live = await sessions.requireLive(viewer, sessionId);
      const { answer } = await live.run(
        {
          name: 'upload',
          keyId: viewer.keyId,
          timeoutMs: operationTimeoutMs,
          caller: signal,
          timeoutMinutes: null,
          endsOnFailure: false,
          mayBegin: () => billing.assertCanPay(viewer, live.meter),
        },
        async (_lease, deadline) => ({
          answer: await files.save(live.id, 'upload', name, renewDeadline(deadline, chunks)),
          record: { events: [], ends: false },
        }),
      );
      return answer;
    },
  };
}

function assertScope(viewer: Viewer, scope: KeyScope): void {
  if (!scopesGrant(viewer.scopes, scope))
    throw new Failure('SCOPE_DENIED', `This key lacks the scope "${scope}", which files need.`);
}

/** The pieces as they come, each of which renews the deadline. When it is over, that is thrown though the next piece never comes. */
async function* renewDeadline(
  { signal, renew }: OperationDeadline,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await race(source.next(), onAbort(signal));
      if (done) return;
      renew();
      yield value;
    }
  } finally {
    // Unheard: it may wait for a piece that never comes.
    void source.return?.();
  }
}
