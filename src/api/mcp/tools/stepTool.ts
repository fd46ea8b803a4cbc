import { z } from 'zod';
import { step } from '../../../operations/step.ts';
import { McpStepDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { observationResult } from '../toolResult.ts';
import { argument, listArgs, listInput, listVariables, sessionIdArg, waitForArg } from './toolArgs.ts';

/** Performs an action. */
export const stepTool = defineTool({
  name: 'step',
  title: 'Perform an action',
  description:
    'Performs an action of the list: clicks L and B ids, enters value into I ids, S ids are special. Returns changes and the new list.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    action_id: step.fields.actionId.check.describe('L1, B2, I3, S4'),
    value: argument(step.fields.value.check, step.fields.value),
    enter: argument(z.boolean(), step.fields.enter),
    wait_for: waitForArg,
    ...listArgs,
  }),
  async run({ session_id, action_id: actionId, value, enter, wait_for, ...args }, runner) {
    const variables = listVariables(args);
    const { step: observation } = await runner.execute(McpStepDocument, {
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
    return observationResult(observation);
  },
});
