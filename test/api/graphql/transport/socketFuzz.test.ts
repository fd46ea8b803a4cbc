import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiResponse } from '../../../support/callApi.ts';
import { FUZZ_TIMEOUT_MS, FUZZ_TIMES, FuzzHarness } from '../../../support/fuzzHarness.ts';
import { BAD_JSON } from '../../../support/inputShape.ts';

/** Sends messages that the protocol does not allow, and fields of messages with invalid values. */

let harness: FuzzHarness;
beforeAll(async () => {
  harness = await FuzzHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const init = (): string =>
  JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${harness.key}` } });
const subscribe = (query: string): string =>
  JSON.stringify({ id: 'a', type: 'subscribe', payload: { query } });

/** Close codes of graphql-transport-ws that blame the client; 1005 and 1006: the client closed it. */
const CLIENT_CODES = [1005, 1006, 4400, 4401, 4403, 4408, 4409, 4429];

/**
 * Sends the messages on a socket of its own, the others after the response to connection_init if that is the first one, then a ping.
 * @returns all that the server sent, and the close code, if it closed */
async function exchange(
  messages: readonly (string | Buffer)[],
): Promise<{ text: string; code: number | null }> {
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const received: string[] = [];
  const [first, ...others] = messages;
  const isInit = first === init();
  const sendOthers = (): void => {
    for (const message of isInit ? others : messages) socket.send(message);
    socket.send(JSON.stringify({ type: 'ping', payload: { ping: 'last' } }));
  };
  socket.on('message', data => {
    received.push(String(data));
    if (isInit && received.length === 1) sendOthers();
    if (String(data).includes('"last"')) resolve(null);
  });
  socket.on('close', code => resolve(code));
  socket.on('error', () => resolve(1006));
  socket.on('open', () => (isInit ? socket.send(first) : sendOthers()));
  const code = await promise;
  socket.terminate();
  return { text: received.join('\n'), code };
}

async function checked(
  messages: readonly (string | Buffer)[],
): Promise<{ text: string; code: number | null }> {
  let found = { text: '', code: null as number | null };
  await harness.sendAndCheck(async (): Promise<ApiResponse> => {
    found = await exchange(messages);
    return { status: 200, headers: new Headers(), text: found.text, body: null };
  });
  if (found.code !== null) expect(CLIENT_CODES).toContain(found.code);
  return found;
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each([
  '{"type":"connection_ack"}',
  '{"type":"connection_ack","payload":{}}',
  '{"id":"a","type":"next","payload":{"data":{}}}',
  '{"id":"a","type":"error","payload":[{"message":"x"}]}',
  '{"type":"start"}',
  '{"type":"__proto__"}',
  '{"type":["ping"]}',
  '{"type":null}',
  '{}',
  'null',
  '[]',
  '5',
  '"connection_init"',
  '',
  '{"type":"complete"}',
  '{"type":"subscribe"}',
  '{"id":"","type":"subscribe","payload":{"query":"{ viewer { keyId } }"}}',
  '{"id":"a","type":"subscribe","payload":null}',
  '{"id":"a","type":"subscribe","payload":{"query":null}}',
  `{"type":"ping","payload":{"a":${deep(20_000)}}}`,
  `{"type":"connection_init","payload":{"a":${deep(20_000)}}}`,
  deep(20_000),
])('a WebSocket is closed with 4400 after %s, before and after connection_init', async message => {
  expect((await checked([message])).code).toBe(4400);
  if (!message.includes('connection_init')) expect((await checked([init(), message])).code).toBe(4400);
});

test.each([
  '{"type":"pong"}',
  '{"type":"pong","payload":{}}',
  '{"id":"unknown","type":"complete"}',
  '{"type":"ping","payload":null}',
])('a WebSocket stays open after %s', async message => {
  expect((await checked([init(), message])).code).toBeNull();
});

test('a binary message is read as text', async () => {
  expect((await checked([Buffer.from([0xff, 0xfe, 0])])).code).toBe(4400);
  expect((await checked([init(), Buffer.from('{"type":"pong"}')])).code).toBeNull();
});

test('variables that are nested too deeply are an error of that operation only', async () => {
  const variables = `{"id":"a","type":"subscribe","payload":{"query":"{ viewer { keyId } }","variables":{"a":${deep(200)}}}}`;
  const { code, text } = await checked([init(), variables]);
  expect(code).toBeNull();
  expect(text).not.toContain('INTERNAL');
});

test(
  'a WebSocket has no internal error, whatever the fields of its messages are',
  async () => {
    const type = fc.oneof(
      fc
        .constantFrom(
          'connection_init',
          'ping',
          'pong',
          'subscribe',
          'complete',
          'next',
          'error',
          'connection_ack',
        )
        .map(name => JSON.stringify(name)),
      BAD_JSON,
    );
    const payload = fc.oneof(
      BAD_JSON,
      fc
        .dictionary(
          fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'documentId', 'authorization'),
          fc.oneof(BAD_JSON, fc.constant('"{ viewer { keyId } }"')),
        )
        .map(fields => `{${Object.entries(fields).map(([name, bad]) => `${JSON.stringify(name)}:${bad}`)}}`),
    );
    const id = fc.oneof(fc.constantFrom('"a"', '"__proto__"', '"toString"'), BAD_JSON);
    const message = fc.oneof(
      fc
        .tuple(type, id, payload)
        .map(([one, two, three]) => `{"type":${one},"id":${two},"payload":${three}}`),
      fc.string({ unit: 'binary' }),
      fc.constant(subscribe('{ viewer { keyId } }')),
      fc.constant(subscribe('subscription { accountUsageChanged { operations } }')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (some, withInit) => {
          await checked(withInit ? [init(), ...some] : some);
        },
      ),
      { numRuns: 150 * FUZZ_TIMES },
    );
  },
  FUZZ_TIMEOUT_MS,
);
