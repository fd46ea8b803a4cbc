/** Counts the messages of a JSON-RPC body and finds the tool that it calls, before the MCP server handles it. */
import type { McpTool } from './mcpTool.ts';
import { MCP_TOOLS } from './tools/mcpTools.ts';

/** Returns how many requests a body counts as: one for each message of a batch, at least one. */
export const messageCount = (body: unknown): number => (Array.isArray(body) ? Math.max(1, body.length) : 1);

/** Returns the tool that a body calls; null if it is another request or a batch. */
export function calledTool(body: unknown): McpTool | null {
  if (typeof body !== 'object' || body === null) return null;
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } | null };
  if (method !== 'tools/call') return null;
  return MCP_TOOLS.find(({ listing }) => listing.name === params?.name) ?? null;
}
