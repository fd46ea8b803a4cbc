import { onAbort, race } from '../../async/race.ts';
import { callerOf, type KeyScope, scopesGrant, type Viewer } from '../../domain/account/account.ts';
import { assertKindAllowed } from '../../domain/account/policyChecks.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { SessionFile, SessionFileKind, SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { AccountBilling } from '../billing/accountBilling.ts';
import type { OperationDeadline } from './operationDeadline.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

export interface UploadCommand {
  readonly sessionId: string;
  /** The file name. The stored name can differ, because it is made safe for the file system. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The size that the caller has announced, in bytes: a file that cannot fit is refused at once. Default: unknown. */
  readonly announcedBytes?: number | null | undefined;
  readonly signal: AbortSignal;
}

export interface FileOperations {
  /** In the order of the ids. Does not check access: call it only for a session that the viewer may read. */
  listFiles(sessionId: string, kind: SessionFileKind): Promise<readonly SessionFile[]>;
  /** The caller must read or cancel the stream. @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, NOT_FOUND */
  openDownload(
    viewer: Viewer,
    sessionId: string,
    fileId: string,
  ): Promise<{ readonly file: SessionFile; readonly bytes: ReadableStream<Uint8Array> }>;
  /**
   * Saves a file, which later steps can put into file inputs of the session's pages. Like other operations, it waits in
   * the queue and resets the idle timer. Each received chunk restarts its timeout.
   * @throws Failure SCOPE_DENIED, SESSION_NOT_FOUND, SESSION_CLOSED, SESSION_TIMED_OUT, SESSION_ERROR, SESSION_BUSY,
   * BODY_TOO_LARGE, REQUEST_TIMEOUT, BALANCE_EXHAUSTED, QUOTA_EXHAUSTED, STORAGE_FULL, OPERATION_TIMEOUT
   */
  uploadFile(viewer: Viewer, command: UploadCommand): Promise<SessionFile>;
}

export interface FileOperationsDeps {
  readonly files: SessionFileStore;
  readonly operationTimeoutMs: number;
}

export function createFileOperations(
  registry: SessionRegistry,
  billing: AccountBilling,
  { files, operationTimeoutMs }: FileOperationsDeps,
): FileOperations {
  return {
    listFiles: (sessionId, kind) => files.list(sessionId, kind),

    async openDownload(viewer, sessionId, fileId) {
      assertScope(viewer, 'read');
      assertKindAllowed(viewer, 'download');
      const session = await registry.resolve(viewer, sessionId);
      const found = await files.open(session.id, 'download', fileId.toUpperCase());
      if (found === null)
        throw new Failure('NOT_FOUND', `This session has no download ${cutText(fileId, 50)}.`);
      return found;
    },

    async uploadFile(viewer, { sessionId, name, chunks, announcedBytes, signal }) {
      assertScope(viewer, 'operate');
      assertKindAllowed(viewer, 'upload');
      const live = await registry.requireLive(viewer, sessionId);
      const owner = { sessionId: live.id, accountId: viewer.account.id };
      const { result } = await live.run(
        {
          kind: 'upload',
          caller: callerOf(viewer),
          holdId: viewer.holdId ?? null,
          timeoutMs: operationTimeoutMs,
          signal,
          timeoutMinutes: null,
          endsOnFailure: false,
          assertMayStart: () => billing.assertCanPay(viewer, live.charges),
        },
        async (_lease, deadline) => ({
          result: await files.save(owner, 'upload', name, renewDeadline(deadline, chunks), announcedBytes),
          record: { events: [], ends: false },
        }),
      );
      return result;
    },
  };
}

function assertScope(viewer: Viewer, scope: KeyScope): void {
  if (!scopesGrant(viewer.scopes, scope))
    throw new Failure('SCOPE_DENIED', `This key lacks the scope "${scope}", which files need.`);
}

/** Restarts the deadline at each chunk. At the deadline throws its failure, even if the next chunk never arrives. */
async function* renewDeadline(
  { signal, renew }: OperationDeadline,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await race(source.next(), onAbort(signal));
      if (done) return;
      renew();
      yield value;
    }
  } finally {
    // Do not await: the source may wait for a chunk that never arrives.
    void source.return?.();
  }
}
