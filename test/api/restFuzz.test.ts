import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { routes } from '../../src/api/rest/routes.ts';
import { type Answered, call } from '../support/call.ts';
import { FUZZ_PATIENCE_MS, FUZZ_TIMES, FuzzBench, jsonWith, MARK } from '../support/fuzzBench.ts';
import { BAD_JSON, type Shape, shapeOfRequest } from '../support/inputShape.ts';

/** Every field of every body and every parameter of every path is found in the table of routes, and sent wrong while all beside it is right. */

let bench: FuzzBench;
beforeAll(async () => {
  bench = await FuzzBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe.each(
  routes.flatMap(route =>
    [route.path, ...route.aliases].map(path => ({ route, path, method: route.method })),
  ),
)('$method $path', ({ route, path, method }) => {
  const shapeOfRow = (): Shape =>
    shapeOfRequest(route.request, name => {
      if (path === '/session/start' && name === 'session_id') return fc.constant(null);
      return path === '/sessions' && name === 'status' ? fc.constant('active,closed') : bench.known(name);
    });

  /** Wrong text stands in an address as it is, or as what it says where it is a text in JSON. */
  const send = (value: unknown, bad = ''): Promise<Answered> => {
    const { key } = bench;
    if (route.takes === 'json') return call(bench.url, method, path, { key, body: jsonWith(value, bad) });
    if (typeof value !== 'object' || value === null)
      return call(bench.url, method, path, { key, ...(method === 'POST' && { body: bad }) });
    const plain = bad.startsWith('"') ? String(JSON.parse(bad)) : bad;
    const params = Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, one === MARK ? plain : String(one)] as const);
    const within = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent((params.find(([key]) => key === name)?.[1] ?? '').slice(0, 3_000).toWellFormed()),
    );
    const query = new URLSearchParams(
      params
        .filter(([name]) => !path.includes(`{${name}}`))
        .map(([name, one]) => [name, one.slice(0, 3_000)]),
    );
    const body = method === 'POST' ? { body: 'bytes', headers: { 'content-type': 'text/plain' } } : {};
    return call(bench.url, method, `${within}?${query}`, { key, ...body });
  };

  test(
    'brings no fault, whichever of its fields is wrong',
    () => bench.eachWrong(shapeOfRow(), BAD_JSON, send),
    FUZZ_PATIENCE_MS,
  );

  test('is taken where all is right', () => bench.goodArrives(shapeOfRow(), send), FUZZ_PATIENCE_MS);

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
        await bench.sent(() =>
          method === 'POST'
            ? call(bench.url, method, path, { key: bench.key, body: text })
            : call(bench.url, method, `${path}?${encodeURIComponent(text.toWellFormed().slice(0, 3_000))}`, {
                key: bench.key,
              }),
        );
      });
      await fc.assert(whatever, { numRuns: 10 * FUZZ_TIMES });
    },
    FUZZ_PATIENCE_MS,
  );
});
