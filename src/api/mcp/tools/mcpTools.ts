/** The MCP tools, in the order of `tools/list`. */
import type { McpTool } from '../mcpTool.ts';
import { closeTool } from './closeTool.ts';
import { filesTool } from './filesTool.ts';
import { listSessionsTool } from './listSessionsTool.ts';
import { observeTool } from './observeTool.ts';
import { scrapeTool } from './scrapeTool.ts';
import { startTool } from './startTool.ts';
import { stepTool } from './stepTool.ts';
import { waitTool } from './waitTool.ts';

/** All MCP tools. `tools/list` stays below 6 kB, because models read it in every conversation. */
export const MCP_TOOLS: readonly McpTool[] = [
  startTool,
  observeTool,
  stepTool,
  scrapeTool,
  waitTool,
  closeTool,
  listSessionsTool,
  filesTool,
];
