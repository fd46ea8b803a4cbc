import { z } from 'zod';
import { McpCloseDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { textResult } from '../toolResult.ts';
import { sessionIdArg } from './toolArgs.ts';

/** Closes a session. */
export const closeTool = defineTool({
  name: 'close',
  title: 'Close a session',
  description: 'Closes a session and its pages.',
  scope: 'operate',
  idempotent: true,
  args: z.strictObject({ session_id: sessionIdArg }),
  async run({ session_id }, runner) {
    const { closeSession } = await runner.execute(McpCloseDocument, { input: { sessionId: session_id } });
    const status = closeSession.status.toLowerCase();
    return textResult(`session ${closeSession.id}, ${status}`, { session_id: closeSession.id, status });
  },
});
