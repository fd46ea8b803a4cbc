import fc from 'fast-check';
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { z } from 'zod';

/** The structure of an input, read from the GraphQL schema or the schema of a REST request. */
export type Shape =
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Field>> }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'leaf'; readonly good: fc.Arbitrary<unknown> };

interface Field {
  readonly shape: Shape;
  readonly required: boolean;
}

/** The path to a part of an input; `0` for an entry of a list. */
export type Path = readonly string[];

/** Returns valid values of a field by its name; null if the type of the field is enough. */
export type KnownValues = (name: string) => fc.Arbitrary<unknown> | null;

const leaf = (good: fc.Arbitrary<unknown>): Shape => ({ kind: 'leaf', good });
const NUMBER = fc.integer({ min: 1, max: 20 });
const BY_SCALAR: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Int: NUMBER,
  Float: NUMBER,
  SafeInt: NUMBER,
  Boolean: fc.boolean(),
  String: fc.constantFrom('a', 'some words'),
  DateTime: fc.constantFrom('2026-03-09T14:05:00Z', '2030-01-01T00:00:00+02:00'),
  JSON: fc.constant({ type: 'string', selector: 'p' }),
  Params: fc.constant({ value: 'a' }),
};

/** @throws Error for a scalar that is missing in BY_SCALAR */
export function shapeOfType(type: GraphQLInputType, name: string, known: KnownValues): Shape {
  if (isNonNullType(type)) return shapeOfType(type.ofType, name, known);
  const good = known(name);
  if (good !== null) return leaf(good);
  if (isListType(type)) return { kind: 'list', of: shapeOfType(type.ofType, name, known) };
  if (isEnumType(type)) return leaf(fc.constantFrom(...type.getValues().map(value => value.name)));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      field =>
        [
          field.name,
          { shape: shapeOfType(field.type, field.name, known), required: isNonNullType(field.type) },
        ] as const,
    );
    return { kind: 'object', fields: Object.fromEntries(fields) };
  }
  const scalar = BY_SCALAR[type.name];
  if (scalar === undefined)
    throw new Error(`${name} is a ${type.name}: add valid values of it to BY_SCALAR.`);
  return leaf(scalar);
}

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Reads the request of a REST route. */
export function shapeOfRequest(request: z.ZodType, known: KnownValues): Shape {
  const whole = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const read = (schema: JsonSchema, name: string): Shape => {
    if (schema.$ref !== undefined) {
      const found = whole.$defs?.[schema.$ref.replace('#/$defs/', '')];
      if (found === undefined) throw new Error(`${name} refers to ${schema.$ref}, which does not exist.`);
      return read(found, name);
    }
    const good = known(name);
    if (good !== null) return leaf(good);
    const [one] = schema.anyOf?.filter(each => each.type !== 'null') ?? [];
    if (one !== undefined) return read(one, name);
    if (schema.enum !== undefined) return leaf(fc.constantFrom(...schema.enum));
    if (schema.items !== undefined) return { kind: 'list', of: read(schema.items, name) };
    if (schema.properties !== undefined) {
      const fields = Object.entries(schema.properties).map(
        ([key, field]) =>
          [key, { shape: read(field, key), required: schema.required?.includes(key) ?? false }] as const,
      );
      return { kind: 'object', fields: Object.fromEntries(fields) };
    }
    const [type] = [schema.type ?? []].flat().filter(each => each !== 'null');
    if (type === 'string') return leaf(fc.constantFrom('a', 'some words'));
    if (type === 'integer' || type === 'number') return leaf(NUMBER);
    if (type === 'boolean') return leaf(fc.boolean());
    return leaf(fc.constant(null));
  };
  return read(whole, '');
}

/** Returns the path of every part, and of the whole input. */
export function shapePaths(shape: Shape, above: Path = []): Path[] {
  if (shape.kind === 'leaf') return [above];
  const below =
    shape.kind === 'list'
      ? shapePaths(shape.of, [...above, '0'])
      : Object.entries(shape.fields).flatMap(([name, field]) => shapePaths(field.shape, [...above, name]));
  return [above, ...below];
}

/** Generates valid inputs. Optional fields are present in some of them, fields on `path` in all. */
export function validValues(shape: Shape, path: Path = []): fc.Arbitrary<unknown> {
  if (shape.kind === 'leaf') return shape.good;
  const [next, ...rest] = path;
  if (shape.kind === 'list') return fc.array(validValues(shape.of, rest), { minLength: 1, maxLength: 3 });
  const entries = Object.entries(shape.fields).map(
    ([name, field]) => [name, validValues(field.shape, name === next ? rest : [])] as const,
  );
  const always = Object.entries(shape.fields).filter(([name, { required }]) => required || name === next);
  return fc.record(Object.fromEntries(entries), { requiredKeys: always.map(([name]) => name) });
}

/** Returns a copy of the value with `other` at the end of the path. */
export function replaceAt(value: unknown, path: Path, other: unknown): unknown {
  const [next, ...rest] = path;
  if (next === undefined) return other;
  if (Array.isArray(value)) return [replaceAt(value[0], rest, other), ...value.slice(1)];
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [next]: replaceAt(fields[next], rest, other) };
}

/** Invalid and hostile values as JSON. */
export const BAD_JSON: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-0',
    '-1',
    '2.5',
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '99999999999999999999999999',
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u001b[2J\\r\\n"',
    '"\\u202e"',
    '"__proto__"',
    '"constructor"',
    '"%00"',
    '"\' or 1=1 --"',
    '"2026-13-45T99:99:99Z"',
    '"+275760-09-13T00:00:00.001Z"',
    '"javascript:alert(1)"',
    '"http://[::ffff:127.0.0.1]:1/"',
    '"O999999999999999999999"',
    '"B99999999999999999999"',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '{"__proto__": {"polluted": true}}',
    '{"constructor": {"prototype": {"polluted": true}}}',
    '{"toString": 1, "valueOf": 1, "length": -1}',
    '{"then": 1}',
    `"${'x'.repeat(20_000)}"`,
    `[${'0,'.repeat(5_000)}0]`,
    `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
    `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  ),
  fc.jsonValue().map(value => JSON.stringify(value)),
  fc.string({ unit: 'binary' }).map(text => JSON.stringify(text)),
);

/** Invalid and hostile values as GraphQL literals. */
export const BAD_LITERAL: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '-0',
    '1e400',
    '9007199254740993',
    '99999999999999999999999999',
    '""',
    '"\\u0000"',
    '"\\u{1F600}"',
    '"""\n  block\n"""',
    'ENUM',
    '__proto__',
    '$nothing',
    '[]',
    '[[[1]]]',
    '{}',
    '{__proto__: {polluted: true}}',
    '{a: {b: [$nothing]}}',
    '{a: 1, a: 2}',
    `"${'x'.repeat(20_000)}"`,
    `${'['.repeat(150)}${']'.repeat(150)}`,
    `${'{a: '.repeat(150)}1${'}'.repeat(150)}`,
  ),
  fc.string().map(text => JSON.stringify(text)),
);
