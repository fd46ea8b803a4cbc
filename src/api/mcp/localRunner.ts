/** Runs the operations of MCP tools inside the service, for an authenticated caller. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ExecutionResult, type GraphQLSchema, subscribe } from 'graphql';
import { parseSessionId } from '../../operations/operation.ts';
import { executeDocument } from '../graphql/executeDocument.ts';
import type { FailureExtensions } from '../graphql/failureExtensions.ts';
import { maskError } from '../graphql/plugins/maskError.ts';
import type { RequestContext } from '../graphql/requestContext.ts';
import { OperationError, type OperationRunner } from './operationRunner.ts';

/** Creates a runner that executes GraphQL documents with the context of one request, as the REST routes do. */
export function localRunner(schema: GraphQLSchema, context: RequestContext): OperationRunner {
  const { service, viewer, record, log, signal } = context;

  const toOperationError = (error: unknown): OperationError => {
    const masked = maskError(error, { record, log, now: () => service.now() });
    return new OperationError(masked.message, masked.extensions as FailureExtensions);
  };
  const dataOf = <Data>(result: ExecutionResult): Data => {
    const error = result.errors?.[0];
    if (error !== undefined) throw toOperationError(error);
    return result.data as Data;
  };
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof OperationError ? error : toOperationError(error);
    }
  };
  const request = <Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) => ({
    schema,
    document,
    contextValue: context,
    variableValues: variables as Record<string, unknown>,
  });

  return {
    execute: async (document, variables) => dataOf(await executeDocument(request(document, variables))),
    async first<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) {
      const results = await subscribe(request(document, variables));
      if (!(Symbol.asyncIterator in results)) return dataOf<Data>(results);
      try {
        const { done, value } = await results.next();
        return done === true ? null : dataOf<Data>(value);
      } finally {
        await results.return?.();
      }
    },
    readDownload: (sessionId, id) =>
      guard(async () => {
        const { bytes } = await service.openDownload(viewer, parseSessionId(sessionId), id);
        return new Uint8Array(await new Response(bytes).arrayBuffer());
      }),
    upload: (sessionId, name, bytes) =>
      guard(() =>
        service.uploadFile(viewer, {
          sessionId: parseSessionId(sessionId),
          name,
          chunks: (async function* () {
            yield bytes;
          })(),
          signal,
        }),
      ),
  };
}
