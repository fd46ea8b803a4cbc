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
import { readBodyChunks, readTextBody } from '../../../src/api/http/httpContext.ts';
import { callApi } from '../../support/callApi.ts';
import { startTestProduct } from '../../support/startServer.ts';

const IDLE_TIMEOUT_MS = 30_000;
/** Just below the idle timeout. */
const JUST_BELOW_MS = IDLE_TIMEOUT_MS - 1;

describe('A body on a slow connection', () => {
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

  test('is read to its end as long as bytes arrive', async () => {
    const read = readTextBody(received, response, 1_000, IDLE_TIMEOUT_MS);
    for (const chunk of '{"a":1}') {
      await vi.advanceTimersByTimeAsync(JUST_BELOW_MS);
      sending.write(chunk);
      await once(received, 'data');
    }
    sending.end();
    expect(await read).toBe('{"a":1}');
  });

  test('is refused after the total timeout even if bytes arrive', async () => {
    const read = readTextBody(received, response, 1_000, IDLE_TIMEOUT_MS).catch(error => error);
    for (let chunk = 0; chunk < 10; chunk++) {
      await vi.advanceTimersByTimeAsync(JUST_BELOW_MS);
      sending.write('x');
      await once(received, 'data');
    }
    await vi.advanceTimersByTimeAsync(JUST_BELOW_MS);
    expect(await read).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'The body did not arrive within 300 seconds.',
    });
  });

  test('is refused after the idle timeout', async () => {
    const read = readTextBody(received, response, 1_000, IDLE_TIMEOUT_MS).catch(error => error);
    await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS);
    expect(await read).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'No byte of the body arrived for 30 seconds.',
    });
  });

  test('is streamed chunk by chunk as long as bytes arrive', async () => {
    const chunks = readBodyChunks(received, response, IDLE_TIMEOUT_MS);
    for (const chunk of 'abcdefg') {
      const next = chunks.next();
      await vi.advanceTimersByTimeAsync(JUST_BELOW_MS);
      sending.write(chunk);
      expect(String((await next).value)).toBe(chunk);
    }
    sending.end();
    expect((await chunks.next()).done).toBe(true);
  });

  test('is refused when the next chunk does not arrive in time', async () => {
    const next = readBodyChunks(received, response, IDLE_TIMEOUT_MS)
      .next()
      .catch(error => error);
    await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS);
    expect(await next).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  test('has no idle timeout while the consumer does not wait for a chunk', async () => {
    const chunks = readBodyChunks(received, response, IDLE_TIMEOUT_MS);
    sending.write('a');
    await chunks.next();
    await vi.advanceTimersByTimeAsync(10 * IDLE_TIMEOUT_MS);
    sending.write('b');
    expect(String((await chunks.next()).value)).toBe('b');
  });
});

test.each(['an upload', 'a JSON request'])(
  '%s whose body stops gets 408, and its session stays active',
  async what => {
    await using product = await startTestProduct({ browser: 'fake' }, { bodyIdleTimeoutMs: 500 });
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
    // The whole response arrives first; then the server drains the body for some seconds.
    sending.destroy();
    expect(await callApi(url, 'GET', `/session/${session}`, { key })).toMatchObject({
      body: { status: 'active' },
    });
  },
);
