import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES, Failure, type FailureCode } from '../../../src/domain/failures.ts';
import type { Pagespace } from '../../../src/service/pagespace.ts';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { startTestServer, type TestServer } from '../../support/startServer.ts';
import { type StartedService, startService } from '../../support/startService.ts';

const codes = Object.keys(FAILURES) as FailureCode[];
/** Told before any operation: by the paths, the methods and the keys. */
const atTheDoor = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED']);

let started: StartedService;
let doors: TestServer;
let next: unknown;

beforeAll(async () => {
  started = await startService();
  const failing: Pagespace = {
    ...started.service,
    start: () => Promise.reject(next),
  };
  doors = await startTestServer(failing);
});
afterAll(async () => {
  await doors[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

describe.each(codes.filter(code => !atTheDoor.has(code)))('%s', code => {
  const { status, title, retryable } = FAILURES[code];

  test('has its own status and body over REST', async () => {
    next = new Failure(code, 'What happened here.', { cause: new Error('a secret') });
    const answer = await callApi(doors.url, 'POST', '/session/start', { key: started.key, body: {} });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: `/failures#${code}`,
      title,
      status,
      detail: 'What happened here.',
      code,
      request_id: answer.headers.get('x-request-id'),
      retryable,
    });
  });

  test('has the same facts in the extensions over GraphQL', async () => {
    next = new Failure(code, 'What happened here.', { cause: new Error('a secret') });
    const answer = await callGraphql(doors.url, started.key, 'mutation { startSession { id } }');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toBeNull();
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0]).toMatchObject({
      message: 'What happened here.',
      path: ['startSession'],
      extensions: { code, status, title, retryable, requestId: answer.headers.get('x-request-id') },
    });
  });
});

test('a failure says when to come back, in the body and in Retry-After', async () => {
  next = new Failure('AT_CAPACITY', 'Full.', { retryAfterSeconds: 7.2 });
  const answer = await callApi(doors.url, 'POST', '/session/start', { key: started.key, body: {} });
  expect(answer.headers.get('retry-after')).toBe('8');
  expect(answer.body.retry_after_seconds).toBe(7.2);
});

test('a fault of ours is masked, and logged once with its request id', async () => {
  next = new TypeError('the password is hunter2');
  const before = doors.logLines.length;
  const answer = await callApi(doors.url, 'POST', '/session/start', { key: started.key, body: {} });
  expect(answer.status).toBe(500);
  expect(answer.body.code).toBe('INTERNAL');
  expect(answer.text).not.toContain('hunter2');
  const logged = doors.logLines.slice(before).filter(line => line.level >= 50);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({
    requestId: answer.body.request_id,
    err: { message: 'the password is hunter2' },
  });
});

test('a fault of ours is masked over GraphQL too, and logged once', async () => {
  next = new TypeError('the password is hunter2');
  const before = doors.logLines.length;
  const answer = await callGraphql(doors.url, started.key, 'mutation { startSession { id } }');
  expect(answer.body.errors[0].extensions).toMatchObject({ code: 'INTERNAL', status: 500 });
  expect(answer.text).not.toContain('hunter2');
  expect(doors.logLines.slice(before).filter(line => line.level >= 50)).toHaveLength(1);
});

test('the faults of fields are told under the names that the caller uses', async () => {
  const errors = [{ path: 'sessionTimeoutMinutes', message: 'must not be above 10' }];
  next = new Failure('VALIDATION_ERROR', 'The session timeout must not be above 10.', { errors });
  const rest = await callApi(doors.url, 'POST', '/session/start', { key: started.key, body: {} });
  expect(rest.body.errors).toEqual([{ path: 'session_timeout_minutes', message: 'must not be above 10' }]);
  const gql = await callGraphql(doors.url, started.key, 'mutation { startSession { id } }');
  expect(gql.body.errors[0].extensions.errors).toEqual(errors);
});
