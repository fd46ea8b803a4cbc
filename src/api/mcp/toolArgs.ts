/** Arguments of MCP tools, made from the fields of operations. Descriptions are short: a model reads them in every conversation. */
import { z } from 'zod';
import type { ActionStatus } from '../../domain/space/action.ts';
import { type EnumTable, type RequestField, restWords, shortWords } from '../../operations/field.ts';
import type { Selection } from '../../operations/operation.ts';
import { actionList, commonFields, waitFields } from '../../operations/page.ts';

/** Default budget for a list of actions, in tokens. */
export const DEFAULT_LIST_TOKENS = 3_000;
/** Maximum number of actions that a list can hold; the token budget cuts it before. */
const MAX_ACTIONS = 1_000;

/** Returns the schema of a value, with the words of its field. @param words replaces them where the tool means something else */
export const argument = <Value>(
  schema: z.ZodType<Value>,
  field: RequestField,
  words: string = shortWords(field),
) => schema.optional().describe(restWords(words));

/** Returns the default of a field in words, for an argument whose name says the rest. */
export const onlyDefault = (field: RequestField): string => /Default: .*$/.exec(shortWords(field))?.[0] ?? '';

const values = <Value extends string>({ values: of }: EnumTable<Value>): z.ZodType<Value> =>
  z.enum(Object.keys(of) as [Value, ...Value[]]) as unknown as z.ZodType<Value>;

const { search, status, text, maxTokens } = actionList.fields;

/** The session of a tool, where it must be given. */
export const sessionIdArg = z.string().max(100);
/** Its name says what it is for; docs/clients.md says more. */
export const idempotencyKeyArg = commonFields.idempotencyKey.check.optional();
/** Its grammar stands at the argument `for` of the tool `wait`. */
export const waitForArg = argument(waitFields.waitFor.check, waitFields.waitFor, 'See wait');

/** Arguments of a tool that returns the list of a page. */
export const listArgs = {
  search: search.check.optional(),
  status: z.array(values(status.type[0])).optional(),
  text: argument(z.boolean(), text),
  max_tokens: argument(z.int().min(100).max(100_000), maxTokens, `Default: ${DEFAULT_LIST_TOKENS}`),
  screenshot: z.boolean().optional(),
  idempotency_key: idempotencyKeyArg,
};

export interface ListArgs {
  readonly search?: string | undefined;
  readonly status?: readonly ActionStatus[] | undefined;
  readonly text?: boolean | undefined;
  readonly max_tokens?: number | undefined;
  readonly screenshot?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
}

/** Converts the values of `listArgs` to fields of a request. */
export const listRequest = ({ search, status, text, idempotency_key: idempotencyKey }: ListArgs) => ({
  actions: { max: MAX_ACTIONS, search, status, text },
  idempotencyKey,
});

/** Returns the parts of an observation that the result of a tool shows. @param more `screenshot` and `data`, if it shows them */
export const selectionOf = (...more: readonly ('screenshot' | 'data' | false)[]): Selection => {
  const parts: readonly unknown[] = ['id', 'space', 'diff', ...more];
  return { has: (name, part) => parts.includes(name) && (part === undefined || part === 'markdown') };
};
