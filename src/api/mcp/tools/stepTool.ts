import { z } from 'zod';
import { McpStepDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { observationResult } from '../toolResult.ts';
import { listArgs, listInput, listVariables, sessionIdArg, waitForArg } from './toolArgs.ts';

/** Performs an action. */
export const stepTool = defineTool({
  name: 'step',
  title: 'Perform an action',
  description:
    'Performs an action of the list: clicks L and B ids, enters value into I ids, S ids are special. Returns changes and the new list.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    action_id: z.string().max(100).describe('L1, B2, I3, S4'),
    value: z
      .string()
      .max(1_000_000)
      .optional()
      .describe('Text, option, true or false, date, id of an upload'),
    enter: z.boolean().optional().describe('Press Enter after the value'),
    wait_for: waitForArg,
    ...listArgs,
  }),
  async run({ session_id, action_id, value, enter, wait_for, ...args }, runner) {
    const actionId = action_id.trim().toUpperCase();
    const variables = listVariables(args);
    const { step } = await runner.execute(McpStepDocument, {
      input: {
        ...listInput(args),
        sessionId: session_id,
        actionId,
        value: value ?? null,
        enter: enter ?? null,
        waitFor: wait_for ?? null,
        diffSince: 'last',
      },
      ...variables,
      // S3 takes a screenshot, S2 scrapes.
      screenshot: variables.screenshot || actionId === 'S3',
      content: actionId === 'S2',
    });
    return observationResult(step);
  },
});
