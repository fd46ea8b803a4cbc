/** Counts the messages of an MCP client, and finds the tool and what is not valid, before the MCP server handles them. */
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  isJSONRPCRequest,
  PARSE_ERROR,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { Issue } from '../../domain/failure/issueMessage.ts';
import { fieldErrors, formatFieldErrors } from '../http/validationFailure.ts';
import type { McpTool } from './mcpTool.ts';
import { MCP_TOOLS } from './mcpTools.ts';

/** Returns how many requests a body counts as: one for each message of a batch, at least one. */
export const messageCount = (body: unknown): number => (Array.isArray(body) ? Math.max(1, body.length) : 1);

/** Returns the tool that a body calls; null if it is another request or a batch. */
export function calledTool(body: unknown): McpTool | null {
  if (typeof body !== 'object' || body === null) return null;
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } | null };
  if (method !== 'tools/call') return null;
  return MCP_TOOLS.find(({ listing }) => listing.name === params?.name) ?? null;
}

/** Types of the protocol's schema. The MCP server answers "internal error" (-32603) to a request that is not of its type. */
const REQUEST_TYPES: ReadonlyMap<string, keyof typeof specTypeSchemas> = new Map([
  ['initialize', 'InitializeRequest'],
  ['ping', 'PingRequest'],
  ['tools/list', 'ListToolsRequest'],
  ['tools/call', 'CallToolRequest'],
  ['resources/list', 'ListResourcesRequest'],
  ['resources/templates/list', 'ListResourceTemplatesRequest'],
  ['resources/read', 'ReadResourceRequest'],
]);

/**
 * Returns the JSON-RPC error for a request whose `params` are not those of its method; null for any other body. If a batch has such a
 * request, returns an error for each of its requests, because none is performed.
 * @param revision the request's MCP-Protocol-Version, a date
 */
export function paramsError(body: unknown, revision = ''): object | readonly object[] | null {
  if (!Array.isArray(body)) return requestError(body, revision);
  const errors = body.map(one => requestError(one, revision));
  if (errors.every(error => error === null)) return null;
  return body.flatMap((one, index) => errors[index] ?? notPerformed(one));
}

function requestError(body: unknown, revision: string): object | null {
  if (!isJSONRPCRequest(body)) return null;
  const { id, method } = body;
  // The stateless revisions have no such method, whatever its params are.
  if (method === 'initialize' && revision >= '2026') return null;
  const type = REQUEST_TYPES.get(method);
  const found = type === undefined ? {} : specTypeSchemas[type]['~standard'].validate(body);
  if (!('issues' in found) || found.issues === undefined) return null;
  // The schemas are of zod, whose issues say more than the type of a standard schema.
  const issues = found.issues as readonly Issue[];
  const ofParams = issues.map(issue => ({ ...issue, path: issue.path.slice(1) }));
  const message = `The params of ${method} are not valid: ${formatFieldErrors(fieldErrors({ issues: ofParams }))}`;
  return errorMessage(id, INVALID_PARAMS, message);
}

/** Returns the JSON-RPC error for a line of an MCP client over stdio; null if the line is a message. */
export function lineError(line: string): object | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return errorMessage(null, PARSE_ERROR, 'The line is not JSON.');
  }
  if (specTypeSchemas.JSONRPCMessage['~standard'].validate(message).issues === undefined) return null;
  const id = (message as { readonly id?: unknown } | null)?.id;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return errorMessage(known, INVALID_REQUEST, 'The line is not a JSON-RPC message.');
}

export const errorMessage = (id: string | number | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Returns the errors for another message of a batch: one for a request, none for a notification. */
function notPerformed(body: unknown): readonly object[] {
  if (!isJSONRPCRequest(body)) return [];
  const message = 'Another request of the batch is not valid, so that none was performed.';
  return [errorMessage(body.id, INVALID_REQUEST, message)];
}
