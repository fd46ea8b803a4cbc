import { z } from 'zod';
import { minutesText } from '../../../domain/session/sessionDuration.ts';
import { timeoutFields } from '../../../operations/page.ts';
import { McpStartDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { toStartInput } from '../startOptions.ts';
import { textResult } from '../toolResult.ts';
import { argument, idempotencyKeyArg } from './toolArgs.ts';

/** Starts a session. */
export const startTool = defineTool({
  name: 'start',
  title: 'Start a browser session',
  description: 'Starts a session, as observe does too.',
  scope: 'operate',
  args: z.strictObject({
    timeout_minutes: argument(z.number(), timeoutFields.sessionTimeoutMinutes),
    options: z.unknown().optional().meta({ type: 'object', description: 'As POST /session/start' }),
    idempotency_key: idempotencyKeyArg,
  }),
  async run({ timeout_minutes, options, idempotency_key }, runner) {
    const { startSession } = await runner.execute(McpStartDocument, {
      input: {
        ...toStartInput(options ?? {}),
        ...(timeout_minutes !== undefined && { sessionTimeoutMinutes: timeout_minutes }),
        idempotencyKey: idempotency_key ?? null,
      },
    });
    const { id, timeoutMinutes } = startSession;
    return textResult(`session ${id}, ends after ${minutesText(timeoutMinutes)} without a call`, {
      session_id: id,
    });
  },
});
