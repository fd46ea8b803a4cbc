import { z } from 'zod';
import { requestTakeOver } from '../../../operations/takeOver.ts';
import { McpRequestTakeOverDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { textResult } from '../toolResult.ts';
import { sessionIdArg } from './toolArgs.ts';

const { instructions, timeoutSeconds } = requestTakeOver.fields;

/** Asks for a person. */
export const requestTakeOverTool = defineTool({
  name: 'request_take_over',
  title: 'Ask for a person',
  description: 'Asks a person to act, such as to sign in. Then call wait.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    instructions: instructions.check,
    timeout_seconds: timeoutSeconds.check.optional(),
  }),
  async run({ session_id, instructions, timeout_seconds }, runner) {
    const input = { sessionId: session_id, instructions, timeoutSeconds: timeout_seconds ?? null };
    const { requestTakeOver: session } = await runner.execute(McpRequestTakeOverDocument, { input });
    const until = session.takeOver?.until ?? null;
    return textResult(
      `session ${session.id} waits for a person${until === null ? '' : ` until ${until}`}; the tool wait returns when they have handed it back`,
      { session_id: session.id },
    );
  },
});
