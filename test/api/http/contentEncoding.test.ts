import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

async function post(path: string, coding: string, body: Buffer<ArrayBuffer>) {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${product.key}`,
      'content-type': 'application/json',
      'content-encoding': coding,
    },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const START = Buffer.from(JSON.stringify({ session_timeout_minutes: 7 }));
const PACKED = {
  gzip: gzipSync(START),
  'X-GZIP': gzipSync(START),
  deflate: deflateSync(START),
  br: brotliCompressSync(START),
  zstd: zstdCompressSync(START),
  identity: START,
};

describe('a body with a Content-Encoding', () => {
  test.each(Object.entries(PACKED))('of %s is unpacked', async (coding, body) => {
    expect(await post('/session/start', coding, body)).toMatchObject({
      status: 200,
      body: { timeout_minutes: 7 },
    });
  });

  test('is unpacked at /graphql too', async () => {
    const query = gzipSync(JSON.stringify({ query: '{ viewer { account { id } } }' }));
    expect((await post('/graphql', 'gzip', query)).body.data.viewer.account.id).toBeTypeOf('string');
  });

  test.each(['compress', 'gzip, br', 'constructor'])('of %j is refused with what is taken', async coding => {
    const answer = await post('/session/start', coding, START);
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    expect(answer.body.detail).toContain('gzip, deflate, br, zstd');
    expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd');
  });

  test('that it does not have is told as that, not as bad JSON', async () => {
    expect(await post('/session/start', 'gzip', START)).toMatchObject({
      status: 400,
      body: { detail: 'The body does not match its Content-Encoding.' },
    });
  });

  test('that ends too early is told as that', async () => {
    expect(await post('/session/start', 'gzip', gzipSync(START).subarray(0, -9))).toMatchObject({
      status: 400,
      body: { detail: 'The body does not match its Content-Encoding.' },
    });
  });

  test('that grows beyond the bound is refused, and the next call is answered', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 32));
    expect(await post('/session/start', 'gzip', bomb)).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
    expect((await post('/session/start', 'gzip', PACKED.gzip)).status).toBe(200);
  });

  test('that asks for more memory than eight megabytes to be unpacked in is refused', async () => {
    // A frame (RFC 8878, 3.1.1) with a window of 128 MB and one raw block.
    const greedy = Buffer.from('28b52ffd 00 88 110000 7b7d'.replaceAll(' ', ''), 'hex');
    expect(await post('/session/start', 'zstd', greedy)).toMatchObject({
      status: 400,
      body: { detail: 'The body does not match its Content-Encoding.' },
    });
  });

  test('is refused where a file is uploaded', async () => {
    const { body: session } = await post('/session/start', 'gzip', PACKED.gzip);
    const path = `/session/${session.session_id}/uploads?name=a.txt`;
    expect(await post(path, 'gzip', gzipSync('a'))).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE', detail: expect.stringContaining('without Content-Encoding') },
    });
  });
});
