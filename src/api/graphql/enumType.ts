/** GraphQL enums of the enumerations of the domain. */
import { type EnumTable, enumTable } from '../../operations/field.ts';
import { builder } from './builder.ts';

/** Returns the GraphQL name of a value: `timed_out` → `TIMED_OUT`, `search-results` → `SEARCH_RESULTS`. */
export const toEnumName = (value: string): string => value.toUpperCase().replaceAll('-', '_');

const addEnum = ({ name, description, values }: EnumTable) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(values).map(([value, text]) => [toEnumName(value), { value, description: text }]),
    ),
  });

type EnumRef = ReturnType<typeof addEnum>;
const added = new Map<EnumTable, EnumRef>();

/** Returns the GraphQL enum of a table; the first call adds it to the schema. Its values are those of the table, in capitals. */
export function enumType<Value extends string>(table: EnumTable<Value>) {
  const found = added.get(table) ?? addEnum(table);
  added.set(table, found);
  // The values of the enum are the keys of the table.
  return found as unknown as PothosSchemaTypes.EnumRef<typeof builder.$inferSchemaTypes, Value>;
}

/** Adds a GraphQL enum that no operation uses to the schema. @param descriptions the description of each value */
export const domainEnum = <Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) => enumType(enumTable(name, description, descriptions));
