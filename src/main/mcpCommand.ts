/** `mcp`: MCP over standard input and output. Each message goes to `/mcp` of a service. */
import { once } from 'node:events';
import { INTERNAL_ERROR, INVALID_REQUEST } from '@modelcontextprotocol/server';
import { errorMessage, lineError } from '../api/mcp/mcpMessages.ts';
import {
  type Connection,
  type ConnectionFlags,
  findConnection,
  findLocalService,
} from '../cli/connection.ts';
import { abortableDelay } from '../client/operationOptions.ts';

/** Maximum length of a message of the client, in bytes. */
const MAX_LINE_BYTES = 10_485_760;
const NEWLINE = 0x0a;

/** Serves MCP until standard input ends, with the service that is configured or runs on this machine, else with one of its own. */
export async function serveMcp(flags: ConnectionFlags): Promise<void> {
  await using ending = new AsyncDisposableStack();
  const connection =
    findConnection(flags, process.env) ?? (await runningLocalService()) ?? (await startEmbedded(ending));
  const bridge = new McpBridge(connection, message => process.stdout.write(`${JSON.stringify(message)}\n`));
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map(signal => once(process, signal)));
  await Promise.race([bridge.run(process.stdin), stopped]);
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: string | number;
    readonly arguments?: object;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** The tools that take `idempotency_key`: their calls can be repeated after the connection broke. */
const KEYED_TOOLS = new Set<unknown>(['start', 'observe', 'step', 'wait', 'scrape']);
const REVISION = 'io.modelcontextprotocol/protocolVersion';
const MAX_ATTEMPTS = 4;
const RETRY_DELAY_MS = 300;

class McpBridge {
  readonly #connection: Connection;
  readonly #write: (message: unknown) => void;
  readonly #running = new Map<string | number, AbortController>();
  /** The revision that the client and the service have agreed on with `initialize`. */
  #revision: string | null = null;

  constructor(connection: Connection, write: (message: unknown) => void) {
    this.#connection = connection;
    this.#write = write;
  }

  /** Reads messages, one a line, until the input ends and each request has its answer. */
  async run(input: AsyncIterable<Buffer>): Promise<void> {
    const answers = new Set<Promise<void>>();
    for await (const line of linesOf(input, MAX_LINE_BYTES)) {
      if (line?.trim() === '') continue;
      const error =
        line === null
          ? errorMessage(null, INVALID_REQUEST, 'The line is longer than 10 MB.')
          : lineError(line);
      if (line === null || error !== null) {
        this.#write(error);
        continue;
      }
      const answer = this.#handle(JSON.parse(line) as Message).finally(() => answers.delete(answer));
      answers.add(answer);
    }
    await Promise.all(answers);
  }

  async #handle(message: Message): Promise<void> {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && params?.requestId !== undefined)
      this.#running.get(params.requestId)?.abort();
    // The service keeps nothing between two requests, so that it needs no notifications.
    if (id === undefined || method === undefined) return;
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      for await (const answer of this.#answers({ ...message, id, method }, abort.signal)) {
        const { result } = answer as { readonly result?: { readonly protocolVersion?: string } };
        if (method === 'initialize') this.#revision = result?.protocolVersion ?? null;
        this.#write(answer);
      }
    } catch (error) {
      if (!abort.signal.aborted) this.#write(errorMessage(id, INTERNAL_ERROR, messageOf(error)));
    } finally {
      this.#running.delete(id);
    }
  }

  async *#answers(
    message: Message & { readonly method: string },
    signal: AbortSignal,
  ): AsyncGenerator<unknown, void, void> {
    const { method, params } = message;
    const isKeyed = method === 'tools/call' && KEYED_TOOLS.has(params?.name);
    const given = params?.arguments;
    const sent = isKeyed
      ? { ...message, params: { ...params, arguments: { idempotency_key: crypto.randomUUID(), ...given } } }
      : message;
    const response = await this.#post(sent, method !== 'tools/call' || isKeyed ? MAX_ATTEMPTS : 1, signal);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream') && response.body !== null) {
      for await (const line of linesOf(response.body, Number.POSITIVE_INFINITY))
        if (line?.startsWith('data:')) yield JSON.parse(line.slice('data:'.length));
    } else if (type.startsWith('application/problem+json')) {
      const { code, detail } = (await response.json()) as { readonly code: string; readonly detail: string };
      yield errorMessage(message.id ?? null, INTERNAL_ERROR, `${code}: ${detail}`);
    } else yield await response.json();
  }

  async #post(
    message: Message & { readonly method: string },
    maxAttempts: number,
    signal: AbortSignal,
  ): Promise<Response> {
    const { url, key } = this.#connection;
    for (let attempt = 1; ; attempt++)
      try {
        return await fetch(`${url.replace(/\/+$/, '')}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...protocolHeaders(message, this.#revision),
          },
          body: JSON.stringify(message),
          signal,
        });
      } catch (cause) {
        if (signal.aborted || attempt >= maxAttempts)
          throw new Error(`The service at ${url} cannot be reached.`, { cause });
        await abortableDelay(RETRY_DELAY_MS * attempt, signal);
      }
  }
}

/** Returns the headers that say over HTTP what a message says: those of all revisions from 2026 on, or the revision of 2025. */
function protocolHeaders(
  { method, params }: Message & { readonly method: string },
  revision: string | null,
): Record<string, string> {
  const own = params?._meta?.[REVISION];
  if (typeof own !== 'string') return revision === null ? {} : { 'mcp-protocol-version': revision };
  const name = method === 'resources/read' ? params?.uri : params?.name;
  return {
    'mcp-protocol-version': own,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Returns a text as the value of a header: one that HTTP would change is in Base64. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Yields the lines of a stream; null for one of `maxBytes` or more. */
async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | null, void, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length < maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const end = (): string | null => {
    const line = length < maxBytes ? Buffer.concat(pieces).toString() : null;
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield end();
}

/** Returns the service that `npm start` runs on this machine now; null if it does not answer. */
async function runningLocalService(): Promise<Connection | null> {
  const local = findLocalService(process.env);
  if (local === null) return null;
  try {
    const { ok } = await fetch(new URL('/health', local.url), { signal: AbortSignal.timeout(2_000) });
    return ok ? local : null;
  } catch {
    return null;
  }
}

async function startEmbedded(ending: AsyncDisposableStack): Promise<Connection> {
  const { startTemporaryApp } = await import('./startApp.ts');
  const { url, firstKey: key } = await startTemporaryApp(ending);
  return { url, key };
}
