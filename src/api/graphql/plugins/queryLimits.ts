/** How much one operation may ask for. The same bounds hold over POST, server-sent events and WebSocket. */
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  type ValidationRule,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { Failure } from '../../../domain/failures.ts';
import { countRootFields } from './countRootFields.ts';
import { parseWithLimits } from './parseWithLimits.ts';

/** Bounds of one operation. */
export interface QueryLimits {
  /** Lexical tokens of the document. */
  readonly maxTokens: number;
  /** Nesting of fields. GraphiQL's introspection needs 13. */
  readonly maxDepth: number;
  /** Cost: about one a field that is answered, lists counted by their page size. */
  readonly maxCost: number;
  /** Aliased fields. */
  readonly maxAliases: number;
  /** Fields on the root: how many operations one document may start. */
  readonly maxRootFields: number;
}

export const QUERY_LIMITS: QueryLimits = {
  maxTokens: 4_000,
  maxDepth: 16,
  maxCost: 50_000,
  maxAliases: 50,
  maxRootFields: 20,
};

/** The limits as a Yoga plugin; introspection is refused when it is switched off. */
export function limitsPlugin(limits: QueryLimits, introspection: boolean): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => parseWithLimits(source, { ...options, maxTokens: limits.maxTokens }));
    },
    onValidate({ addValidationRule }) {
      addValidationRule(sizeRule(limits));
      if (introspection) return;
      addValidationRule(noIntrospectionRule);
      return ({ result, setResult }) => setResult((result as readonly GraphQLError[]).map(withoutSuggestion));
    },
    onExecute({ args, setResultAndStopExecution }) {
      const cost = operationCost(args);
      const error = costError(cost, limits);
      if (error !== null) return setResultAndStopExecution({ errors: [error] });
      return { onExecuteDone: ({ result, setResult }) => setResult(withCost(result, cost, limits)) };
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const error = costError(operationCost(args), limits);
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
  };
}

type Cost = ReturnType<typeof complexityFromQuery>;

/** Callers see what an operation cost and what it may cost, to learn before they are refused. */
function withCost<Result>(result: Result, cost: Cost | null, { maxCost }: QueryLimits): Result {
  if (cost === null || isAsyncIterable(result)) return result;
  const { extensions, ...rest } = result as ExecutionResult;
  return {
    ...rest,
    extensions: { ...extensions, cost: { actual: cost.complexity, max: maxCost } },
  } as Result;
}

/** Counts aliases as they are written (what fragments repeat is the cost's to count) and root fields wherever they stand. */
const sizeRule =
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

const noIntrospectionRule: ValidationRule = context => ({
  Field(field) {
    if (field.name.value === '__schema' || field.name.value === '__type')
      context.reportError(new GraphQLError('Introspection is switched off here.', { nodes: field }));
  },
});

/** `Did you mean "…"?` would tell the schema bit by bit. */
const withoutSuggestion = (error: GraphQLError): GraphQLError =>
  new GraphQLError(error.message.replace(/ Did you mean .*$/s, ''), { nodes: error.nodes ?? null });

interface ExecutedOperation {
  readonly document: DocumentNode;
  readonly schema: Parameters<typeof complexityFromQuery>[1]['schema'];
  readonly contextValue?: unknown;
  readonly variableValues?: Record<string, unknown> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** Null where it cannot be told: then the execution itself says what is wrong, with the paths of the variables. */
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
  const detail = `The operation's ${what} is ${actual}; at most ${max} is answered. Ask for less at once.`;
  return new GraphQLError(detail, { originalError: new Failure('VALIDATION_ERROR', detail) });
}
