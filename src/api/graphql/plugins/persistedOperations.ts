/** Operations that are kept by the service and called by their id: those of its own, and those of the operator's file. */
import { createHash } from 'node:crypto';
import { type DocumentNode, Kind, parse, print, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { Failure } from '../../../domain/failures.ts';
import * as generated from '../generated/graphql.ts';
import { schema } from '../schema.ts';
import { withHttpStatus } from '../transport/withHttpStatus.ts';

/** What a caller sends of an operation, over whatever transport. */
export interface PersistedOperationRequest {
  readonly query?: unknown;
  /** As GraphQL over HTTP names it: the id, or `sha256:` and the hash of the text. */
  readonly documentId?: unknown;
  /** Apollo's form: `{persistedQuery: {sha256Hash}}`. */
  readonly extensions?: unknown;
}

export interface PersistedOperations {
  /**
   * The text to run; undefined where neither a text nor an id came.
   * @throws Failure PERSISTED_QUERY_NOT_FOUND; PERSISTED_QUERY_ONLY when nothing but kept operations is run
   */
  resolveText(asked: PersistedOperationRequest): string | undefined;
}

export interface PersistedOperationsOptions {
  /** Id → text, beside the service's own. */
  readonly operations?: Readonly<Record<string, string>>;
  /** Whether nothing else is run. */
  readonly persistedOnly?: boolean;
}

const apolloExtensions = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** @throws Error naming every kept operation that is not valid */
export function persistedOperations({
  operations = {},
  persistedOnly = false,
}: PersistedOperationsOptions): PersistedOperations {
  const texts = new Map<string, string>();
  for (const [id, text] of [...builtInOperations(), ...Object.entries(operations)])
    texts.set(id, text).set(sha256(text), text);
  const known = new Set(texts.values());
  const faults = Object.entries(operations).flatMap(([id, text]) =>
    validationErrors(text).map(fault => `  ${id}: ${fault}`),
  );
  if (faults.length > 0)
    throw new Error(`The persisted operations do not fit this version:\n${faults.join('\n')}`);
  return {
    resolveText({ query, documentId, extensions }) {
      if (typeof query === 'string' && query !== '') {
        if (!persistedOnly || known.has(query)) return query;
        throw new Failure(
          'PERSISTED_QUERY_ONLY',
          'This service runs only operations that it keeps. Name one by documentId, or ask the operator to add yours.',
        );
      }
      const id = documentId ?? apolloExtensions.safeParse(extensions).data?.persistedQuery.sha256Hash;
      if (typeof id !== 'string') return undefined;
      const text = texts.get(id.replace(/^sha256:/, ''));
      if (text !== undefined) return text;
      throw new Failure('PERSISTED_QUERY_NOT_FOUND', `No operation is kept under ${id.slice(0, 100)}.`);
    },
  };
}

/** The documents behind the REST paths, the home page and the demo, by their names. */
function builtInOperations(): [string, string][] {
  const documents = Object.values(generated as unknown as Readonly<Record<string, DocumentNode>>);
  return documents.flatMap(document => {
    const operation = document.definitions.find(one => one.kind === Kind.OPERATION_DEFINITION);
    return operation?.name === undefined ? [] : [[operation.name.value, print(document)]];
  });
}

function validationErrors(text: string): string[] {
  try {
    return validate(schema, parse(text)).map(({ message }) => message);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const operationsFile = z.record(z.string().min(1), z.string().min(1));

/** The operator's file: JSON, `{"<id>": "<text>"}`, as GraphQL Code Generator and Relay write it. @throws Error */
export function parsePersistedOperations(json: string): Readonly<Record<string, string>> {
  const read = operationsFile.safeParse(parsedOrNull(json));
  if (read.success) return read.data;
  throw new Error('The file of persisted operations is not a JSON object of texts by their ids.');
}

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Over HTTP and server-sent events; the WebSocket asks `textOf` itself. */
export function persistedOperationsPlugin(operations: PersistedOperations): Plugin {
  return {
    onParams({ params, request, setParams }) {
      const { documentId, ...others } = params as typeof params & { readonly documentId?: unknown };
      const inQuery =
        request.method === 'GET' ? URL.parse(request.url)?.searchParams.get('documentId') : null;
      const asked = { ...others, documentId: documentId ?? inQuery ?? undefined };
      const query = withHttpStatus(() => operations.resolveText(asked));
      if (query !== undefined) setParams({ ...others, query });
    },
  };
}
