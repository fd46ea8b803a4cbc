import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressResponse, type HttpResponse, jsonResponse } from '../../../src/api/http/httpResponse.ts';
import { startTestServer } from '../../support/startServer.ts';
import { startService } from '../../support/startService.ts';

const long = jsonResponse(200, { text: 'tea '.repeat(2_000) });
const compress = (encoding: string | undefined, answer: HttpResponse = long, local = false) =>
  compressResponse(answer, {
    headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    isLocal: local,
  });

describe('compressResponse compresses long JSON', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0', undefined],
    ['zstd, identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for Accept-Encoding %j as %s', async (accepts, encoding) => {
    const answer = await compress(accepts);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('accept-encoding');
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('so that %s restores the same text', async (encoding, undo) => {
    const { body } = await compress(encoding);
    if (!(body instanceof Uint8Array)) throw new Error('It was not compressed.');
    expect(body.byteLength).toBeLessThan(200);
    expect(undo(body).toString()).toBe(long.body);
  });

  test('but not for a caller on this machine', async () => {
    expect((await compress('br', long, true)).body).toBe(long.body);
  });
});

describe('compressResponse does not change', () => {
  test('a short response', async () => {
    const short = jsonResponse(200, { status: 'ok' });
    expect(await compress('br', short)).toBe(short);
  });

  test('a response that is not JSON', async () => {
    const text: HttpResponse = { ...long, headers: { 'content-type': 'text/event-stream' } };
    expect(await compress('br', text)).toBe(text);
  });
});

test('GET /openapi.json through a proxy is compressed, and fetch can read it', async () => {
  await using started = await startService({ browser: 'fake' });
  await using server = await startTestServer(started.service);
  const response = await fetch(`${server.url}/openapi.json`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.json()).toHaveProperty('openapi');
});
