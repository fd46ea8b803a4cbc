import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { z } from 'zod';
import { formatTime } from '../../../domain/json.ts';
import { builder } from '../builder.ts';

const isoDateTime = z.iso.datetime({ offset: true });

function parseDateTime(value: unknown): number {
  const text = isoDateTime.safeParse(value);
  if (!text.success) throw new GraphQLError('must be an ISO time such as 2026-03-09T14:05:00Z');
  return Date.parse(text.data);
}

const safeInt = z.int();

function parseSafeInt(value: unknown): number {
  const number = safeInt.safeParse(value);
  if (!number.success) throw new GraphQLError('must be a whole number from -(2^53 - 1) to 2^53 - 1');
  return number.data;
}

/** The parser of a scalar that only responses use: throws for every input. */
const rejectInput = (): never => {
  throw new GraphQLError('This scalar is not an input.');
};

builder.scalarType('DateTime', {
  description:
    'A time in ISO 8601. Responses use UTC with milliseconds: `2026-03-09T14:05:00.000Z`. Inputs may have any offset.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: formatTime,
  parseValue: parseDateTime,
});

// Own code: graphql-scalars would be a dependency for these few lines.
builder.scalarType('SafeInt', {
  description:
    'A whole number from -(2^53 - 1) to 2^53 - 1, written as a JSON number. Used for values that can exceed 2^31 - 1, the maximum of Int: bytes, milliseconds, micro-units.',
  serialize: parseSafeInt,
  parseValue: parseSafeInt,
});

builder.scalarType('URL', {
  description: 'An absolute URL: `https://example.com/a?b=c`.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
  parseValue: rejectInput,
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  parseValue: value => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

builder.scalarType('Base64', {
  description: 'Binary data in Base64 (RFC 4648, section 4).',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
  parseValue: rejectInput,
});

/** Maximum number of `params` of a step; every action needs only a few. */
const MAX_PARAMS = 20;

builder.scalarType('Params', {
  description:
    'Values by parameter name: `{from: "B1", to: "B2"}`, at most 20. Numbers and booleans are converted to text.',
  serialize: rejectInput,
  parseValue: value => parseParams(value),
  parseLiteral: (node, variables) => parseParams(literalValue(node, variables ?? {})),
});

function parseParams(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new GraphQLError('must be an object of values by parameter name');
  const entries = Object.entries(value);
  if (entries.length > MAX_PARAMS) throw new GraphQLError(`must have at most ${MAX_PARAMS} values`);
  return Object.fromEntries(
    entries.map(([name, one]) => {
      if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')
        throw new GraphQLError(`the value of "${name}" must be a string, a number or a boolean`);
      return [name, String(one)];
    }),
  );
}

function literalValue(node: ValueNode, variables: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(field => [field.name.value, literalValue(field.value, variables)]),
      );
    case Kind.VARIABLE:
      return variables[node.name.value];
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    default:
      return null;
  }
}
