import { z } from 'zod';
import { McpObserveDocument, McpStepDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { observationResult } from '../toolResult.ts';
import { listArgs, listInput, listVariables, sessionIdArg } from './toolArgs.ts';

const MS_PER_SECOND = 1_000;
const DEFAULT_SECONDS = 10;

/** Waits in a page, for a condition or for a time, then lists its actions. */
export const waitTool = defineTool({
  name: 'wait',
  title: 'Wait for the page',
  description: 'Waits for a condition, or for seconds without one. Returns changes and the list.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    for: z
      .string()
      .max(1_000)
      .optional()
      .describe('text "Saved", no text "Loading", action "Pay", no action "Pay", network quiet'),
    seconds: z.number().min(0).max(30).optional().describe('Default 10'),
    ...listArgs,
  }),
  async run({ session_id, for: condition, seconds = DEFAULT_SECONDS, ...args }, runner) {
    const input = { ...listInput(args), sessionId: session_id, diffSince: 'last' };
    const variables = { ...listVariables(args), content: false };
    if (condition === undefined) {
      const { step } = await runner.execute(McpStepDocument, {
        input: { ...input, actionId: 'S7', value: String(seconds) },
        ...variables,
      });
      return observationResult(step);
    }
    const { observe } = await runner.execute(McpObserveDocument, {
      input: { ...input, waitFor: condition, waitMs: Math.round(seconds * MS_PER_SECOND) },
      ...variables,
    });
    return observationResult(observe);
  },
});
