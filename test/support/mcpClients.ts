/** The official MCP clients of both eras, and the plainest one: JSON over fetch. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as Client2025 } from 'mcp-sdk-2025/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from 'mcp-sdk-2025/client/streamableHttp.js';

/** The parts of a tool's result that tests read. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any content
  readonly content: any[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any result
  readonly structuredContent: any;
}

/** An MCP client of one era. */
export interface McpClient extends AsyncDisposable {
  listTools(): Promise<{ name: string; [field: string]: unknown }[]>;
  call(name: string, args: object): Promise<ToolResult>;
}

const IDENTITY = { name: 'pagespace-test', version: '1.0.0' };

/** The official client of the revision 2026-07-28, which it requires. */
export async function modernClient(url: string, key: string): Promise<McpClient> {
  const client = new ModernClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new ModernTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as ToolResult,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The official client of the revisions of 2025. */
export async function client2025(url: string, key: string): Promise<McpClient> {
  const client = new Client2025(IDENTITY);
  const headers = { authorization: `Bearer ${key}` };
  const transport = new Transport2025(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as ToolResult,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Sends JSON-RPC as curl does, without a handshake. */
export function plainClient(url: string, key: string): McpClient {
  const request = (method: string, params: object) => postMcp(url, key, { id: 1, method, params });
  return {
    listTools: async () => (await request('tools/list', {})).body.result.tools,
    call: async (name, args) => (await request('tools/call', { name, arguments: args })).body.result,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Posts one JSON-RPC message to /mcp, and returns the response: its JSON, also out of an event stream. */
export async function postMcp(
  url: string,
  key: string | null,
  message: object,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, headers: response.headers, body: json === '' ? null : JSON.parse(json) };
}
