/**
 * Limits of one GraphQL operation, over POST, server-sent events and WebSocket. Pothos computes depth and cost. Aliases
 * and root fields are counted here, because GraphQL Armor has no rule for root fields, and counts an alias in a
 * fragment once per use.
 */

import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  Kind,
  Lexer,
  type ParseOptions,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
  type ValidationRule,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { Failure, isFailure } from '../../../domain/failure/failures.ts';
import { failureHeaders } from '../../http/httpResponse.ts';
import type { RequestContext } from '../requestContext.ts';

/** Counts the fields of a selection without those inside them. A fragment that is used again (`seen`) counts once: its fields are returned once. */
function countRootFields(
  set: SelectionSetNode,
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  seen: Set<string> = new Set(),
): number {
  let count = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) count += 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      count += countRootFields(selection.selectionSet, fragmentOf, seen);
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = fragmentOf(selection.name.value);
      if (fragment) count += countRootFields(fragment.selectionSet, fragmentOf, seen);
    }
  }
  return count;
}

/** Rule that refuses the alias `then`: the executor takes an object with such a field for a promise. */
const refuseThenAlias: ValidationRule = context => ({
  Field(field) {
    if (field.alias?.value !== 'then') return;
    const message = 'A field cannot have the alias "then". Choose another one.';
    context.reportError(new GraphQLError(message, { nodes: field }));
  },
});

/** Refuses `@skip` and `@include` on the root field of a subscription: without it there are no events (GraphQL specification, 5.2.4.1). */
const refuseConditionalSubscription: ValidationRule = context => ({
  OperationDefinition({ operation, selectionSet }) {
    if (operation !== 'subscription') return;
    const seen = new Set<string>();
    const check = (selection: SelectionNode): void => {
      if (selection.directives?.some(({ name: { value } }) => value === 'skip' || value === 'include')) {
        const message = 'The root field of a subscription cannot have @skip or @include.';
        context.reportError(new GraphQLError(message, { nodes: selection }));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) selection.selectionSet.selections.forEach(check);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) return;
      seen.add(selection.name.value);
      context.getFragment(selection.name.value)?.selectionSet.selections.forEach(check);
    };
    selectionSet.selections.forEach(check);
  },
});

/** Maximum nesting of brackets of any kind, because the parser calls itself for each. `maxDepth` limits fields to far less. */
const MAX_NESTING = 200;

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses an operation as graphql-js does, and limits its tokens and the nesting of its brackets. Own code, because
 * graphql-js and GraphQL Armor limit tokens but not the nesting of brackets.
 * @throws GraphQLError as `parse`, and when the text has too many tokens or levels
 */
function parseWithLimits(
  text: string | Source,
  { maxTokens, ...options }: ParseOptions & { readonly maxTokens: number },
): DocumentNode {
  const source = typeof text === 'string' ? new Source(text) : text;
  const lexer = new Lexer(source);
  let depth = 0;
  for (let tokens = 0; tokens <= maxTokens && lexer.advance().kind !== TokenKind.EOF; tokens++) {
    const { kind } = lexer.token;
    if (OPENING.has(kind)) depth += 1;
    else if (CLOSING.has(kind)) depth -= 1;
    if (depth > MAX_NESTING)
      throw new GraphQLError(`A document may be nested ${MAX_NESTING} levels deep.`, {
        source,
        positions: [lexer.token.start],
      });
  }
  return parse(source, { ...options, maxTokens });
}

export interface QueryLimits {
  readonly maxTokens: number;
  /** Maximum nesting of fields. GraphiQL's introspection query needs 13 levels. */
  readonly maxDepth: number;
  /** Maximum cost: about 1 for each returned field. The fields in a list count once per item of the page. */
  readonly maxCost: number;
  readonly maxEventCost: number;
  readonly maxAliases: number;
  /** Maximum number of root fields, because each can run an operation in a browser. */
  readonly maxRootFields: number;
}

export const QUERY_LIMITS: QueryLimits = {
  maxTokens: 4_000,
  maxDepth: 16,
  maxCost: 50_000,
  maxEventCost: 3_000,
  maxAliases: 50,
  maxRootFields: 20,
};

/** Refuses GraphQL operations above the limits. @param introspection false to refuse `__schema` and `__type` too */
export function queryLimitsPlugin(limits: QueryLimits, introspection: boolean): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => parseWithLimits(source, { ...options, maxTokens: limits.maxTokens }));
    },
    onValidate({ addValidationRule }) {
      addValidationRule(countAliasesAndRootFields(limits));
      addValidationRule(refuseThenAlias);
      addValidationRule(refuseConditionalSubscription);
      if (introspection) return;
      addValidationRule(refuseIntrospection);
      return ({ result, setResult }) => setResult((result as readonly GraphQLError[]).map(withoutSuggestion));
    },
    onExecute({ args, setResultAndStopExecution }) {
      const errors = variableErrors(args, introspection);
      if (errors !== null) return setResultAndStopExecution({ errors });
      const cost = operationCost(args);
      const error = costError(cost, limits);
      if (error !== null) return setResultAndStopExecution({ errors: [error] });
      return { onExecuteDone: ({ result, setResult }) => setResult(withCost(result, cost, limits)) };
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const errors = variableErrors(args, introspection);
      if (errors !== null) return setResultAndStopExecution({ errors });
      const error = costError(operationCost(args), { ...limits, maxCost: limits.maxEventCost });
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
  };
}

type Cost = ReturnType<typeof complexityFromQuery>;

/** Returns the result with the operation's cost and its limit in `extensions.cost`. */
function withCost<Result>(result: Result, cost: Cost | null, { maxCost }: QueryLimits): Result {
  if (cost === null || isAsyncIterable(result)) return result;
  const { extensions, ...rest } = result as ExecutionResult;
  return {
    ...rest,
    extensions: { ...extensions, cost: { actual: cost.complexity, max: maxCost } },
  } as Result;
}

/** Refuses too many aliases, each counted once per place in the document, and too many root fields, those in fragments included. */
const countAliasesAndRootFields =
  ({ maxAliases, maxRootFields }: QueryLimits): ValidationRule =>
  context => {
    let aliases = 0;
    return {
      OperationDefinition(operation) {
        if (countRootFields(operation.selectionSet, name => context.getFragment(name)) <= maxRootFields)
          return;
        const message = `An operation may have at most ${maxRootFields} root fields.`;
        context.reportError(new GraphQLError(message, { nodes: operation }));
      },
      Field(field) {
        if (field.alias === undefined) return;
        aliases += 1;
        if (aliases !== maxAliases + 1) return;
        const message = `A document may have at most ${maxAliases} aliases.`;
        context.reportError(new GraphQLError(message, { nodes: field }));
      },
    };
  };

const refuseIntrospection: ValidationRule = context => ({
  Field(field) {
    if (field.name.value === '__schema' || field.name.value === '__type')
      context.reportError(new GraphQLError('Introspection is switched off here.', { nodes: field }));
  },
});

/** Removes `Did you mean "…"?` from an error, because such hints would reveal the schema piece by piece. */
const withoutSuggestion = (error: GraphQLError): GraphQLError =>
  new GraphQLError(error.message.replace(/ Did you mean .*$/s, ''), { nodes: error.nodes ?? null });

interface ExecutedOperation {
  readonly document: DocumentNode;
  readonly schema: Parameters<typeof complexityFromQuery>[1]['schema'];
  readonly contextValue?: unknown;
  readonly variableValues?: Record<string, unknown> | null | undefined;
  readonly operationName?: string | null | undefined;
}

const MAX_VARIABLE_ERRORS = 5;

/**
 * Returns the errors of the operation's variables; null if they are valid. Checked here, because the message of each error contains the
 * whole value: the complexity plugin, which reports all errors, takes minutes for an object with thousands of unknown fields.
 */
function variableErrors(
  { schema, document, operationName, variableValues }: ExecutedOperation,
  introspection: boolean,
): readonly GraphQLError[] | null {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const options = { maxErrors: MAX_VARIABLE_ERRORS, hideSuggestions: !introspection };
  return getVariableValues(schema, definitions, variableValues ?? {}, options).errors ?? null;
}

/** Returns the cost of the operation; null if its arguments are invalid. The execution then reports them, with their paths. */
function operationCost(args: ExecutedOperation): Cost | null {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation == null) return null;
  const fragments = args.document.definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION);
  const document = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] } as const;
  try {
    return complexityFromQuery(document, {
      schema: args.schema,
      ctx: args.contextValue as object,
      variables: args.variableValues ?? {},
    });
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

function costError(cost: Cost | null, { maxDepth, maxCost }: QueryLimits): GraphQLError | null {
  if (cost === null) return null;
  if (cost.depth > maxDepth) return limitError('depth', cost.depth, maxDepth);
  return cost.complexity > maxCost ? limitError('cost', cost.complexity, maxCost) : null;
}

function limitError(what: string, actual: number, max: number): GraphQLError {
  const detail = `The ${what} of the operation is ${actual}; at most ${max} is allowed. Select less.`;
  return new GraphQLError(detail, { originalError: new Failure('VALIDATION_ERROR', detail) });
}

/** Counts each root field after the first as a request of the account, and refuses all of them if too few requests are left. */
export function rateLimitPlugin(): Plugin {
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const error = await rateLimitError(args);
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
  };
}

async function rateLimitError(args: ExecutionArgs): Promise<GraphQLError | null> {
  const more = countOperationFields(args.document, args.operationName) - 1;
  if (more < 1) return null;
  const { rateLimit, viewer } = args.contextValue as RequestContext;
  try {
    await rateLimit.consume(viewer, more);
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return withHttpHeaders(error);
  }
}

/** Converts a failure to a GraphQLError with the HTTP status and headers that Yoga sends, because no resolver has run yet. */
const withHttpHeaders = (failure: Failure): GraphQLError => {
  const { status } = failure.definition;
  const { retryAfterSeconds } = failure.context;
  const headers = failureHeaders({ status, retryAfterSeconds });
  return new GraphQLError(failure.message, {
    originalError: failure,
    extensions: { http: { status, headers } },
  });
};

function countOperationFields(document: DocumentNode, operationName: string | null | undefined): number {
  const operation = getOperationAST(document, operationName);
  if (operation == null) return 0;
  const fragments = new Map(
    document.definitions
      .filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
      .map(one => [one.name.value, one]),
  );
  return countRootFields(operation.selectionSet, name => fragments.get(name));
}
