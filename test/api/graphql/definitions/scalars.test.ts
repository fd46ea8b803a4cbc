import { GraphQLScalarType, parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../../../src/api/graphql/schema.ts';

function scalar(name: string): GraphQLScalarType {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLScalarType)) throw new Error(`${name} is no scalar.`);
  return type;
}

describe('SafeInt', () => {
  const safeInt = scalar('SafeInt');

  test.each([0, -1, 2_147_483_648, Number.MAX_SAFE_INTEGER])('accepts and returns %d', value => {
    expect(safeInt.parseValue(value)).toBe(value);
    expect(safeInt.parseLiteral(parseValue(String(value)))).toBe(value);
    expect(safeInt.serialize(value)).toBe(value);
  });

  test.each([1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, true])(
    'refuses %j',
    value => {
      expect(() => safeInt.parseValue(value)).toThrow('must be a whole number');
    },
  );

  test.each(['1.5', '9007199254740993', '"5"', 'true', '{a: 1}'])('refuses the literal %s', literal => {
    expect(() => safeInt.parseLiteral(parseValue(literal))).toThrow('must be a whole number');
  });
});

describe('DateTime', () => {
  const dateTime = scalar('DateTime');

  test('accepts any offset and returns UTC with milliseconds', () => {
    const at = dateTime.parseValue('2026-03-09T14:05:00+02:00');
    expect(dateTime.serialize(at)).toBe('2026-03-09T12:05:00.000Z');
  });

  test.each(['yesterday', '2026-03-09', '2026-13-01T00:00:00Z', 0])('refuses %j', value => {
    expect(() => dateTime.parseValue(value)).toThrow('must be an ISO time');
  });
});

describe('Params', () => {
  const params = scalar('Params');

  test('converts numbers and booleans to text', () => {
    expect(params.parseValue({ from: 'B1', count: 2, deep: true })).toEqual({
      from: 'B1',
      count: '2',
      deep: 'true',
    });
  });

  test.each([
    null,
    [],
    'B1',
    { from: { id: 'B1' } },
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, 'x'])),
  ])('refuses %j', value => {
    expect(() => params.parseValue(value)).toThrow(/^(must|the value)/);
  });
});
