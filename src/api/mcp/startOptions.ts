/** The options of a new session as REST writes them, for the MCP tool and the command line, which send GraphQL. */
import { z } from 'zod';
import type { RequestField, RequestFields } from '../../operations/field.ts';
import { start } from '../../operations/start.ts';
import type { StartSessionInput } from '../graphql/generated/graphql.ts';
import { toEnumName } from '../graphql/inputType.ts';
import { fieldErrors, formatFieldErrors } from '../http/validationFailure.ts';
import { restFields, toRequest } from '../rest/request.ts';
import { OperationError } from './operationRunner.ts';

const schema = z.strictObject(restFields(start.fields));
const convert = toRequest(start.fields);

/** Returns the input of `startSession` for the fields of `POST /session/start`. @throws OperationError with the code VALIDATION_ERROR */
export function toStartInput(options: unknown): StartSessionInput {
  const parsed = schema.safeParse(options);
  if (!parsed.success)
    throw new OperationError(formatFieldErrors(fieldErrors(parsed.error, schema)), {
      code: 'VALIDATION_ERROR',
      retryable: false,
    });
  return withEnumNames(start.fields, convert(parsed.data)) as StartSessionInput;
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
