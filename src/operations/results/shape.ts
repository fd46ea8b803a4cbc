/** The definition of a result: the fields of an object, each once, for the GraphQL types, the bodies of REST and OpenAPI. */
import type { EnumTable, Scalar } from '../field.ts';

export type ResultType =
  | Scalar
  | EnumTable<never>
  | Shape<never>
  | readonly [Scalar | EnumTable<never> | Shape<never>];

/** The time, in milliseconds since the epoch. */
export interface Now {
  now(): number;
}

/** A field of a result as GraphQL, REST and OpenAPI have it. `Source` is the value that the field is read from. */
export interface ResultField<Source> {
  readonly type: ResultType;
  readonly description: string;
  readonly nullable?: true;
  /** True if REST leaves the field out where GraphQL has null or an empty list. */
  readonly optional?: true;
  /** The name, or the names, in REST, where it is not the name in snake_case. Null: REST does not have the field. */
  readonly rest?: string | readonly string[] | null;
  /** The cost in GraphQL, where it is not 1: about one for each field that is returned. */
  readonly cost?: number | { readonly field: number; readonly multiplier: number };
  /** Reads the field; absent: it is the property of the same name. */
  readonly read?: (source: Source, clock: Now) => unknown;
}

export interface Shape<Source> {
  readonly kind: 'shape';
  readonly name: string;
  readonly restName?: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, ResultField<Source>>>;
  /** True if the request field `fields` of REST can select its fields one by one. */
  readonly isSelectable?: true;
}

export type FieldsOf<Source, Names extends string> = {
  readonly [Name in Names]: Name extends keyof Source
    ? ResultField<Source>
    : ResultField<Source> & Required<Pick<ResultField<Source>, 'read'>>;
};

/** Creates a shape. A field that is no property of the source and has no `read` does not compile. */
export const shape =
  <Source>() =>
  <const Names extends string>(
    definition: Omit<Shape<Source>, 'kind' | 'fields'> & { readonly fields: FieldsOf<Source, Names> },
  ): Shape<Source> & { readonly fields: Readonly<Record<Names, ResultField<Source>>> } => ({
    kind: 'shape',
    ...definition,
  });
