import { z } from 'zod';
import { quote } from '../../../domain/space/pageText.ts';
import { McpSessionsDocument, type SessionStatus } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { textResult } from '../toolResult.ts';

const SESSIONS_PER_PAGE = 50;

/** Lists the sessions of the account. */
export const listSessionsTool = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Lists sessions, newest first.',
  scope: 'read',
  args: z.strictObject({
    status: z.enum(['active', 'closed', 'error', 'timed_out']).optional().describe('Default active'),
    cursor: z.string().optional(),
  }),
  async run({ status = 'active', cursor }, runner) {
    const { sessions } = await runner.execute(McpSessionsDocument, {
      status: [status.toUpperCase() as SessionStatus],
      first: SESSIONS_PER_PAGE,
      after: cursor ?? null,
    });
    const lines = sessions.edges.map(({ node }) =>
      [
        node.id,
        status,
        node.url === null ? 'no page' : quote(node.url),
        node.pageTitle === null ? null : quote(node.pageTitle),
        node.error,
      ]
        .filter(part => part !== null)
        .join(' '),
    );
    const { hasNextPage, endCursor } = sessions.pageInfo;
    if (hasNextPage) lines.push(`There are more. cursor: ${endCursor}`);
    const text = lines.length === 0 ? `There are no ${status} sessions.` : lines.join('\n');
    return textResult(text, { ...(hasNextPage && { cursor: endCursor }) });
  },
});
