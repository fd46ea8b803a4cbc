import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '../../src/domain/failures.ts';
import { call } from '../support/call.ts';
import { type StartedServer, startDoors } from '../support/startServer.ts';
import { type StartedService, startService } from '../support/startService.ts';

let started: StartedService;
let doors: StartedServer;
/** How often a request got as far as the service. */
let reached = 0;

const arrive = (): Promise<never> => {
  reached += 1;
  return Promise.reject(new Failure('AT_CAPACITY', 'Arrived.'));
};

beforeAll(async () => {
  started = await startService();
  const stopped = { start: arrive, observe: arrive, step: arrive, scrape: arrive, close: arrive };
  doors = await startDoors({ ...started.service, ...stopped });
});
afterAll(async () => {
  await doors[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});

const paths = ['/session/start', '/env/observe', '/env/step', '/env/scrape', '/session/close'];
const names = [
  'session_id',
  'url',
  'action_id',
  'value',
  'enter',
  'keep_alive',
  'screenshot',
  'session_timeout_minutes',
  'session_timeout',
  'max_nb_actions',
  'min_nb_actions',
  'only_main_content',
  'scrape_images',
  '__proto__',
  'constructor',
];
const likely = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    29,
    30,
    -1,
    2.5,
    'B1',
    'S4',
    '',
    'https://example.com/',
    '0b4a7c5e-0000-4000-8000-000000000000',
  ),
);
const bodies = fc.oneof(
  fc.jsonValue().map(value => JSON.stringify(value)),
  fc.dictionary(fc.constantFrom(...names), likely).map(body => JSON.stringify(body)),
  fc.string(),
);

test('no REST body brings a fault, and what is refused never reaches the service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), bodies, async (path, body) => {
      const before = reached;
      const answer = await call(doors.url, 'POST', path, { key: started.key, body });
      expect([400, 404, 422, 503]).toContain(answer.status);
      expect(answer.body.status).toBe(answer.status);
      expect(reached - before).toBe(answer.status === 503 ? 1 : 0);
    }),
    { numRuns: 400 },
  );
});

const variables = fc.record(
  {
    sessionId: likely,
    url: likely,
    actionId: likely,
    value: likely,
    params: likely,
    maxNbActions: likely,
    sessionTimeoutMinutes: likely,
  },
  { requiredKeys: [] },
);

test('no GraphQL variables bring a fault, and what is refused never reaches the service', async () => {
  const fields = ['observe', 'step', 'scrape'] as const;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fields), variables, async (field, input) => {
      const before = reached;
      const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
      const query = `mutation ($input: ${type}!) { ${field}(input: $input) { session { id } } }`;
      const { body } = await call(doors.url, 'POST', '/graphql', {
        key: started.key,
        body: { query, variables: { input } },
      });
      const { code } = body.errors[0].extensions;
      expect(['VALIDATION_ERROR', 'SESSION_NOT_FOUND', 'AT_CAPACITY']).toContain(code);
      expect(reached - before).toBe(code === 'AT_CAPACITY' ? 1 : 0);
    }),
    { numRuns: 300 },
  );
});

test('no document brings a fault', async () => {
  const words = [
    '{',
    '}',
    '(',
    ')',
    'viewer',
    'sessions',
    'first:',
    '1',
    '$a',
    '@skip',
    '...',
    'on',
    'Session',
    '"',
    '#',
    '!',
    'mutation',
    '__schema',
  ];
  const documents = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words), { maxLength: 30 }).map(some => some.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(documents, async query => {
      const { body, status } = await call(doors.url, 'POST', '/graphql', {
        key: started.key,
        body: { query },
      });
      expect(status).toBeLessThan(500);
      for (const error of body.errors ?? []) expect(error.extensions.code).not.toBe('INTERNAL');
    }),
    { numRuns: 300 },
  );
});
