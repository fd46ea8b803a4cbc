/** A parsed document that knows the types of its answer and its variables, as codegen writes them. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';

export type TypedDocument<Data, Variables> = TypedDocumentNode<Data, Variables>;
