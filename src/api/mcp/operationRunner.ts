/** The interface between the MCP tools and the service: GraphQL operations and the files of sessions. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';

/** A download or an upload of a session, as MCP tools name it. */
export interface RunnerFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
}

/**
 * Runs operations for one caller, inside the service or against a service that runs elsewhere. Every method throws
 * OperationError when an operation fails.
 */
export interface OperationRunner {
  /** Executes a query or a mutation. */
  execute<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: NoInfer<Variables>,
  ): Promise<Data>;
  /** Returns the first result of a subscription; null if it ends without one. */
  first<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: NoInfer<Variables>,
  ): Promise<Data | null>;
  /** Returns a picture of the record of a session, JPEG. */
  readPicture(sessionId: string, number: number): Promise<Uint8Array>;
  /** Returns the bytes of a downloaded file. */
  readDownload(sessionId: string, id: string): Promise<Uint8Array>;
  /** Stores a file in the session. */
  upload(sessionId: string, name: string, bytes: Uint8Array): Promise<RunnerFile>;
}

/** The failure of an operation, with the fields that a tool's result shows. */
export class OperationError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  /** Seconds after which a retry makes sense; null if the failure names none. */
  readonly retryAfterSeconds: number | null;
  readonly sessionId: string | null;
  /** The list of actions as it is now, as text; null if the failure has none. */
  readonly list: string | null;

  constructor(
    message: string,
    details: {
      readonly code: string;
      readonly retryable: boolean;
      readonly retryAfterSeconds?: number | null | undefined;
      readonly session?: { readonly id: string } | null | undefined;
      readonly space?: { readonly markdown: string } | null | undefined;
    },
  ) {
    super(message);
    this.name = 'OperationError';
    this.code = details.code;
    this.retryable = details.retryable;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.sessionId = details.session?.id ?? null;
    this.list = details.space?.markdown ?? null;
  }
}
