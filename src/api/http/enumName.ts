/** Converts enum values: the domain and REST write them in lower case, GraphQL in capitals. */

/** Returns the GraphQL spelling: `timed_out` → `TIMED_OUT`, `search-results` → `SEARCH_RESULTS`. */
export const toEnumName = <Value extends string>(value: Value): EnumName<Value> =>
  value.toUpperCase().replaceAll('-', '_') as EnumName<Value>;

/** The type of `toEnumName(value)`. */
export type EnumName<Value extends string> = Value extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${EnumName<Tail>}`
  : Uppercase<Value>;

/** Returns the domain's spelling: `TIMED_OUT` → `timed_out`. Not for values with a hyphen. */
export const fromEnumName = <Value extends string>(name: string): Value => name.toLowerCase() as Value;
