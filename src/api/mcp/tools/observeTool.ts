import { z } from 'zod';
import { targetFields } from '../../../operations/page.ts';
import { McpObserveDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { observationResult } from '../toolResult.ts';
import {
  argument,
  listArgs,
  listInput,
  listVariables,
  onlyDefault,
  sessionIdArg,
  waitForArg,
} from './toolArgs.ts';

/** Opens a page and lists its actions. */
export const observeTool = defineTool({
  name: 'observe',
  title: 'Open or look at a page',
  description:
    'Opens url, or looks at the page of the session, and lists its actions. Words in "…" are the page\'s. "= B3 B4": a row like that above with these ids.',
  scope: 'operate',
  args: z.strictObject({
    session_id: argument(sessionIdArg, targetFields.sessionId, onlyDefault(targetFields.sessionId)),
    url: argument(z.string().max(16_384), targetFields.url, onlyDefault(targetFields.url)),
    wait_for: waitForArg,
    ...listArgs,
  }),
  async run({ session_id, url, wait_for, ...args }, runner) {
    const { observe } = await runner.execute(McpObserveDocument, {
      input: {
        ...listInput(args),
        sessionId: session_id ?? null,
        url: url ?? null,
        waitFor: wait_for ?? null,
        // A new session must outlive this call, because its id is the handle of the next one.
        keepAlive: true,
        diffSince: session_id === undefined ? null : 'last',
      },
      ...listVariables(args),
      content: false,
    });
    return observationResult(observe);
  },
});
