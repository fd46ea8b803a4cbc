/** Makes GraphQL enums from unions of the domain. */
import { toEnumName } from '../../http/enumName.ts';
import { builder } from '../builder.ts';

/**
 * Adds a GraphQL enum to the schema. Its values are those of a union of the domain, in capitals: `timed_out` → `TIMED_OUT`.
 * @param descriptions the description of each value; a value without a description does not compile
 */
export function domainEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) {
  const entries = Object.entries<string>(descriptions) as [Value, string][];
  const values = Object.fromEntries(
    entries.map(([value, text]) => [toEnumName(value), { value, description: text }]),
  ) as Record<string, { value: Value; description: string }>;
  return builder.enumType(name, { description, values });
}
