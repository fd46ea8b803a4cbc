/** Reads a stream of server-sent events. */

/** One event: its type (`message` if the stream names none) and its data. */
export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/**
 * Yields the events of a response body. Comments, which keep the connection open, yield nothing. Ends when the body ends.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @param idleTimeoutMs time without a byte after which the stream counts as broken, in milliseconds
 * @throws Error when the connection breaks or is idle
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  idleTimeoutMs: number,
): AsyncGenerator<ServerSentEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), idleTimeoutMs);
      if (done) return;
      buffered += decoder.decode(value, { stream: true });
      const blocks = buffered.split(/\r?\n\r?\n/);
      buffered = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  let type: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') type = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  }
  return type === null && data.length === 0 ? null : { type: type ?? 'message', data: data.join('\n') };
}

async function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The stream sent nothing for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
