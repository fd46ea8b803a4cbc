/** Makes GraphQL enums from unions of the domain. */
import { toEnumName } from '../../http/enumName.ts';
import { builder } from '../builder.ts';

/**
 * Adds an enum whose members are domain values in GraphQL spelling: `timed_out` → `TIMED_OUT`.
 * @param descriptions a description for every value; a missing one does not compile
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
