/** The fields of a response that a caller selects, and bodies that compute only those. */

/** Names of fields, each with the fields wanted inside it. `ALL_FIELDS` stands for every field. */
export interface FieldTree extends ReadonlyMap<string, FieldTree | typeof ALL_FIELDS> {}

/** Every field of an object. */
export const ALL_FIELDS = null;

/** The fields that a caller wants of one object. */
export type WantedFields = FieldTree | typeof ALL_FIELDS;

/** The parts of the response to observe, step or scrape that a request asks for. */
export interface BodySelection {
  /** The request field `fields`. */
  readonly fields: WantedFields;
  /** True to leave out of each action what is null, empty or repeated (`lean`). */
  readonly lean: boolean;
  /** True to return the difference instead of the lists of actions (`diff_only`). */
  readonly diffOnly: boolean;
}

/** The whole response, as without `fields`, `lean` and `diff_only`. */
export const WHOLE_BODY: BodySelection = { fields: ALL_FIELDS, lean: false, diffOnly: false };

/** The fields of a body, each as a function that returns its value; undefined leaves the field out. */
export type LazyBody<Body> = {
  readonly [Name in keyof Body]-?: (wanted: WantedFields) => Body[Name] | undefined;
};

/** Calls the functions of the wanted fields only, and returns their values. The result has every field of `Body` for ALL_FIELDS. */
export function evaluateBody<Body extends object>(lazy: LazyBody<Body>, wanted: WantedFields): Body {
  const body: Record<string, unknown> = {};
  for (const [name, evaluate] of Object.entries<(inner: WantedFields) => unknown>(lazy)) {
    const inner = wanted === ALL_FIELDS ? ALL_FIELDS : wanted.get(name);
    if (inner === undefined) continue;
    const value = evaluate(inner);
    if (value !== undefined) body[name] = value;
  }
  // With `fields` the body has fewer fields than its type; the caller asked for that.
  return body as Body;
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

/** Returns the wanted fields of the field `name`; undefined if none is wanted. */
export const fieldsIn = (wanted: WantedFields, name: string): WantedFields | undefined =>
  wanted === ALL_FIELDS ? ALL_FIELDS : wanted.get(name);
