/** Runs the operations of MCP tools at a service elsewhere, with the client. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { OperationError, type OperationRunner } from '../api/mcp/operationRunner.ts';
import type { TypedDocumentString } from '../client/generated/operations.ts';
import { ClientSession, PagespaceError } from '../client/main.ts';
import { Transport } from '../client/transport.ts';
import type { Connection } from './connection.ts';

/** Creates a runner for the service at `connection`. Every operation has an idempotency key, so a broken connection is retried safely. */
export function remoteRunner(connection: Connection): OperationRunner {
  const transport = new Transport(connection);
  const session = (id: string): ClientSession => new ClientSession(transport, id);
  return {
    execute: (document, variables) => guard(transport.execute(asText(document), withKey(variables), {})),
    async first<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) {
      const results = transport.subscribe(asText(document), variables, undefined);
      const { done, value } = await guard(results.next());
      // The picture is one result of a stream that goes on.
      await results.return();
      return done === true ? null : value;
    },
    readDownload: (sessionId, id) => guard(session(sessionId).download(id)),
    upload: (sessionId, name, bytes) => guard(session(sessionId).upload(name, bytes)),
  };
}

/** The client sends documents as text; it reads nothing else of them. */
const asText = <Data, Variables>(document: TypedDocumentNode<Data, Variables>) =>
  print(document) as unknown as TypedDocumentString<Data, Variables>;

function withKey<Variables>(variables: Variables): Variables {
  const { input } = variables as { input?: { idempotencyKey?: string | null } };
  if (input === undefined || input.idempotencyKey != null) return variables;
  return { ...variables, input: { ...input, idempotencyKey: crypto.randomUUID() } };
}

async function guard<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PagespaceError ? new OperationError(error.message, error) : error;
  }
}
