import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, callGraphql } from '../../support/callApi.ts';
import { parseObservation, type RestObservation } from '../../support/restBodies.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

let site: TestSite;
let product: TestProduct;
let shared: string;
beforeAll(async () => {
  site = await startTestSite();
  product = await startTestProduct();
  shared = (await post('/session/start', {})).body.session_id;
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site.close();
});

const post = (path: string, body: unknown) => callApi(product.url, 'POST', path, { key: product.key, body });

/** Opens the page anew, in the session of all tests unless `more` names another one. */
async function observed(more: { session_id?: string; [name: string]: unknown } = {}) {
  const session_id = more.session_id ?? shared;
  const { body } = await post('/env/observe', { session_id, url: `${site.url}/forms`, ...more });
  return { session_id, ...parseObservation(body) };
}
const named = (space: RestObservation['space'], name: string): string => {
  const found = space?.actions.find(action => action.name === name);
  if (found === undefined) throw new Error(`No action is named ${name}.`);
  return found.id;
};

describe('POST /env/observe filters', () => {
  test('kinds lists only actions of these kinds, filtered before the limit', async () => {
    const { space } = await observed({ kinds: ['button'], max_nb_actions: 3 });
    expect(space?.actions.map(action => action.kind)).toEqual(['button', 'button', 'button']);
    expect(space?.truncated).toBe(true);
  });

  test('search and categories list only matching actions', async () => {
    const { space } = await observed({ search: 'EMAIL' });
    expect(space?.actions.map(action => action.name)).toEqual(['Email']);
    expect(space?.truncated).toBe(false);
    expect(space?.total_actions).toBeGreaterThan(10);
    const category = space?.actions[0]?.category ?? '';
    const { space: form } = await observed({ categories: [category] });
    expect(new Set(form?.actions.map(action => action.category))).toEqual(new Set([category]));
  });

  test('in_viewport: false lists only actions that are not visible', async () => {
    const { space } = await observed({ in_viewport: false });
    expect(space?.actions.some(action => action.in_viewport)).toBe(false);
  });

  test('max_tokens limits the Markdown of the list', async () => {
    const { space } = await observed({ max_tokens: 200 });
    expect(space?.markdown.length).toBeLessThan(800);
    expect(space?.truncated).toBe(true);
  });

  test('an action that a filter left out can still be performed', async () => {
    const { session_id, space } = await observed();
    const id = named(space, 'Name');
    await post('/env/observe', { session_id, kinds: ['link'] });
    expect((await post('/step', { session_id, action_id: id, value: 'Ada' })).status).toBe(200);
  });
});

describe('space.diff', () => {
  test('lists the actions that a step changed', async () => {
    const { session_id, observation_id, space } = await observed();
    const id = named(space, 'Name');
    const step = { session_id, action_id: id, value: 'Ada', diff_since: observation_id };
    const { body } = await post('/step', step);
    const { diff } = parseObservation(body).space ?? {};
    expect(diff?.changed.map(action => [action.id, action.value])).toEqual([[id, 'Ada']]);
    expect([diff?.added, diff?.removed]).toEqual([[], []]);
    expect(diff?.markdown).toMatch(/^~ I\d+ .*"Ada"/);
  });

  test('replaces the lists with diff_only', async () => {
    const { session_id, observation_id } = await observed();
    const { body } = await post('/env/observe', { session_id, diff_since: observation_id, diff_only: true });
    const { space } = parseObservation(body);
    expect(space).toMatchObject({ actions: [], special_actions: [], markdown: 'Nothing has changed.' });
  });

  test.each([{}, { fields: ['markdown', 'actions', 'special_actions'] }])(
    'diff_only returns the lists where the session has no last observation %j',
    async more => {
      const input = { url: `${site.url}/forms`, diff_since: 'last', diff_only: true, ...more };
      const { body } = await post('/env/observe', input);
      expect(body.space).toMatchObject({ markdown: expect.stringContaining('"Name"') });
      expect([body.space.actions[0]?.id, body.space.special_actions[0]?.id]).toEqual(['I1', 'S1']);
    },
  );

  test('compares all actions, whatever the limits of the lists are', async () => {
    const { session_id, observation_id } = await observed({ max_nb_actions: 1 });
    const { body } = await post('/env/observe', { session_id, diff_since: observation_id });
    expect(body.space.diff.added).toEqual([]);
  });

  test('POST /step answers 422 for a diff_since that is not stored, and does not act', async () => {
    const { session_id, observation_id, space } = await observed();
    for (let n = 0; n < 8; n++) await post('/env/observe', { session_id, max_nb_actions: 1 });
    const step = { session_id, action_id: named(space, 'Name'), value: 'Ada', diff_since: observation_id };
    const { status, body } = await post('/step', step);
    expect([status, body.code, body.errors[0].path]).toEqual([422, 'VALIDATION_ERROR', 'diff_since']);
    const after = await post('/env/observe', { session_id, search: 'Name' });
    expect(after.body.space.actions[0].value ?? '').toBe('');
  });

  test('diff_only needs no diff_since where fields names the difference: it is then the last one', async () => {
    const { session_id } = await observed();
    const { body } = await post('/env/observe', { session_id, diff_only: true, fields: ['diff'] });
    expect(body.space.diff.markdown).toBe('Nothing has changed.');
  });

  test('diff_only without diff_since answers 422', async () => {
    const { body } = await post('/env/observe', { url: site.url, diff_only: true });
    expect(body.errors).toEqual([{ path: 'diff_only', message: 'needs diff_since' }]);
  });
});

describe('GraphQL', () => {
  test('observe filters by actions.kinds; Observation.diff and Space.diff compare with an earlier observation', async () => {
    const { session_id, observation_id } = await observed();
    const query = `mutation ($input: ObserveInput!, $since: ID!) {
      observe(input: $input) {
        id diff { markdown }
        space { actions { kind } diff(since: $since) { added { id } changed { id } removed { id } } }
      }
    }`;
    const input = { sessionId: session_id, actions: { kinds: ['LINK'] }, diffSince: observation_id };
    const { body } = await callGraphql(product.url, product.key, query, { input, since: observation_id });
    expect(body.errors).toBeUndefined();
    expect(body.data.observe).toMatchObject({
      id: `O${Number(observation_id?.slice(1)) + 1}`,
      diff: { markdown: 'Nothing has changed.' },
      space: { diff: { added: [], changed: [], removed: [] } },
    });
    expect(new Set(body.data.observe.space.actions.map((one: { kind: string }) => one.kind))).toEqual(
      new Set(['LINK']),
    );
  });

  test('Session.space.diff answers VALIDATION_ERROR after the end of the session', async () => {
    const own = (await post('/session/start', {})).body.session_id;
    const { session_id, observation_id } = await observed({ session_id: own });
    const query =
      'query ($id: ID!, $since: ID!) { session(id: $id) { space { diff(since: $since) { markdown } } } }';
    const ask = () => callGraphql(product.url, product.key, query, { id: session_id, since: observation_id });
    expect((await ask()).body.data.session.space.diff.markdown).toBe('Nothing has changed.');
    await post('/session/close', { session_id });
    expect((await ask()).body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ path: 'since' }],
    });
  });
});
