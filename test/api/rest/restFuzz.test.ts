import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { restRoutes } from '../../../src/api/rest/routes/restRoutes.ts';
import { type ApiResponse, callApi } from '../../support/callApi.ts';
import {
  FUZZ_TIMEOUT_MS,
  FUZZ_TIMES,
  FuzzHarness,
  INVALID_PLACEHOLDER,
  jsonWith,
} from '../../support/fuzzHarness.ts';
import { BAD_JSON, type Shape, shapeOfRequest } from '../../support/inputShape.ts';

/** Every field of every body and every parameter of every path is found in the table of routes, and sent wrong while all beside it is right. */

let bench: FuzzHarness;
beforeAll(async () => {
  bench = await FuzzHarness.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe.each(
  restRoutes.flatMap(route =>
    [route.path, ...route.aliases].map(path => ({ route, path, method: route.method })),
  ),
)('$method $path', ({ route, path, method }) => {
  const shapeOfRow = (): Shape =>
    shapeOfRequest(route.request, name => {
      if (path === '/session/start' && name === 'session_id') return fc.constant(null);
      return path === '/sessions' && name === 'status'
        ? fc.constant('active,closed')
        : bench.knownValues(name);
    });

  /** Wrong text stands in an address as it is, or as what it says where it is a text in JSON. */
  const send = (value: unknown, bad = ''): Promise<ApiResponse> => {
    const { key } = bench;
    if (route.bodyType === 'json')
      return callApi(bench.url, method, path, { key, body: jsonWith(value, bad) });
    if (typeof value !== 'object' || value === null)
      return callApi(bench.url, method, path, { key, ...(method === 'POST' && { body: bad }) });
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
    return callApi(bench.url, method, `${within}?${query}`, { key, ...body });
  };

  test(
    'brings no fault, whichever of its fields is wrong',
    () => bench.assertInvalidRejected(shapeOfRow(), BAD_JSON, send),
    FUZZ_TIMEOUT_MS,
  );

  test('is taken where all is right', () => bench.assertValidAccepted(shapeOfRow(), send), FUZZ_TIMEOUT_MS);

  test(
    'brings no fault, whatever fields there are',
    async () => {
      const shape = shapeOfRow();
      const names = shape.kind === 'object' ? Object.keys(shape.fields) : [];
      const name = fc.oneof(fc.constantFrom(...names, '__proto__', 'constructor'), fc.string());
      const body = fc
        .array(fc.tuple(name, BAD_JSON), { maxLength: 8 })
        .map(fields => `{${fields.map(([key, bad]) => `${JSON.stringify(key)}:${bad}`).join(',')}}`);
      const whatever = fc.asyncProperty(fc.oneof(body, fc.string({ unit: 'binary' })), async text => {
        await bench.sendAndCheck(() =>
          method === 'POST'
            ? callApi(bench.url, method, path, { key: bench.key, body: text })
            : callApi(
                bench.url,
                method,
                `${path}?${encodeURIComponent(text.toWellFormed().slice(0, 3_000))}`,
                {
                  key: bench.key,
                },
              ),
        );
      });
      await fc.assert(whatever, { numRuns: 10 * FUZZ_TIMES });
    },
    FUZZ_TIMEOUT_MS,
  );
});
