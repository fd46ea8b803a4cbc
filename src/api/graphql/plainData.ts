/**
 * Converts plain data to the JSON of a selection, without the executor, which needs about 1 µs for each field of each item; this file needs
 * about 0.05 µs. Plain data are objects whose fields have no arguments and are read at once: actions, messages, links.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { isIncluded } from './definitions/selects.ts';

/** The `extensions` of an object type that is plain data. Its fields have no arguments, no rules and no promises. */
export const PLAIN_DATA = { isPlainData: true } as const;

/** Returns true if the values of the type are plain data, or lists of them. */
export const isPlainData = (type: GraphQLOutputType): boolean =>
  getNamedType(type).extensions.isPlainData === true;

/** The parts of an operation that decide, beside the type, which fields are selected. */
export type SelectionInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** Converts a value to its JSON. @throws Error for null where the type has none; that of a scalar or enum */
export type PlainReader = (value: unknown) => unknown;

/** The last reader of each field node, for selections without directives: they are the same in all operations of a document. */
const readers = new WeakMap<FieldNode, { readonly type: GraphQLOutputType; readonly reader: PlainReader }>();

/** Returns the function that converts values of the type to the JSON that the selection asks for. */
export function plainReader(type: GraphQLOutputType, info: SelectionInfo): PlainReader {
  const [node, ...others] = info.fieldNodes;
  const known = node === undefined || others.length > 0 ? undefined : readers.get(node);
  if (known?.type === type) return known.reader;
  const selection = new Selection(info);
  const reader = selection.reader(type, info.fieldNodes);
  if (node !== undefined && others.length === 0 && !selection.hasDirectives)
    readers.set(node, { type, reader });
  return reader;
}

/** Makes the readers of one selection. */
class Selection {
  readonly #info: SelectionInfo;
  /** True once a directive was found, so that the selection may depend on variables. */
  hasDirectives = false;

  constructor(info: SelectionInfo) {
    this.#info = info;
  }

  reader(type: GraphQLOutputType, nodes: readonly FieldNode[]): PlainReader {
    if (isNonNullType(type)) return required(this.reader(type.ofType, nodes), type.toString());
    if (isListType(type)) return listReader(this.reader(type.ofType, nodes));
    if (isObjectType(type)) return this.#objectReader(type, nodes);
    return leafReader(type as GraphQLLeafType);
  }

  #objectReader(type: GraphQLObjectType, nodes: readonly FieldNode[]): PlainReader {
    const byKey = new Map<string, FieldNode[]>();
    for (const node of nodes) this.#collect(node.selectionSet?.selections ?? [], byKey);
    const fields = [...byKey].map(([key, [first, ...others]]) => {
      const name = first?.name.value ?? '';
      if (name === '__typename') return { key, read: () => type.name };
      const field = type.getFields()[name];
      if (field === undefined) throw new Error(`${type.name} has no field ${name}.`);
      const readSource = sourceReader(field);
      const convert = this.reader(field.type, first === undefined ? others : [first, ...others]);
      return { key, read: (source: object) => convert(readSource(source)) };
    });
    // An object with a prototype is converted to text faster, but has a setter of this name.
    const prototype = byKey.has('__proto__') ? null : Object.prototype;
    return value => {
      if (value == null) return null;
      const result: Record<string, unknown> = prototype === null ? Object.create(null) : {};
      for (const { key, read } of fields) result[key] = read(value);
      return result;
    };
  }

  /** Collects the selected fields by their keys in the response, in the order of the selection. */
  #collect(selections: readonly SelectionNode[], byKey: Map<string, FieldNode[]>): void {
    for (const selection of selections) {
      if ((selection.directives ?? []).length > 0) this.hasDirectives = true;
      if (!isIncluded(selection, this.#info)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        byKey.set(key, [...(byKey.get(key) ?? []), selection]);
      } else {
        // Every fragment fits: plain data implement no interface and are in no union.
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#info.fragments[selection.name.value];
        this.#collect(fragment?.selectionSet.selections ?? [], byKey);
      }
    }
  }
}

/** Returns the function that reads a field of an object. */
function sourceReader({
  resolve,
  name,
  extensions,
}: GraphQLField<unknown, unknown>): (source: object) => unknown {
  // `t.expose` of Pothos names the property, which is faster to read than to resolve.
  const { pothosExposedField: property } = extensions;
  if (typeof property === 'string') return source => (source as Record<string, unknown>)[property];
  if (resolve === undefined) return source => (source as Record<string, unknown>)[name];
  // Fields of plain data have no arguments, and their resolvers read nothing but the object.
  const read = resolve as (source: unknown, args: object) => unknown;
  return source => read(source, NO_ARGUMENTS);
}

const NO_ARGUMENTS = {};

const required =
  (reader: PlainReader, type: string): PlainReader =>
  value => {
    const result = reader(value);
    if (result === null) throw new Error(`A value of the type ${type} is null.`);
    return result;
  };

const listReader =
  (reader: PlainReader): PlainReader =>
  value =>
    value == null ? null : Array.from(value as Iterable<unknown>, item => reader(item));

/** The scalars whose JSON is the value itself if it has this type. */
const SAME_IN_JSON: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  URL: 'string',
  Boolean: 'boolean',
};

function leafReader(type: GraphQLLeafType): PlainReader {
  const serialize = (value: unknown) => type.serialize(value) ?? null;
  const same = isEnumType(type) ? undefined : SAME_IN_JSON[type.name];
  return value => (value == null ? null : typeof value === same ? value : serialize(value));
}
