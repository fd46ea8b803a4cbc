import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readBodyChunks, readTextBody } from '../../../src/api/http/readBody.ts';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct } from '../../support/startServer.ts';

const PAUSE_MS = 30_000;
/** Nearly all of the time that a body may pause. */
const NEARLY_MS = PAUSE_MS - 1;

describe('a body over a slow line', () => {
  const server = createServer();
  let sending: ClientRequest;
  let received: IncomingMessage;
  let response: ServerResponse;
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    sending = request({ port, host: '127.0.0.1', method: 'POST' }).on('error', () => undefined);
    sending.flushHeaders();
    [received, response] = await once(server, 'request');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    sending.destroy();
    server.close();
    await once(server, 'close');
  });

  test('is read to its end while bytes flow, for some minutes', async () => {
    const read = readTextBody(received, response, 1_000, PAUSE_MS);
    for (const piece of '{"a":1}') {
      await vi.advanceTimersByTimeAsync(NEARLY_MS);
      sending.write(piece);
      await once(received, 'data');
    }
    sending.end();
    expect(await read).toBe('{"a":1}');
  });

  test('is refused when it drips for longer', async () => {
    const read = readTextBody(received, response, 1_000, PAUSE_MS).catch(error => error);
    for (let piece = 0; piece < 10; piece++) {
      await vi.advanceTimersByTimeAsync(NEARLY_MS);
      sending.write('x');
      await once(received, 'data');
    }
    await vi.advanceTimersByTimeAsync(NEARLY_MS);
    expect(await read).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'The body did not arrive within 300 seconds.',
    });
  });

  test('is refused when it pauses too long', async () => {
    const read = readTextBody(received, response, 1_000, PAUSE_MS).catch(error => error);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(await read).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'No byte of the body arrived for 30 seconds.',
    });
  });

  test('is had piece by piece while bytes flow, however long it takes', async () => {
    const pieces = readBodyChunks(received, response, PAUSE_MS);
    for (const piece of 'abcdefg') {
      const next = pieces.next();
      await vi.advanceTimersByTimeAsync(NEARLY_MS);
      sending.write(piece);
      expect(String((await next).value)).toBe(piece);
    }
    sending.end();
    expect((await pieces.next()).done).toBe(true);
  });

  test('is refused when a piece that is waited for does not come', async () => {
    const next = readBodyChunks(received, response, PAUSE_MS)
      .next()
      .catch(error => error);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(await next).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  test('does not pause while nobody waits for it: the session may be busy', async () => {
    const pieces = readBodyChunks(received, response, PAUSE_MS);
    sending.write('a');
    await pieces.next();
    await vi.advanceTimersByTimeAsync(10 * PAUSE_MS);
    sending.write('b');
    expect(String((await pieces.next()).value)).toBe('b');
  });
});

test.each(['an upload', 'a call'])(
  '%s whose body stops is told so with 408, and its session goes on',
  async what => {
    await using product = await startTestProduct({}, { bodyIdleTimeoutMs: 20 });
    const { key, port, url } = product;
    const { body } = await callApi(url, 'POST', '/session/start', { key, body: {} });
    const session: string = body.session_id;
    const path = what === 'an upload' ? `/session/${session}/uploads` : '/env/observe';
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': 100,
    };
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path, headers });
    sending.on('error', () => undefined).write('half');
    const [answer] = await once(sending, 'response');
    expect(answer.statusCode).toBe(408);
    // Its whole answer comes first; the connection ends when it has sent no more.
    sending.destroy();
    expect(await callApi(url, 'GET', `/session/${session}`, { key })).toMatchObject({
      body: { status: 'active' },
    });
  },
);
