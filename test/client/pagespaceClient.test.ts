import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAILURE_ERRORS } from '../../src/client/generated/failureErrors.ts';
import {
  ActionNotFoundError,
  ClientTimeoutError,
  ConnectionFailedError,
  InvalidApiKeyError,
  PagespaceClient,
  PagespaceError,
  SessionClosedError,
  SessionNotFoundError,
  UnexpectedResponseError,
} from '../../src/client/main.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { FAILURES } from '../../src/domain/failure/failures.ts';
import { startTestProduct, startTestServer, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
let shop: PracticeShop;
let client: PagespaceClient;

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  shop = await startPracticeShop();
  client = new PagespaceClient({ url: product.url, key: product.key });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

/** A client whose requests go through `send`, which may answer in place of the service. */
const clientWith = (send: (request: Request, real: typeof fetch) => Promise<Response>, maxRetries?: number) =>
  new PagespaceClient({
    url: product.url,
    key: product.key,
    ...(maxRetries !== undefined && { maxRetries }),
    fetch: (input, init) => send(new Request(input, init), fetch),
  });

const failed = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const shutdownBody = { errors: [{ message: 'x', extensions: { code: 'SHUTTING_DOWN', retryable: true } }] };
const shuttingDown = (retryAfter: string) =>
  Response.json(shutdownBody, { status: 503, headers: { 'retry-after': retryAfter } });

describe('PagespaceClient', () => {
  it('starts a session, observes, steps, scrapes, and closes the session at the end of its block', async () => {
    let id: string;
    {
      await using session = await client.start({ sessionTimeoutMinutes: 2 });
      id = session.id;
      const page = await session.observe(shop.url);
      expect(page.metadata.title).toBe('All papers · The Paper Shop');
      const about = page.space?.actions.find(
        action => action.kind === 'LINK' && /About/.test(action.description),
      );
      const after = await session.step(about ?? '');
      expect(after.metadata.url).toBe(`${shop.url}about`);
      expect(after.data).toBeNull();
      expect((await session.step('S2')).data?.text).toContain('since 1921');
      const read = await session.step('S6', null, { content: { formats: ['MARKDOWN'] } });
      expect(read.data?.markdown).toContain('since 1921');
      const { data, screenshot } = await session.scrape({ content: { formats: ['TEXT'] } });
      expect(data?.text).toContain('since 1921');
      expect(data?.markdown).toBeNull();
      expect(screenshot ?? null).toBeNull();
      expect((await session.observe(null, { screenshot: true })).screenshot).toMatch(/^iVBOR/);
    }
    expect(await client.session(id).info()).toMatchObject({ status: 'CLOSED', timeoutMinutes: 2 });
  });

  it('scrapes one page in a session of its own', async () => {
    const { data, session } = await client.scrape(`${shop.url}about`);
    expect(data?.text).toContain('since 1921');
    expect(session.status).toBe('CLOSED');
  });

  it('lists sessions, uploads and downloads', async () => {
    await using session = await client.start();
    const active = await Array.fromAsync(client.sessions({ status: ['ACTIVE'] }));
    expect(active.map(({ id }) => id)).toContain(session.id);
    const upload = await session.upload('note.txt', 'hello');
    expect(upload).toMatchObject({ id: 'U1', name: 'note.txt', bytes: 5 });
    expect(await session.uploads()).toEqual([upload]);
    expect(await session.downloads()).toEqual([]);
    expect(await failed(session.download('D9'))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('throws an error of the class of the failure code, with session and page', async () => {
    await using session = await client.start();
    await session.observe(shop.url);
    const error = await failed(session.step('B99'));
    expect(error).toBeInstanceOf(ActionNotFoundError);
    expect(error).toMatchObject({
      name: 'ActionNotFoundError',
      code: 'ACTION_NOT_FOUND',
      retryable: false,
      status: 422,
      session: { id: session.id },
    });
    await session.close();
    expect(await failed(session.observe())).toBeInstanceOf(SessionClosedError);
    expect(await failed(client.session(crypto.randomUUID()).info())).toBeInstanceOf(SessionNotFoundError);
    const stranger = new PagespaceClient({ url: product.url, key: 'psk_wrong' });
    expect(await failed(stranger.start())).toBeInstanceOf(InvalidApiKeyError);
  });

  it('has one error class for each failure code', () => {
    expect(Object.keys(FAILURE_ERRORS)).toEqual(Object.keys(FAILURES));
    const names = Object.values(FAILURE_ERRORS).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [code, ErrorClass] of Object.entries(FAILURE_ERRORS))
      expect(new ErrorClass(code as keyof typeof FAILURE_ERRORS, '')).toBeInstanceOf(PagespaceError);
  });

  it('performs a step once although its connection breaks after the service received it', async () => {
    await using session = await client.start();
    await session.observe(shop.url);
    let broken = 0;
    const unlucky = clientWith(async (request, real) => {
      const response = await real(request);
      if (broken++ < 2) throw new TypeError('the connection broke');
      return response;
    });
    await unlucky.session(session.id).step('L2');
    expect(broken).toBe(3);
    await session.close();
    const steps = (await Array.fromAsync(session.events())).filter(({ type }) => type === 'STEPPED');
    expect(steps).toHaveLength(1);
  });

  it('does not repeat an upload whose connection breaks, because it has no idempotency key', async () => {
    await using session = await client.start();
    let calls = 0;
    const unlucky = clientWith(async () => {
      calls += 1;
      throw new TypeError('the connection broke');
    });
    const upload = unlucky.session(session.id).upload('a.txt', 'a');
    expect(await failed(upload)).toBeInstanceOf(ConnectionFailedError);
    expect(calls).toBe(1);
  });

  it('retries with the same idempotency key after the time of Retry-After', async () => {
    const keys: string[] = [];
    const patient = clientWith(async (request, real) => {
      const body = await request.clone().json();
      keys.push(body.variables.input.idempotencyKey);
      return keys.length < 3 ? shuttingDown('0') : real(request);
    });
    await using session = await patient.start();
    expect(session.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('throws the failure at once when Retry-After is longer than its timeout', async () => {
    const busy = clientWith(async () => shuttingDown('3600'));
    expect(await failed(busy.start({ timeoutMs: 5_000 }))).toMatchObject({
      code: 'SHUTTING_DOWN',
      retryable: true,
      retryAfterSeconds: 3600,
    });
  });

  it('does not retry with maxRetries 0', async () => {
    let calls = 0;
    const once = clientWith(async () => {
      calls += 1;
      return shuttingDown('0');
    }, 0);
    expect(await failed(once.start())).toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(calls).toBe(1);
  });

  it('throws ClientTimeoutError after timeoutMs, and the reason of the AbortSignal after a cancel', async () => {
    const silent = clientWith(
      request =>
        new Promise((_resolve, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason)),
        ),
    );
    expect(await failed(silent.start({ timeoutMs: 20 }))).toBeInstanceOf(ClientTimeoutError);
    const reason = new Error('enough');
    const controller = new AbortController();
    const call = failed(silent.start({ signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await failed(client.start({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it('throws ConnectionFailedError without a service, and UnexpectedResponseError for the page of a proxy', async () => {
    const nobody = new PagespaceClient({ url: 'http://127.0.0.1:1', key: product.key, maxRetries: 0 });
    expect(await failed(nobody.start())).toBeInstanceOf(ConnectionFailedError);
    const proxied = clientWith(async () => new Response('<h1>Hello</h1>'));
    expect(await failed(proxied.start())).toBeInstanceOf(UnexpectedResponseError);
    const asleep = clientWith(async () => new Response('Bad gateway', { status: 502 }), 1);
    expect(await failed(asleep.start())).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      status: 502,
      retryable: true,
    });
  });

  it('works at a service that runs only persisted operations', async () => {
    await using strict = await startTestServer(product.started.service, {
      persisted: { persistedOnly: true },
    });
    const strictClient = new PagespaceClient({ url: strict.url, key: product.key });
    await using session = await strictClient.start();
    await session.observe(shop.url);
    await session.step('L2');
    expect((await session.scrape()).data?.text).toContain('since 1921');
    await session.close();
    expect(await Array.fromAsync(session.events())).toHaveLength(5);
    expect((await session.info()).status).toBe('CLOSED');
  });

  it('refuses a URL that is not absolute', () => {
    expect(() => new PagespaceClient({ url: 'localhost', key: '' })).toThrow(TypeError);
  });
});

describe('session.events()', () => {
  it('yields each event once across broken connections, and ends with the session', async () => {
    let connections = 0;
    const flaky = clientWith(async (request, real) => {
      const response = await real(request);
      if (request.headers.get('accept') !== 'text/event-stream' || response.body === null) return response;
      connections += 1;
      return new Response(cutAfterFirstEvent(response.body, connections < 4), response);
    });
    await using session = await client.start();
    await session.observe(shop.url);
    await session.step('L2');
    await session.close();
    const events = await Array.fromAsync(flaky.session(session.id).events());
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ type }) => type)).toEqual(['CREATED', 'OBSERVED', 'STEPPED', 'ENDED']);
    expect(connections).toBe(4);
    const later = await Array.fromAsync(session.events({ after: 3 }));
    expect(later).toMatchObject([{ __typename: 'SessionEndedEvent', status: 'CLOSED' }]);
  });

  it('ends with the reason of the AbortSignal', async () => {
    await using session = await client.start();
    const controller = new AbortController();
    const reason = new Error('enough');
    const read = async () => {
      for await (const event of session.events({ signal: controller.signal }))
        if (event.type === 'CREATED') controller.abort(reason);
    };
    expect(await failed(read())).toBe(reason);
  });

  it('fails at once for a session that does not exist', async () => {
    const events = client.session(crypto.randomUUID()).events();
    expect(await failed(events.next())).toBeInstanceOf(SessionNotFoundError);
  });

  it('fails when it cannot reconnect within reconnectTimeoutMs', async () => {
    const nobody = new PagespaceClient({ url: 'http://127.0.0.1:1', key: product.key });
    const events = nobody.session(crypto.randomUUID()).events({ reconnectTimeoutMs: 0 });
    expect(await failed(events.next())).toBeInstanceOf(ConnectionFailedError);
  });
});

/** Passes on the stream up to its first event, in chunks of 7 bytes, then breaks. */
function cutAfterFirstEvent(body: ReadableStream<Uint8Array>, cut: boolean): ReadableStream<Uint8Array> {
  let passed = '';
  const decoder = new TextDecoder();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (let start = 0; start < chunk.length; start += 7) {
          controller.enqueue(chunk.slice(start, start + 7));
          passed += decoder.decode(chunk.slice(start, start + 7), { stream: true });
          if (cut && /event: next\ndata: .*\n\n/.test(passed)) controller.error(new Error('cut'));
        }
      },
    }),
  );
}
