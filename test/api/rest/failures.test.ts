import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES, Failure, type FailureCode } from '../../../src/domain/failure/failures.ts';
import type { Pagespace } from '../../../src/service/pagespace.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestServer, type TestServer } from '../../support/startServer.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const codes = Object.keys(FAILURES) as FailureCode[];
/** Returned before any operation runs. */
const BEFORE_OPERATIONS = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED']);

let started: StartedService;
let server: TestServer;
let next: unknown;

beforeAll(async () => {
  started = await startService({ browser: 'fake' });
  const failing: Pagespace = {
    ...started.service,
    start: () => Promise.reject(next),
  };
  server = await startTestServer(failing);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

describe.each(codes.filter(code => !BEFORE_OPERATIONS.has(code)))('%s', code => {
  const { status, title, retryable } = FAILURES[code];

  test('has its status and problem details over REST', async () => {
    next = new Failure(code, 'What happened here.', { cause: new Error('a secret') });
    const response = await callApi(server.url, 'POST', '/session/start', { key: started.key, body: {} });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.body).toEqual({
      type: `/failures#${code}`,
      title,
      status,
      detail: 'What happened here.',
      code,
      request_id: response.headers.get('x-request-id'),
      retryable,
    });
  });

  test('has the same fields in the extensions over GraphQL', async () => {
    next = new Failure(code, 'What happened here.', { cause: new Error('a secret') });
    const response = await callGraphql(server.url, started.key, 'mutation { startSession { id } }');
    expect(response.status).toBe(200);
    expect(response.body.data).toBeNull();
    expect(response.body.errors).toHaveLength(1);
    expect(response.body.errors[0]).toMatchObject({
      message: 'What happened here.',
      path: ['startSession'],
      extensions: { code, status, title, retryable, requestId: response.headers.get('x-request-id') },
    });
  });
});

test('A failure with retryAfterSeconds sets Retry-After and retry_after_seconds', async () => {
  next = new Failure('AT_CAPACITY', 'Full.', { retryAfterSeconds: 7.2 });
  const response = await callApi(server.url, 'POST', '/session/start', { key: started.key, body: {} });
  expect(response.headers.get('retry-after')).toBe('8');
  expect(response.body.retry_after_seconds).toBe(7.2);
});

test('POST /session/start masks an internal error and logs it once with its request id', async () => {
  next = new TypeError('the password is hunter2');
  const before = server.logLines.length;
  const response = await callApi(server.url, 'POST', '/session/start', { key: started.key, body: {} });
  expect(response.status).toBe(500);
  expect(response.body.code).toBe('INTERNAL');
  expect(response.text).not.toContain('hunter2');
  const logged = server.logLines.slice(before).filter(line => line.level >= 50);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({
    requestId: response.body.request_id,
    err: { message: 'the password is hunter2' },
  });
});

test('startSession masks an internal error and logs it once', async () => {
  next = new TypeError('the password is hunter2');
  const before = server.logLines.length;
  const response = await callGraphql(server.url, started.key, 'mutation { startSession { id } }');
  expect(response.body.errors[0].extensions).toMatchObject({ code: 'INTERNAL', status: 500 });
  expect(response.text).not.toContain('hunter2');
  expect(server.logLines.slice(before).filter(line => line.level >= 50)).toHaveLength(1);
});

test('Field errors use snake_case over REST and camelCase over GraphQL', async () => {
  const errors = [{ path: 'sessionTimeoutMinutes', message: 'must not be above 10' }];
  next = new Failure('VALIDATION_ERROR', 'The session timeout must not be above 10.', { errors });
  const rest = await callApi(server.url, 'POST', '/session/start', { key: started.key, body: {} });
  expect(rest.body.errors).toEqual([{ path: 'session_timeout_minutes', message: 'must not be above 10' }]);
  const gql = await callGraphql(server.url, started.key, 'mutation { startSession { id } }');
  expect(gql.body.errors[0].extensions.errors).toEqual(errors);
});
