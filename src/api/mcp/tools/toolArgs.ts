/** Arguments that several MCP tools share. Descriptions are short: a model reads them in every conversation. */
import { z } from 'zod';
import { waitForField } from '../../../domain/inputFields.ts';
import { ACTION_STATUSES, type ActionStatus } from '../../../domain/space/action.ts';

/** Default budget for a list of actions, in tokens. */
const DEFAULT_LIST_TOKENS = 3_000;
/** Maximum number of actions that a list can hold; the token budget cuts it before. */
const MAX_ACTIONS = 1_000;

export const sessionIdArg = z.string().max(100);
/** Its name says what it is for; docs/clients.md says more. */
export const idempotencyKeyArg = z.string().max(255).optional();

/** Its grammar stands at the argument `for` of the tool `wait`. */
export const waitForArg = waitForField.optional().describe('See wait');

/** Arguments of a tool that returns the list of a page. */
export const listArgs = {
  search: z.string().max(500).optional().describe('Only those with this text'),
  status: z.array(z.enum(ACTION_STATUSES)).optional(),
  text: z.boolean().optional().describe("With the page's text"),
  max_tokens: z.int().min(100).max(100_000).optional().describe('Of the list. Default 3000'),
  screenshot: z.boolean().optional(),
  idempotency_key: idempotencyKeyArg,
};

/** Converts the arguments of `listArgs` to variables of the GraphQL operations. */
export const listVariables = (args: {
  readonly search?: string | undefined;
  readonly max_tokens?: number | undefined;
  readonly screenshot?: boolean | undefined;
}) => ({
  maxTokens: args.max_tokens ?? DEFAULT_LIST_TOKENS,
  screenshot: args.screenshot ?? false,
});

/** Converts the arguments of `listArgs` to fields of the GraphQL inputs. */
export const listInput = (args: {
  readonly search?: string | undefined;
  readonly status?: readonly ActionStatus[] | undefined;
  readonly text?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
}) => ({
  actions: {
    max: MAX_ACTIONS,
    search: args.search ?? null,
    status: args.status?.map(inCapitals) ?? null,
    text: args.text ?? null,
  },
  idempotencyKey: args.idempotency_key ?? null,
});

/** GraphQL writes the values of enumerations in capitals. */
const inCapitals = (status: ActionStatus) => status.toUpperCase() as Uppercase<ActionStatus>;
