import { formatTime } from '../../domain/json.ts';
import type { Now, ResultField, ResultType, Shape } from './shape.ts';

/** Names of fields, each with the fields wanted inside it. `ALL_FIELDS` stands for every field. */
export interface FieldTree extends ReadonlyMap<string, FieldTree | typeof ALL_FIELDS> {}

export const ALL_FIELDS = null;

export type WantedFields = FieldTree | typeof ALL_FIELDS;

export type Body = Record<string, unknown>;

type Convert = (value: never, clock: Now) => unknown;

export interface Style {
  /** Returns the names of a field; none leaves it out. */
  readonly namesOf: (name: string, field: ResultField<never>) => readonly string[];
  /** Converts a value of an enumeration; null: it is written as it is. */
  readonly enumValue: ((value: string) => string) | null;
  /** True to leave out `optional` fields that are null or an empty list. */
  readonly leavesOut: boolean;
  /** Converts objects of a shape that are wanted whole, in place of the layout. */
  readonly own?: { readonly shape: Shape<never>; readonly convert: Convert };
}

interface Entry {
  readonly name: string;
  readonly property: string;
  readonly read: ResultField<never>['read'];
  readonly convert: Convert | null;
  readonly isLeftOut: 'null' | 'empty' | null;
}

/** Replaces the reading of fields: by the names of the shape. */
export type Overrides = Readonly<Record<string, () => unknown>>;

/** Writes results in one style. What it learns about a shape serves the next result too. */
export class Layout {
  readonly #style: Style;
  /** By shape for all fields, else by the tree of the wanted ones. */
  readonly #entries = new WeakMap<object, readonly Entry[]>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** Returns the wanted fields of an object. A field that is not wanted is not computed. */
  write<Source extends object>(
    shape: Shape<Source>,
    source: Source,
    clock: Now,
    wanted: WantedFields = ALL_FIELDS,
    overrides?: Overrides,
  ): Body {
    const body: Body = {};
    for (const { name, property, read, convert, isLeftOut } of this.#entriesOf(shape, wanted)) {
      const override = overrides?.[property];
      const value: unknown =
        override !== undefined
          ? override()
          : read === undefined
            ? source[property as keyof Source]
            : read(source as never, clock);
      if (value === null || value === undefined) {
        if (isLeftOut === null) body[name] = null;
      } else if (isLeftOut !== 'empty' || (value as readonly unknown[]).length > 0)
        body[name] = convert === null || override !== undefined ? value : convert(value as never, clock);
    }
    return body;
  }

  #entriesOf(shape: Shape<never>, wanted: WantedFields): readonly Entry[] {
    const key = wanted ?? shape;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const { leavesOut } = this.#style;
    const entries = Object.entries(shape.fields).flatMap(([property, field]) =>
      this.#style.namesOf(property, field).flatMap((name): Entry[] => {
        const inner = wanted === ALL_FIELDS ? ALL_FIELDS : wanted.get(name);
        if (inner === undefined) return [];
        const isLeftOut = leavesOut && field.optional ? (field.nullable ? 'null' : 'empty') : null;
        return [{ name, property, read: field.read, convert: this.#convert(field.type, inner), isLeftOut }];
      }),
    );
    this.#entries.set(key, entries);
    return entries;
  }

  #convert(type: ResultType, wanted: WantedFields): Convert | null {
    if (type === 'DateTime') return formatTime;
    if (typeof type === 'string') return null;
    if (!('kind' in type)) {
      const convert = this.#convert(type[0], wanted);
      if (convert === null) return null;
      return (values: readonly never[], clock) => {
        const converted: unknown[] = [];
        for (const value of values) converted.push(convert(value, clock));
        return converted;
      };
    }
    if (type.kind === 'enum') return this.#style.enumValue as Convert | null;
    const { own } = this.#style;
    if (own !== undefined && own.shape === type && wanted === ALL_FIELDS) return own.convert;
    return (value: never, clock) => this.write(type as Shape<object>, value, clock, wanted);
  }
}

/** Returns the tree of dotted paths: `['space.markdown', 'diff']`. A path includes everything below it. */
export function toFieldTree(paths: readonly (readonly string[])[]): FieldTree {
  const byName = Map.groupBy(paths, ([first = '']) => first);
  return new Map(
    [...byName].map(([name, below]) => [
      name,
      below.some(path => path.length === 1) ? ALL_FIELDS : toFieldTree(below.map(path => path.slice(1))),
    ]),
  );
}

export const fieldsIn = (wanted: WantedFields, name: string): WantedFields | undefined =>
  wanted === ALL_FIELDS ? ALL_FIELDS : wanted.get(name);
