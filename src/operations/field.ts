/** The definition of a field, from which GraphQL, REST, OpenAPI, the MCP tools, the command line and the manual are made. */
import { z } from 'zod';
import { normalizeText } from '../domain/space/pageText.ts';

/** Types without fields. `Params` is an object of texts by name; `JSON` is any value. */
export type Scalar =
  | 'Boolean'
  | 'Int'
  | 'SafeInt'
  | 'Float'
  | 'String'
  | 'ID'
  | 'URL'
  | 'DateTime'
  | 'Base64'
  | 'JSON'
  | 'Params';

export interface EnumTable<Value extends string = string> {
  readonly kind: 'enum';
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<Value, string>>;
}

/** Creates an enumeration. @param values a value without a description does not compile */
export const enumTable = <Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): EnumTable<Value> => ({ kind: 'enum', name, description, values });

/** Fields that GraphQL groups in an input type of their own. */
export interface Group<Fields extends RequestFields = RequestFields> {
  readonly kind: 'group';
  readonly name: string;
  readonly description: string;
  readonly fields: Fields;
  readonly rule?: Rule;
}

export interface Rule {
  /** @param values the fields by name; an absent one is null or undefined */
  readonly holds: (values: Readonly<Record<string, unknown>>) => boolean;
  readonly field: string;
  readonly message: string;
}

type RequestType = Scalar | EnumTable<never> | Group | readonly [Scalar | EnumTable<never> | Group];

/** A field of a request as all interfaces use it: GraphQL, REST, OpenAPI and the manual are made from it. */
export interface RequestField {
  readonly type: RequestType;
  /** The words, for every interface, with GraphQL's names in backquotes (REST: snake_case). The first sentence is enough for a list of options. */
  readonly description: string;
  /** The bounds of the value; absent if every value of the type is valid. */
  readonly check?: z.ZodType;
  readonly required?: true;
  readonly default?: string | number | boolean;
  /** The name in REST, where it is not that in snake_case. Null: not in REST. `FLAT`: REST has the fields of the group in its place. */
  readonly rest?: string | null | typeof FLAT;
  readonly examples?: readonly unknown[];
}

export type RequestFields = Readonly<Record<string, RequestField>>;

/** The REST name of a group whose fields stand among the others. */
export const FLAT = Symbol('flat');

interface ScalarValues {
  Boolean: boolean;
  Int: number;
  SafeInt: number;
  Float: number;
  String: string;
  ID: string;
  URL: string;
  DateTime: number;
  Base64: string;
  JSON: unknown;
  Params: Readonly<Record<string, string>>;
}

type ValueOf<Type> = Type extends Scalar
  ? ScalarValues[Type]
  : Type extends EnumTable<infer Value>
    ? Value
    : Type extends Group<infer Fields>
      ? RequestOf<Fields>
      : Type extends readonly [infer Item]
        ? readonly ValueOf<Item>[]
        : never;

type RequiredNames<Fields extends RequestFields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly required: true } ? Name : never;
}[keyof Fields];

/** The values of a request with these fields. Null means the same as an absent field. */
export type RequestOf<Fields extends RequestFields> = {
  readonly [Name in RequiredNames<Fields>]: ValueOf<Fields[Name]['type']>;
} & {
  readonly [Name in Exclude<keyof Fields, RequiredNames<Fields>>]?:
    | ValueOf<Fields[Name]['type']>
    | null
    | undefined;
};

interface Described<Type> {
  readonly type: Type;
  readonly description: string;
}

/** Defines a field of a request or a result. @param more what else `RequestField` and `ResultField` have */
export const field = <const Type, const More = unknown>(type: Type, description: string, more?: More) =>
  ({ type, description, ...more }) as Described<Type> & NoInfer<More>;

/** Defines a field of a result that can be null. */
export const nullable = <const Type, const More = unknown>(type: Type, description: string, more?: More) =>
  field(type, description, { ...more, nullable: true } as More & { readonly nullable: true });

/** Defines a field that a request must have. */
export const required = <const Type, const More = unknown>(type: Type, description: string, more?: More) =>
  field(type, description, { ...more, required: true } as More & { readonly required: true });

/** Returns the check of a text of up to `max` characters that people read, also in terminals. @param text default: as it is sent */
export const printableText = (max: number, text = z.string()) =>
  text
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(value => normalizeText(value) === value, 'must hold no control or invisible characters');

/** Returns the fields unchanged. The compiler checks them, and keeps their types. */
export const requestFields = <const Fields extends RequestFields>(fields: Fields): Fields => fields;

/** Returns a name in snake_case: `diffSince` → `diff_since`. */
export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Returns a name in camelCase: `diff_since` → `diffSince`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

export const restName = (name: string, { rest }: { readonly rest?: unknown }): string =>
  typeof rest === 'string' ? rest : toSnakeCase(name);

/** Returns words with the names in backquotes as REST writes them: `data.extractErrors` → `data.extract_errors`. */
export const restWords = (words: string): string =>
  words.replace(/`[^`]*`/g, quoted => quoted.replace(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, toSnakeCase));

/** Returns the first sentence of a description, without its full stop. */
export const firstSentence = (words: string): string =>
  (/^[\s\S]*?(?=[.:](?:\s|$))/.exec(words)?.[0] ?? words).trim();

/** Returns a description in one line, for lists of options: its first sentence, and its default. */
export function shortWords({ description, default: value }: RequestField): string {
  const written = / Default: [^.]*/.exec(description)?.[0].trim();
  const sentences = [
    firstSentence(description),
    // An option that is off by default needs no words about it.
    written ?? (value === undefined || value === false ? null : `Default: ${value}`),
  ];
  return sentences.filter(sentence => sentence !== null).join('. ');
}

const count = (number: number): string => number.toLocaleString('en');

/** Returns the words of a field with its bounds and its default, for GraphQL and tables, which have no other place for them. */
export function fullWords({ description, check, default: value }: RequestField): string {
  const sentences = [description];
  if (check instanceof z.ZodNumber && /^(?!.*Above 0)/s.test(description)) {
    const { minValue, maxValue } = check;
    if (minValue !== null && maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER)
      sentences.push(`${count(minValue)} to ${count(maxValue)}.`);
  }
  if (check instanceof z.ZodString && check.maxLength !== null && !description.includes('up to'))
    sentences.push(`Up to ${count(check.maxLength)} characters.`);
  if (value !== undefined && !description.includes('Default'))
    sentences.push(`Default: ${typeof value === 'number' ? count(value) : value}.`);
  return sentences.join(' ');
}
