import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressResponse } from '../../../src/api/http/compressResponse.ts';
import { type HttpResponse, jsonResponse } from '../../../src/api/http/httpResponse.ts';
import { startTestServer } from '../../support/startServer.ts';
import { startService } from '../../support/startService.ts';

const long = jsonResponse(200, { text: 'tea '.repeat(2_000) });
const asked = (encoding: string | undefined, answer: HttpResponse = long, local = false) =>
  compressResponse(answer, {
    headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    isLocal: local,
  });

describe('a long answer in JSON', () => {
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
  ])('for a caller that takes %j is written as %s', async (accepts, encoding) => {
    const answer = await asked(accepts);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('accept-encoding');
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is the same after %s', async (encoding, undo) => {
    const { body } = await asked(encoding);
    if (!(body instanceof Uint8Array)) throw new Error('It was not compressed.');
    expect(body.byteLength).toBeLessThan(200);
    expect(undo(body).toString()).toBe(long.body);
  });

  test('stays as it is for a caller on this machine', async () => {
    expect((await asked('br', long, true)).body).toBe(long.body);
  });
});

describe('nothing is done to', () => {
  test('a short answer', async () => {
    const short = jsonResponse(200, { status: 'ok' });
    expect(await asked('br', short)).toBe(short);
  });

  test('what is not JSON', async () => {
    const text: HttpResponse = { ...long, headers: { 'content-type': 'text/event-stream' } };
    expect(await asked('br', text)).toBe(text);
  });
});

test('the answer of a service behind a proxy is compressed, and fetch reads it', async () => {
  await using started = await startService();
  await using doors = await startTestServer(started.service);
  const response = await fetch(`${doors.url}/openapi.json`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.json()).toHaveProperty('openapi');
});
