import { z } from 'zod';
import { McpStepDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { observationResult } from '../toolResult.ts';
import { listArgs, listInput, listVariables, sessionIdArg } from './toolArgs.ts';

/** Waits in a page, then lists its actions. */
export const waitTool = defineTool({
  name: 'wait',
  title: 'Wait for the page',
  description: 'Waits for a number of seconds, then returns what changed and the list.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    seconds: z.number().min(0).max(30),
    ...listArgs,
  }),
  async run({ session_id, seconds, ...args }, runner) {
    const { step } = await runner.execute(McpStepDocument, {
      input: {
        ...listInput(args),
        sessionId: session_id,
        actionId: 'S7',
        value: String(seconds),
        diffSince: 'last',
      },
      ...listVariables(args),
      content: false,
    });
    return observationResult(step);
  },
});
