import { toEnumName } from '../api/graphql/operationTypes.ts';
import { fieldErrors, formatFieldErrors } from '../api/http/validationFailure.ts';
import { restObject } from '../api/rest/route.ts';
import type { StartOptions } from '../client/main.ts';
import type { RequestField, RequestFields } from '../operations/field.ts';
import { start } from '../operations/start.ts';
import { UsageError } from './connection.ts';

const { schema, toRequest } = restObject(start.fields);

/** Returns the input of `startSession` for the fields of `POST /session/start`. @throws UsageError */
export function toStartInput(options: unknown): StartOptions {
  const parsed = schema.safeParse(options);
  if (!parsed.success)
    throw new UsageError(`--options: ${formatFieldErrors(fieldErrors(parsed.error, schema))}`);
  return withEnumNames(start.fields, toRequest(parsed.data)) as StartOptions;
}

const withEnumNames = (fields: RequestFields, values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, graphqlValue(fields[name]?.type, value)]),
  );

function graphqlValue(type: RequestField['type'] | undefined, value: unknown): unknown {
  if (typeof type !== 'object') return value;
  if (!('kind' in type)) return (value as readonly unknown[]).map(item => graphqlValue(type[0], item));
  return type.kind === 'enum'
    ? toEnumName(value as string)
    : withEnumNames(type.fields, value as Readonly<Record<string, unknown>>);
}
