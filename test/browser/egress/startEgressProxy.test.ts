import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { connectRequest, exchangeBytes, portOfProxy, startRawServer } from './proxyClient.ts';
import { sessionProxyHarness } from './sessionProxyHarness.ts';

/** Connections to the origin so far. */
let connections = 0;
const harness = sessionProxyHarness((incoming, answer) => {
  if (incoming.url === '/echo') {
    answer.setHeader('x-host', incoming.headers.host ?? '');
    answer.setHeader('x-hops', String(incoming.headers['proxy-connection'] ?? incoming.headers.te ?? 'none'));
    incoming.pipe(answer);
  } else if (incoming.url === '/cookies') {
    answer
      .writeHead(418, 'Short And Stout', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Odd', 'caf\xe9'])
      .end(Buffer.from('x'));
  } else if (incoming.url === '/stream') {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.flushHeaders();
  } else if (incoming.url === '/torn') {
    answer.writeHead(200, { 'content-length': '100' });
    answer.write('half', () => incoming.socket.destroy());
  } else if (incoming.url === '/close-after') {
    answer.end('bye', () => incoming.socket.destroy());
  } else answer.end('hello');
});
harness.origin.on('connection', () => {
  connections += 1;
});
const { egress, sessionProxy, ask } = harness;

describe('Plain http through a session proxy', () => {
  test('keeps status, reason, repeated headers and bytes above ASCII', async () => {
    const answer = await ask(`http://127.0.0.1:${harness.port}/cookies`);
    expect(answer).toMatchObject({ status: 418, statusMessage: 'Short And Stout', body: 'x' });
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(answer.headers['x-odd']).toBe('caf\xe9');
  });

  test('forwards the body and the Host of the URL, and no headers for the proxy', async () => {
    const headers = { 'proxy-connection': 'keep-alive', te: 'trailers', 'content-length': '5' };
    const answer = await ask(`http://127.0.0.1:${harness.port}/echo`, {
      method: 'POST',
      body: 'mouse',
      headers,
    });
    expect(answer.body).toBe('mouse');
    expect(answer.headers['x-host']).toBe(`127.0.0.1:${harness.port}`);
    expect(answer.headers['x-hops']).toBe('none');
  });

  test('uses one connection to the origin for consecutive requests', async () => {
    await ask(`http://127.0.0.1:${harness.port}/`);
    const before = connections;
    for (let i = 0; i < 5; i += 1) await ask(`http://127.0.0.1:${harness.port}/`);
    expect(connections).toBe(before);
  });

  test('does not share connections with other session proxies', async () => {
    await ask(`http://127.0.0.1:${harness.port}/`);
    const before = connections;
    await using other = await egress.openSessionProxy(() => {});
    await ask(`http://127.0.0.1:${harness.port}/`, { through: other });
    expect(connections).toBe(before + 1);
  });

  /** Responds to the first request of each connection, and closes the connection at the second. */
  async function startOneRequestServer(received: string[]) {
    return startRawServer(socket => {
      let requests = 0;
      socket.on('data', bytes => {
        received.push(bytes.toString('latin1').split(' ')[0] ?? '');
        requests += 1;
        if (requests > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbye');
      });
    });
  }

  test('repeats a GET request when a kept connection is dead', async () => {
    const received: string[] = [];
    await using site = await startOneRequestServer(received);
    await ask(`http://127.0.0.1:${site.port}/`);
    expect((await ask(`http://127.0.0.1:${site.port}/`)).body).toBe('bye');
    expect(received).toEqual(['GET', 'GET', 'GET']);
  });

  test('does not repeat a request with a body', async () => {
    const received: string[] = [];
    await using site = await startOneRequestServer(received);
    await ask(`http://127.0.0.1:${site.port}/`);
    const order = { method: 'POST', body: 'pay', headers: { 'content-length': '3' } };
    await expect(ask(`http://127.0.0.1:${site.port}/`, order)).rejects.toThrow();
    expect(received.slice(0, 2)).toEqual(['GET', 'POST']);
    expect(received.filter(method => method === 'POST')).toHaveLength(1);
  });

  test('forwards the headers of a stream at once', async () => {
    await using own = await egress.openSessionProxy(() => {});
    const received = await exchangeBytes(
      portOfProxy(own),
      `GET http://127.0.0.1:${harness.port}/stream HTTP/1.1\r\nHost: x\r\n\r\n`,
      text => text.includes('\r\n\r\n'),
    );
    expect(received).toContain('text/event-stream');
  });

  test('aborts the response when the origin aborts it', async () => {
    await expect(ask(`http://127.0.0.1:${harness.port}/torn`)).rejects.toThrow(/aborted|socket hang up/);
  });

  test.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\n\r\n'],
    [
      'a length and chunks',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    ],
    ['a header that ends in two lines', 'X: a\nTransfer-Encoding: chunked\n\n0\n\n'],
    ['something other than HTTP', 'hello\r\n\r\n'],
  ])('forwards nothing of a response with %s, which could forge the next response', async (_what, rest) => {
    await using hostile = await startRawServer(socket => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    });
    const get = `GET http://127.0.0.1:${hostile.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    const received = await exchangeBytes(portOfProxy(sessionProxy), get);
    expect(received.split('HTTP/1.1').length).toBeLessThanOrEqual(2);
    expect(received).not.toContain('ab');
  });

  test('keeps running when either side breaks off at any moment', async () => {
    await using own = await egress.openSessionProxy(() => {});
    const long = 'x'.repeat(200_000);
    let turn = 0;
    await using site = await startRawServer(socket => {
      turn += 1;
      const response = `HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n${long}`;
      const sent = [0, 1, 20, 50, 100_000, response.length][turn % 6] ?? 0;
      socket.on('data', () => {
        if (sent === 0) socket.resetAndDestroy();
        else socket.write(response.slice(0, sent), () => (sent % 20 === 0 ? socket.end() : socket.destroy()));
      });
    });
    const tries = Array.from({ length: 240 }, async (_, i) => {
      const socket = connect({ host: '127.0.0.1', port: portOfProxy(own) });
      const closed = new Promise(resolve => socket.on('error', () => {}).once('close', resolve));
      const target = `127.0.0.1:${site.port}`;
      const get = `GET http://${target}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
      const post = `POST http://${target}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n${'y'.repeat(i * 40)}`;
      socket.write([get, post, connectRequest(site.port) + get][i % 3] ?? get);
      if (i % 5 === 0) socket.resetAndDestroy();
      else if (i % 5 === 1) socket.once('data', () => socket.resetAndDestroy());
      else if (i % 5 === 2) socket.resume().end();
      else setImmediate(() => socket.destroy());
      await closed;
    });
    await Promise.all(tries);
    expect((await ask(`http://127.0.0.1:${harness.port}/`, { through: own })).body).toBe('hello');
    await own.close();
  });

  test('refuses what is not a proxy request', async () => {
    for (const line of [
      'GET / HTTP/1.1',
      'GET https://127.0.0.1/ HTTP/1.1',
      'GET file:///etc/passwd HTTP/1.1',
      'CONNECT 127.0.0.1 HTTP/1.1',
      'CONNECT /x:80 HTTP/1.1',
      'BREW x',
    ])
      expect(await exchangeBytes(portOfProxy(sessionProxy), `${line}\r\nHost: x\r\n\r\n`)).not.toMatch(/200/);
  });

  test('failureOf returns why there was no response', async () => {
    await expect(ask('http://127.0.0.1:1/')).rejects.toThrow();
    expect(sessionProxy.failureOf('http://127.0.0.1:1/')).toMatchObject({ type: 'blocked' });
    const dead = await startRawServer(() => {});
    await dead[Symbol.asyncDispose]();
    await expect(ask(`http://127.0.0.1:${dead.port}/`)).rejects.toThrow();
    expect(sessionProxy.failureOf(`http://127.0.0.1:${dead.port}/x`)).toEqual({
      type: 'unreachable',
      reason: 'ECONNREFUSED',
    });
  });
});
