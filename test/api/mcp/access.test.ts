import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { callApi } from '../../support/callApi.ts';
import { plainClient, postMcp } from '../../support/mcpClients.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

const ISSUER = 'https://auth.example.com';
const { privateKey, publicKey } = await generateKeyPair('ES256');
const [stranger, namesake] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];

let product: TestProduct;
let jwks: ReturnType<typeof createServer>;

beforeAll(async () => {
  // Two keys of one name, as while an issuer replaces its keys.
  const exported = await Promise.all([namesake.publicKey, publicKey].map(key => exportJWK(key)));
  const keys = JSON.stringify({ keys: exported.map(key => ({ ...key, kid: '1', alg: 'ES256' })) });
  jwks = createServer((_, response) => response.setHeader('content-type', 'application/json').end(keys));
  await once(jwks.listen(0, '127.0.0.1'), 'listening');
  const jwksUrl = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/`;
  product = await startTestProduct(
    { browser: 'fake' },
    { oauth: { issuer: ISSUER, jwksUrl, audience: null } },
  );
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  jwks.close();
});

interface Claims {
  readonly sub?: unknown;
  readonly scope?: string;
  readonly iss?: string;
  readonly aud?: string;
  readonly exp?: number;
}

const token = ({ sub = 'ada', scope = 'read operate', ...others }: Claims = {}, key = privateKey) =>
  new SignJWT({ scope, sub: sub as string })
    .setProtectedHeader({ alg: 'ES256', kid: '1' })
    .setIssuer(others.iss ?? ISSUER)
    .setAudience(others.aud ?? `${product.url}/mcp`)
    .setExpirationTime(others.exp ?? '5m')
    .sign(key);

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
};
const LIST = { id: 1, method: 'tools/list' };
const UNUSABLE_KEY = '{"keys":[{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA","kid":"1"}]}';
const START = { id: 1, method: 'tools/call', params: { name: 'start', arguments: {} } };

test.each([
  ['initialize', {}],
  ['initialize', undefined],
  ['resources/read', { uri: 5 }],
  ['resources/read', undefined],
  ['tools/call', { name: 5 }],
  ['tools/call', { name: 'observe', arguments: [] }],
  ['tools/list', { cursor: 5 }],
  ['initialize', { ...INITIALIZE, capabilities: { roots: 5, sampling: 'x', elicitation: [] } }],
  ['initialize', { ...INITIALIZE, clientInfo: { name: 'x', version: '1', title: 7, icons: {} } }],
  ['tools/call', { name: 'list_sessions', arguments: {}, task: { ttl: 'x' } }],
])('/mcp answers "invalid params" to %s with %j, not "internal error"', async (method, params) => {
  const { body } = await postMcp(product.url, product.key, { id: 1, method, params });
  expect(body).toMatchObject({ id: 1, error: { code: -32_602 } });
  expect(body.error.message).toMatch(/^The params of .+ are not valid: .+\.$/);
});

test('/mcp performs no request of a batch that has one with invalid params, and answers each', async () => {
  const sessions = async () => (await callApi(product.url, 'GET', '/sessions', { key: product.key })).text;
  const before = await sessions();
  const { status, body } = await callApi(product.url, 'POST', '/mcp', {
    key: product.key,
    body: [
      { jsonrpc: '2.0', id: 1, method: 'resources/read' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', ...START, id: 2 },
    ],
    headers: { accept: 'application/json, text/event-stream' },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { id: 1, error: { code: -32_602 } },
    { id: 2, error: { code: -32_600 } },
  ]);
  expect(await sessions()).toBe(before);
});

describe('/mcp with an OAuth issuer', () => {
  it('has the metadata of RFC 9728, which a 401 names', async () => {
    const { status, headers } = await postMcp(product.url, null, LIST);
    expect(status).toBe(401);
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect(metadataUrl).toBe(`${product.url}/.well-known/oauth-protected-resource/mcp`);
    const metadata = await (await fetch(metadataUrl)).json();
    expect(metadata).toMatchObject({
      resource: `${product.url}/mcp`,
      authorization_servers: [ISSUER],
      scopes_supported: ['read', 'operate', 'admin'],
      bearer_methods_supported: ['header'],
    });
  });

  it('accepts a token of the issuer; each subject has an account of its own', async () => {
    const ada = plainClient(product.url, await token());
    const { session_id } = (await ada.call('start', {})).structuredContent;
    const again = plainClient(product.url, await token());
    expect((await again.call('list_sessions', {})).content[0].text).toContain(session_id);
    const bob = plainClient(product.url, await token({ sub: 'bob' }));
    expect((await bob.call('list_sessions', {})).content[0].text).toBe('There are no active sessions.');
    expect((await bob.call('close', { session_id })).content[0].text).toMatch(/^SESSION_NOT_FOUND/);
    await ada.call('close', { session_id });
  });

  it('still accepts API keys', async () => {
    expect((await postMcp(product.url, product.key, LIST)).status).toBe(200);
  });

  it.each([
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['for another audience', { aud: 'https://other.example.com/mcp' }],
    ['that has expired', { exp: 1_000 }],
    ['without a subject', { sub: '' }],
    ['whose subject is no text', { sub: {} }],
  ])('refuses a token %s with 401 and invalid_token', async (_what, claims: Claims) => {
    const { status, headers, body } = await postMcp(product.url, await token(claims), LIST);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(body.code).toMatch(/^(INVALID|EXPIRED)_API_KEY$/);
  });

  it('refuses a token that another key signed, and one without a signature', async () => {
    expect((await postMcp(product.url, await token({}, stranger.privateKey), LIST)).status).toBe(401);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: ISSUER, aud: `${product.url}/mcp`, sub: 'ada', exp: 4_102_444_800, scope: 'admin' };
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    expect((await postMcp(product.url, unsigned, LIST)).status).toBe(401);
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: '1' })
      .sign(new TextEncoder().encode('a secret that the public key could be taken for'));
    expect((await postMcp(product.url, symmetric, LIST)).status).toBe(401);
  });

  it('refuses a token without an expiry', async () => {
    const endless = await new SignJWT({ scope: 'read' })
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .setSubject('ada')
      .setIssuer(ISSUER)
      .setAudience(`${product.url}/mcp`)
      .sign(privateKey);
    expect((await postMcp(product.url, endless, LIST)).status).toBe(401);
  });

  it.each(['/status', '/text', '/key', 'nowhere'])(
    'answers 503 DEPENDENCY_UNAVAILABLE while the keys of the issuer cannot be read (%s)',
    async path => {
      const broken = createServer((request, response) => {
        response.statusCode = request.url === '/status' ? 500 : 200;
        response.end(request.url === '/key' ? UNUSABLE_KEY : 'no keys');
      });
      await once(broken.listen(0, '127.0.0.1'), 'listening');
      const origin = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
      if (path === 'nowhere') broken.close();
      const jwksUrl = `${origin}/${path.replace('/', '')}`;
      await using service = await startTestProduct(
        { browser: 'fake' },
        { oauth: { issuer: ISSUER, jwksUrl, audience: null } },
      );
      const { status, body } = await postMcp(service.url, await token({ aud: `${service.url}/mcp` }), LIST);
      expect([status, body.code]).toEqual([503, 'DEPENDENCY_UNAVAILABLE']);
      expect(service.logLines.filter(({ level }) => level >= 50)).toEqual([]);
      broken.close();
    },
  );

  it('answers 403 insufficient_scope to a token that lacks the scope of the tool', async () => {
    const { status, headers, body } = await postMcp(product.url, await token({ scope: 'read' }), START);
    expect([status, body.code]).toEqual([403, 'SCOPE_DENIED']);
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('accepts access tokens only at /mcp', async () => {
    const response = await fetch(`${product.url}/sessions`, {
      headers: { authorization: `Bearer ${await token()}` },
    });
    expect(response.status).toBe(401);
  });
});

/** Sends a request with any Host, which fetch does not allow. */
async function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...LIST });
  const all = {
    authorization: `Bearer ${product.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const outgoing = httpRequest(`${product.url}/mcp`, { method: 'POST', headers: all });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

describe('/mcp', () => {
  it.each([
    ['the own Host', {}, 200],
    ['the Host of another site (DNS rebinding)', { host: 'evil.example.com' }, 403],
    ['a container name as Host', { host: 'pagespace:4000' }, 200],
    ['the Origin of another site', { origin: 'https://evil.example.com' }, 403],
    ['the Origin null', { origin: 'null' }, 403],
    ['a page of the same machine as Origin', { origin: 'http://localhost:6274' }, 200],
    [
      'a page of the same machine, through a proxy',
      { origin: 'http://localhost:6274', 'x-forwarded-for': '8.8.8.8' },
      403,
    ],
  ])('with %s answers %j: %d', async (_what, headers: Record<string, string>, status) => {
    expect(await statusWith(headers)).toBe(status);
  });
});

describe('A body that is not valid', () => {
  it.each([
    'null',
    '5',
    '[]',
    '{}',
    '[null]',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
    '[{"jsonrpc":"2.0","id":1,"method":"resources/read"}]',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":5}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"session_id":{}}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":5}}',
    '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}',
    'not JSON',
    '['.repeat(5_000),
  ])('%s is a failure of the caller, without a fault line in the log', async body => {
    const response = await fetch(`${product.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/INTERNAL|-32603/);
    expect(product.logLines.filter(({ level }) => level >= 50)).toEqual([]);
  });
});

describe('The resources of /mcp', () => {
  const read = async (uri: string) =>
    (await postMcp(product.url, product.key, { id: 1, method: 'resources/read', params: { uri } })).body;

  it('are the list, the picture, the events, the content, the console and the requests of each active session, and its record', async () => {
    const client = plainClient(product.url, product.key);
    const { session_id } = (await client.call('observe', { url: `${product.url}/failures` }))
      .structuredContent;
    const { body } = await postMcp(product.url, product.key, { id: 1, method: 'resources/list' });
    const uris = body.result.resources.map(({ uri }: { uri: string }) => uri);
    const uri = (part: string) => `pagespace://sessions/${session_id}/${part}`;
    expect(uris).toEqual(['list', 'picture', 'events', 'content', 'console', 'network'].map(uri));
    const [list, picture, events, content, console, network] = await Promise.all(uris.map(read));
    expect(list.result.contents[0].text).toMatch(/^# /);
    expect(picture.result.contents[0]).toMatchObject({ mimeType: 'image/jpeg', blob: expect.any(String) });
    expect(events.result.contents[0].text).toMatch(/^1 \S+ created\n2 \S+ observed "http:\S+"$/m);
    expect([console, network].map(({ result }) => result.contents[0].text)).toEqual(['', '']);
    const [observation, recorded, none] = await Promise.all(
      ['observations/O1', 'pictures/1', 'observations/O99'].map(part => read(uri(part))),
    );
    expect(observation.result.contents[0].text).toMatch(/^# /);
    expect(recorded.error.message).toContain('no picture 1');
    expect(none.error.message).toContain('no observation O99');
    expect(content.result.contents[0].mimeType).toBe('text/markdown');
    await client.call('close', { session_id });
    const { body: after } = await postMcp(product.url, product.key, { id: 1, method: 'resources/list' });
    expect(after.result.resources).toEqual([]);
    const { body: templates } = await postMcp(product.url, product.key, {
      id: 1,
      method: 'resources/templates/list',
    });
    expect(templates.result.resourceTemplates).toHaveLength(8);
  });

  it.each(['pagespace://sessions/x/y', 'file:///etc/passwd', 'pagespace://sessions/none/list'])(
    '%s does not exist',
    async uri => {
      expect((await read(uri)).error.code).toBeLessThan(0);
    },
  );
});
