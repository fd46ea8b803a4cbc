/** Counts the messages of a JSON-RPC body and finds the tool that it calls, before the MCP server handles it. */
import { z } from 'zod';
import { fieldErrors, formatFieldErrors } from '../http/validationFailure.ts';
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

const cursorParams = z.looseObject({ cursor: z.string().optional() }).optional();

/** Schemas of the `params` of each method. The MCP server answers "internal error" (-32603) to params that do not match. */
const PARAMS: Readonly<Record<string, z.ZodType>> = {
  initialize: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  'tools/list': cursorParams,
  'tools/call': z.looseObject({ name: z.string(), arguments: z.looseObject({}).optional() }),
  'resources/list': cursorParams,
  'resources/templates/list': cursorParams,
  'resources/read': z.looseObject({ uri: z.string() }),
};

const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.unknown().optional(),
});

/** JSON-RPC 2.0, section 5.1: invalid params. */
const INVALID_PARAMS = -32_602;

/** JSON-RPC 2.0, section 5.1: invalid request. */
const INVALID_REQUEST = -32_600;

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
  const request = requestSchema.safeParse(body);
  if (!request.success) return null;
  const { id, method, params } = request.data;
  // The stateless revisions have no such method, whatever its params are.
  if (method === 'initialize' && revision >= '2026') return null;
  const parsed = Object.hasOwn(PARAMS, method) ? PARAMS[method]?.safeParse(params) : undefined;
  if (parsed === undefined || parsed.success) return null;
  const message = `The params of ${method} are not valid: ${formatFieldErrors(fieldErrors(parsed.error))}`;
  return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } };
}

/** Returns the errors for another message of a batch: one for a request, none for a notification. */
function notPerformed(body: unknown): readonly object[] {
  const request = requestSchema.safeParse(body);
  if (!request.success) return [];
  const message = 'Another request of the batch is not valid, so that none was performed.';
  return [{ jsonrpc: '2.0', id: request.data.id, error: { code: INVALID_REQUEST, message } }];
}
