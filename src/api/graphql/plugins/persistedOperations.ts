/** Persisted operations. Own code: Yoga's plugin does not see operations over WebSocket, and refuses the text of a persisted operation. */

import { createHash } from 'node:crypto';
import { parse, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import * as client from '../../../client/generated/operations.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { OPERATIONS } from '../generated/operations.ts';
import { schema } from '../schema.ts';
import { withHttpStatus } from './maskError.ts';

/** The fields of a GraphQL request that contain the text or the id of the operation. */
export interface PersistedOperationRequest {
  readonly query?: unknown;
  /** The id of a persisted operation, or `sha256:` and the hash of its text (GraphQL over HTTP). */
  readonly documentId?: unknown;
  /** Can contain the hash of a persisted operation as Apollo clients send it: `{persistedQuery: {sha256Hash}}`. */
  readonly extensions?: unknown;
}

export interface PersistedOperations {
  /**
   * Returns the text of the operation to run; undefined if the request has neither a text nor an id.
   * @throws Failure PERSISTED_QUERY_NOT_FOUND; PERSISTED_QUERY_ONLY if only persisted operations are allowed
   */
  resolveText(request: PersistedOperationRequest): string | undefined;
}

export interface PersistedOperationsOptions {
  /** The operator's operations: id → text. The service's own are always included. */
  readonly operations?: Readonly<Record<string, string>>;
  /** True to refuse every operation that is not persisted. Default false. */
  readonly persistedOnly?: boolean;
}

const apolloExtensions = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** @throws Error that names each of the operator's operations that is not valid against the schema */
export function persistedOperations({
  operations = {},
  persistedOnly = false,
}: PersistedOperationsOptions): PersistedOperations {
  const texts = new Map<string, string>();
  for (const [id, text] of [...builtInOperations(), ...Object.entries(operations)])
    texts.set(id, text).set(sha256(text), text);
  const persistedTexts = new Set(texts.values());
  const errors = Object.entries(operations).flatMap(([id, text]) =>
    validationErrors(text).map(message => `  ${id}: ${message}`),
  );
  if (errors.length > 0)
    throw new Error(`These persisted operations do not fit the schema:\n${errors.join('\n')}`);
  return {
    resolveText({ query, documentId, extensions }) {
      if (typeof query === 'string' && query !== '') {
        if (!persistedOnly || persistedTexts.has(query)) return query;
        throw new Failure(
          'PERSISTED_QUERY_ONLY',
          'This service runs only persisted operations. Send the documentId of one, or ask the operator to add yours.',
        );
      }
      const id = documentId ?? apolloExtensions.safeParse(extensions).data?.persistedQuery.sha256Hash;
      if (typeof id !== 'string') return undefined;
      const text = texts.get(id.replace(/^sha256:/, ''));
      if (text !== undefined) return text;
      throw new Failure(
        'PERSISTED_QUERY_NOT_FOUND',
        `There is no persisted operation with the id ${cutText(id, 100)}.`,
      );
    },
  };
}

/** Returns the operations of the TypeScript client as pairs of name and text. The client sends exactly these texts. */
const clientOperations = (): [string, string][] =>
  Object.entries(client)
    .filter(([name]) => name.endsWith('Document'))
    .map(([name, document]) => [name.replace(/Document$/, ''), document.toString()]);

/** Returns the service's own operations (REST paths, dashboard, client) as pairs of name and text. */
const builtInOperations = (): [string, string][] => [...Object.entries(OPERATIONS), ...clientOperations()];

function validationErrors(text: string): string[] {
  try {
    return validate(schema, parse(text)).map(({ message }) => message);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const operationsFile = z.record(z.string().min(1), z.string().min(1));

/** Parses a file `{"<id>": "<text>"}`, as GraphQL Code Generator and Relay write it. @throws Error when the file has another form */
export function parsePersistedOperations(json: string): Readonly<Record<string, string>> {
  const parsed = operationsFile.safeParse(parseJsonOrNull(json));
  if (parsed.success) return parsed.data;
  throw new Error('The file of persisted operations is not a JSON object of operation texts by id.');
}

function parseJsonOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Runs the persisted operation that a request names, over HTTP and server-sent events. WebSockets call `resolveText` instead. */
export function persistedOperationsPlugin(operations: PersistedOperations): Plugin {
  return {
    onParams({ params, request, setParams }) {
      const { documentId, ...otherParams } = params as typeof params & { readonly documentId?: unknown };
      const idInUrl =
        request.method === 'GET' ? URL.parse(request.url)?.searchParams.get('documentId') : null;
      const operation = { ...otherParams, documentId: documentId ?? idInUrl ?? undefined };
      const query = withHttpStatus(() => operations.resolveText(operation));
      if (query !== undefined) setParams({ ...otherParams, query });
    },
  };
}
