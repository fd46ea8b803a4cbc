import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
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
const COMPRESSED = {
  gzip: gzipSync(START),
  'X-GZIP': gzipSync(START),
  deflate: deflateSync(START),
  br: brotliCompressSync(START),
  zstd: zstdCompressSync(START),
  identity: START,
};

describe('A body with Content-Encoding', () => {
  test.each(Object.entries(COMPRESSED))('%s is decompressed', async (coding, body) => {
    expect(await post('/session/start', coding, body)).toMatchObject({
      status: 200,
      body: { timeout_minutes: 7 },
    });
  });

  test('gzip is decompressed at /graphql too', async () => {
    const query = gzipSync(JSON.stringify({ query: '{ viewer { account { id } } }' }));
    expect((await post('/graphql', 'gzip', query)).body.data.viewer.account.id).toBeTypeOf('string');
  });

  test.each(['compress', 'gzip, br', 'constructor'])(
    '%j is refused with 415 and Accept-Encoding',
    async coding => {
      const answer = await post('/session/start', coding, START);
      expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
      expect(answer.body.detail).toContain('gzip, deflate, br, zstd');
      expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd');
    },
  );

  test('that is not compressed gets a failure that names the Content-Encoding', async () => {
    expect(await post('/session/start', 'gzip', START)).toMatchObject({
      status: 400,
      body: { detail: 'The body does not match its Content-Encoding.' },
    });
  });

  test('that ends too early gets a failure that names the Content-Encoding', async () => {
    expect(await post('/session/start', 'gzip', gzipSync(START).subarray(0, -9))).toMatchObject({
      status: 400,
      body: { detail: 'The body does not match its Content-Encoding.' },
    });
  });

  test('that is too large after decompression gets 413, and the next request is answered', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 32));
    expect(await post('/session/start', 'gzip', bomb)).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
    expect((await post('/session/start', 'gzip', COMPRESSED.gzip)).status).toBe(200);
  });

  test('zstd with a window above 8 MB is refused', async () => {
    // A frame (RFC 8878, 3.1.1) with a window of 128 MB and one raw block.
    const greedy = Buffer.from('28b52ffd 00 88 110000 7b7d'.replaceAll(' ', ''), 'hex');
    expect(await post('/session/start', 'zstd', greedy)).toMatchObject({
      status: 400,
      body: { detail: 'The body does not match its Content-Encoding.' },
    });
  });

  test('is refused for an upload', async () => {
    const { body: session } = await post('/session/start', 'gzip', COMPRESSED.gzip);
    const path = `/session/${session.session_id}/uploads?name=a.txt`;
    expect(await post(path, 'gzip', gzipSync('a'))).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE', detail: expect.stringContaining('without Content-Encoding') },
    });
  });
});
