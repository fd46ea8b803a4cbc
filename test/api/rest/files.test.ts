import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueApiKey } from '../../../src/service/accounts/apiKeys.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { addAccount } from '../../support/startService.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

let site: TestSite;
let product: TestProduct;
beforeAll(async () => {
  site = await startTestSite();
  product = await startTestProduct({ maxFileBytes: 1_000 });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site.close();
});

const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });
const get = (path: string, key: string = product.key) => callApi(product.url, 'GET', path, { key });
const newSession = async (): Promise<string> => (await post('/session/start', {})).body.session_id;
const upload = (
  session: string,
  bytes: string,
  query = '?name=a.txt',
  headers: Record<string, string> = {},
) =>
  callApi(product.url, 'POST', `/session/${session}/uploads${query}`, {
    key: product.key,
    body: bytes,
    headers: { 'content-type': 'text/plain', ...headers },
  });

async function observed(session: string, url: string) {
  const { body } = await post('/env/observe', { session_id: session, url });
  return body.space.actions as { id: string; name: string; value: string | null }[];
}

/** Returns a new session in which a page downloaded a file. */
async function downloaded(name = 'report.csv'): Promise<string> {
  const session = await newSession();
  await post('/step', { session_id: session, action_id: 'S1', value: `${site.url}/download?name=${name}` });
  return session;
}

/** Returns what `start` gives the first caller: a session for the tests that change nothing in it. */
function shared<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | null = null;
  return () => {
    started ??= start();
    return started;
  };
}
const withDownload = shared(() => downloaded());
const withoutFiles = shared(newSession);

describe('A download', () => {
  test('is listed with its name, size and URL', async () => {
    const session = await withDownload();
    const { status, body } = await get(`/session/${session}/downloads`);
    expect(status).toBe(200);
    expect(body.downloads).toEqual([
      {
        file_id: 'D1',
        name: 'report.csv',
        bytes: 8,
        created_at: expect.stringMatching(/Z$/),
        url: `/session/${session}/downloads/D1`,
      },
    ]);
  });

  test('is returned as an attachment of type application/octet-stream', async () => {
    const session = await withDownload();
    const { status, text, headers } = await get(`/session/${session}/downloads/D1`);
    expect(status).toBe(200);
    expect(text).toBe('a,b\n1,2\n');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '8',
      'content-disposition': `attachment; filename="report.csv"; filename*=UTF-8''report.csv`,
      'x-content-type-options': 'nosniff',
    });
  });

  test('keeps a name that is not ASCII', async () => {
    const session = await downloaded(encodeURIComponent('a%20b'));
    const { headers } = await get(`/session/${session}/downloads/d1`);
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]+"; filename\*=UTF-8''\S+$/,
    );
  });

  test('stays available after its session ends', async () => {
    const session = await downloaded();
    await post('/session/close', { session_id: session });
    expect((await get(`/session/${session}/downloads/D1`)).text).toBe('a,b\n1,2\n');
  });

  test('that does not exist answers 404', async () => {
    const session = await withoutFiles();
    const { status, body } = await get(`/session/${session}/downloads/D9`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await get(`/session/${session}/downloads/..%2fU1`)).status).toBe(404);
  });

  test('is listed over GraphQL too', async () => {
    const session = await withDownload();
    const query =
      'query ($id: ID!) { session(id: $id) { downloads { id name bytes createdAt url } uploads { id } } }';
    const { body } = await callGraphql(product.url, product.key, query, { id: session });
    expect(body.data.session).toMatchObject({
      downloads: [{ id: 'D1', name: 'report.csv', bytes: 8, url: `/session/${session}/downloads/D1` }],
      uploads: [],
    });
  });
});

describe('An upload', () => {
  test('that is a form is refused with what to send: its file would have the lines of the form around it', async () => {
    const session = await withoutFiles();
    const type = 'Multipart/Form-Data; boundary=x';
    const { status, body } = await upload(session, '--x\r\n…', '', { 'content-type': type });
    expect(status).toBe(415);
    expect(body.detail).toMatch(/^Send the bytes of the file as the body, not a form/);
    expect((await get(`/session/${session}/uploads`)).body.uploads).toEqual([]);
  });

  test('of an announced size above the limit is refused before a byte of it is sent', async () => {
    const headers = { authorization: `Bearer ${product.key}`, 'content-length': '1001' };
    const path = `${product.url}/session/${await withoutFiles()}/uploads?name=a.txt`;
    const sending = request(path, { method: 'POST', headers }).on('error', () => undefined);
    sending.flushHeaders();
    const [response] = await once(sending, 'response');
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    sending.destroy();
  });

  test('gets an id and is listed', async () => {
    const session = await newSession();
    const { status, body } = await upload(session, 'hello');
    expect(status).toBe(200);
    expect(body).toMatchObject({ file_id: 'U1', name: 'a.txt', bytes: 5 });
    expect((await get(`/session/${session}/uploads`)).body.uploads).toEqual([body]);
  });

  test('takes its name from the percent-encoded header X-File-Name', async () => {
    const session = await newSession();
    const named = await upload(session, 'x', '', { 'x-file-name': encodeURIComponent('größe.txt') });
    expect(named.body.name).toBe('größe.txt');
    expect((await upload(session, 'x', '')).body).toMatchObject({ file_id: 'U2', name: 'file' });
  });

  test('can be set on a file input by its id', async () => {
    const session = await newSession();
    await upload(session, 'hello');
    const actions = await observed(session, `${site.url}/upload`);
    const input = actions.find(action => action.id.startsWith('I'))?.id;
    const { status, body } = await post('/step', { session_id: session, action_id: input, value: 'U1' });
    expect(status).toBe(200);
    expect(body.metadata.page_title).toBe('a.txt: hello');
  });

  test('above the file limit of the session is refused, and nothing is stored', async () => {
    const session = await withoutFiles();
    const { status, body } = await upload(session, 'x'.repeat(1_001));
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect((await get(`/session/${session}/uploads`)).body.uploads).toEqual([]);
  });

  test('resets the timeout of its session, and is refused after its end', async () => {
    const session = await newSession();
    const before = (await get(`/session/${session}`)).body.last_accessed_at;
    await upload(session, 'x');
    expect((await get(`/session/${session}`)).body.last_accessed_at > before).toBe(true);
    await post('/session/close', { session_id: session });
    expect((await upload(session, 'x')).body.code).toBe('SESSION_CLOSED');
  });
});

describe('Files of another account', () => {
  test('are not found', async () => {
    const other = await addAccount(product.started.store, product.started.clock, 'other');
    const session = await withDownload();
    for (const path of ['downloads', 'downloads/D1', 'uploads'])
      expect((await get(`/session/${session}/${path}`, other.key)).body.code).toBe('SESSION_NOT_FOUND');
    const theirs = await callApi(product.url, 'POST', `/session/${session}/uploads`, {
      key: other.key,
      body: 'x',
    });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  test('need a key', async () => {
    const session = await withDownload();
    expect((await callApi(product.url, 'GET', `/session/${session}/downloads/D1`)).status).toBe(401);
    expect((await callApi(product.url, 'POST', `/session/${session}/uploads`, { body: 'x' })).status).toBe(
      401,
    );
  });
});

test('A key with the scope read can get downloads but cannot upload', async () => {
  const { store, clock, account } = product.started;
  const wanted = { accountId: account.id, name: 'reader', scopes: ['read'], expiresAt: null } as const;
  const { text: key } = await issueApiKey(store.accounts, wanted, clock.now());
  const session = await withDownload();
  expect((await get(`/session/${session}/downloads/D1`, key)).status).toBe(200);
  const refused = await callApi(product.url, 'POST', `/session/${session}/uploads`, { key, body: 'x' });
  expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_DENIED']);
});
