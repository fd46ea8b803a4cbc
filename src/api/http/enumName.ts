/** Converts enum values: the domain and REST write them in lower case, GraphQL in capitals. */

/**
 * Returns the GraphQL name of an enum value of the domain: `timed_out` → `TIMED_OUT`, `search-results` →
 * `SEARCH_RESULTS`.
 */
export const toEnumName = <Value extends string>(value: Value): EnumName<Value> =>
  value.toUpperCase().replaceAll('-', '_') as EnumName<Value>;

/** The GraphQL name of an enum value as a type: `EnumName<'search-results'>` is `'SEARCH_RESULTS'`. */
export type EnumName<Value extends string> = Value extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${EnumName<Tail>}`
  : Uppercase<Value>;

/**
 * Returns the enum value of the domain for a GraphQL name: `TIMED_OUT` → `timed_out`. Do not use it for values with a
 * hyphen.
 */
export const fromEnumName = <Value extends string>(name: string): Value => name.toLowerCase() as Value;
