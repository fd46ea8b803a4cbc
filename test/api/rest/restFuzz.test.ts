import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { restRoutes } from '../../../src/api/rest/restRouteTable.ts';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import {
  FUZZ_TIMEOUT_MS,
  FUZZ_TIMES,
  FuzzHarness,
  INVALID_PLACEHOLDER,
  jsonWith,
} from '../../support/fuzzHarness.ts';
import { BAD_JSON, type Shape, shapeOfRequest } from '../../support/inputShape.ts';

/** Sends every field of every body and every parameter of every route with invalid values while the rest is valid. */

let harness: FuzzHarness;
beforeAll(async () => {
  harness = await FuzzHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

describe.each(
  restRoutes.flatMap(route =>
    [route.path, ...route.aliases].map(path => ({ route, path, method: route.method })),
  ),
)('$method $path', ({ route, path, method }) => {
  const requestShape = (): Shape =>
    shapeOfRequest(route.request, name => {
      if (path === '/session/start' && name === 'session_id') return fc.constant(null);
      return path === '/sessions' && name === 'status'
        ? fc.constant('active,closed')
        : harness.knownValues(name);
    });

  /** In a URL, invalid text is sent as it is; a JSON string is sent as its content. */
  const send = (value: unknown, bad = ''): Promise<ApiResponse> => {
    const { key } = harness;
    if (route.bodyType === 'json')
      return callApi(harness.url, method, path, { key, body: jsonWith(value, bad) });
    if (typeof value !== 'object' || value === null)
      return callApi(harness.url, method, path, { key, ...(method === 'POST' && { body: bad }) });
    const plain = bad.startsWith('"') ? String(JSON.parse(bad)) : bad;
    const params = Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, one === INVALID_PLACEHOLDER ? plain : String(one)] as const);
    const within = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent((params.find(([key]) => key === name)?.[1] ?? '').slice(0, 3_000).toWellFormed()),
    );
    const query = new URLSearchParams(
      params
        .filter(([name]) => !path.includes(`{${name}}`))
        .map(([name, one]) => [name, one.slice(0, 3_000)]),
    );
    const body = method === 'POST' ? { body: 'bytes', headers: { 'content-type': 'text/plain' } } : {};
    return callApi(harness.url, method, `${within}?${query}`, { key, ...body });
  };

  test(
    'has no internal error when one field is invalid',
    () => harness.checkInvalidParts(requestShape(), BAD_JSON, send),
    FUZZ_TIMEOUT_MS,
  );

  test('accepts valid requests', () => harness.assertValidAccepted(requestShape(), send), FUZZ_TIMEOUT_MS);

  test(
    'has no internal error for random fields and bodies',
    async () => {
      const shape = requestShape();
      const names = shape.kind === 'object' ? Object.keys(shape.fields) : [];
      const name = fc.oneof(fc.constantFrom(...names, '__proto__', 'constructor'), fc.string());
      const body = fc
        .array(fc.tuple(name, BAD_JSON), { maxLength: 8 })
        .map(fields => `{${fields.map(([key, bad]) => `${JSON.stringify(key)}:${bad}`).join(',')}}`);
      const whatever = fc.asyncProperty(fc.oneof(body, fc.string({ unit: 'binary' })), async text => {
        await harness.sendAndCheck(() =>
          method === 'POST'
            ? callApi(harness.url, method, path, { key: harness.key, body: text })
            : callApi(
                harness.url,
                method,
                `${path}?${encodeURIComponent(text.toWellFormed().slice(0, 3_000))}`,
                {
                  key: harness.key,
                },
              ),
        );
      });
      await fc.assert(whatever, { numRuns: 10 * FUZZ_TIMES });
    },
    FUZZ_TIMEOUT_MS,
  );
});
