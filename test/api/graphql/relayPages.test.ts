import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSession } from '../../../src/domain/session/session.ts';
import { callGraphql } from '../../support/callApi.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';

/** Compares every connection with the algorithm of the Relay specification (GraphQL Cursor Connections, 4). */

let product: TestProduct;
let eventSession: string;
beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  eventSession = await addSession(500);
});
afterAll(() => product[Symbol.asyncDispose]());

async function addSession(at: number): Promise<string> {
  const { store, account } = product.started;
  const id = randomUUID();
  await store.sessions.commit({
    session: newSession({ id, accountId: account.id, at, timeoutMinutes: 5 }),
    events: [{ type: 'created', at }],
  });
  return id;
}

const addEvent = async (at: number): Promise<void> => {
  const { store, account } = product.started;
  await store.sessions.commit({
    session: newSession({ id: eventSession, accountId: account.id, at: 500, timeoutMinutes: 5 }),
    events: [{ type: 'observed', at, url: 'https://a.test/', actions: 1 }],
  });
};

const addCredit = async (at: number): Promise<void> => {
  const { store, account } = product.started;
  const reference = randomUUID();
  await store.ledger.credit({ accountId: account.id, reference, amountMicros: 1, at });
};

/** Each list: how to add an item, and the field around its arguments. */
const LISTS: readonly {
  readonly name: string;
  readonly add: (at: number) => Promise<unknown>;
  readonly field: (args: string) => string;
}[] = [
  ...['CREATED_AT_DESC', 'CREATED_AT_ASC', 'LAST_ACCESSED_AT_DESC'].map(order => ({
    name: `sessions by ${order}`,
    add: addSession,
    field: (args: string) => `list: sessions(${args}orderBy: ${order})`,
  })),
  { name: 'Session.events', add: addEvent, field: args => `list: events${args && `(${args})`}` },
  { name: 'Account.ledger', add: addCredit, field: args => `list: ledger${args && `(${args})`}` },
];

const PAGE = '{ edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';

/** The wrapping object of a list. */
const around = (name: string, field: string): string => {
  if (name === 'Session.events') return `session(id: "${eventSession}") { ${field} ${PAGE} }`;
  return name === 'Account.ledger' ? `viewer { account { ${field} ${PAGE} } }` : `${field} ${PAGE}`;
};

interface Page {
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}
interface Args {
  readonly after?: string;
  readonly before?: string;
  readonly first?: number;
  readonly last?: number;
}

/** EdgesToReturn, HasPreviousPage and HasNextPage of the specification. */
function expectedPage(all: readonly string[], { after, before, first, last }: Args): Page {
  const start = after === undefined ? 0 : all.indexOf(after) + 1;
  const end = before === undefined ? all.length : all.indexOf(before);
  const edges = all.slice(start, Math.max(start, end));
  const kept = first !== undefined ? edges.slice(0, first) : edges.slice(-(last ?? 0));
  return {
    cursors: kept,
    hasPreviousPage: last !== undefined ? edges.length > last : after !== undefined,
    hasNextPage: first !== undefined ? edges.length > first : before !== undefined,
  };
}

const text = (args: Args): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}, `)
    .join('');

/** Requests many pages, twenty at a time. */
async function pages({ name, field }: (typeof LISTS)[number], wanted: readonly Args[]): Promise<Page[]> {
  const found: Page[] = [];
  for (let start = 0; start < wanted.length; start += 20) {
    const some = wanted.slice(start, start + 20);
    const roots = some.map((args, index) => {
      const root = around(name, field(text(args)));
      return `p${index}: ${root.replace(/^list: /, '')}`;
    });
    const { body } = await callGraphql(product.url, product.key, `{ ${roots.join('\n')} }`);
    expect(body.errors).toBeUndefined();
    for (const index of some.keys()) {
      const root = body.data[`p${index}`];
      const list = root.list ?? root.account?.list ?? root;
      const cursors = list.edges.map((edge: { cursor: string }) => edge.cursor);
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = list.pageInfo;
      expect([startCursor, endCursor]).toEqual([cursors.at(0) ?? null, cursors.at(-1) ?? null]);
      found.push({ cursors, hasNextPage, hasPreviousPage });
    }
  }
  return found;
}

describe.each(LISTS)('$name', list => {
  const allCursors = async (): Promise<readonly string[]> =>
    (await pages(list, [{ first: 100 }]))[0]?.cursors ?? [];

  test('returns the pages of the Relay specification, also when items are added after the cursors were read', async () => {
    for (const at of [1_000, 1_001, 1_001, 1_002, 1_003, 1_004]) await list.add(at);
    const old = await allCursors();
    expect(old.length).toBeGreaterThanOrEqual(6);
    const some = [undefined, old.at(0), old.at(2), old.at(-1)];
    const sizes: Args[] = [1, 2, old.length, 50].flatMap(size => [{ first: size }, { last: size }]);
    const cases = some.flatMap(after =>
      some.flatMap(before =>
        sizes.map(size => ({
          ...(after !== undefined && { after }),
          ...(before !== undefined && { before }),
          ...size,
        })),
      ),
    );
    for (const added of [[], [1, 1_001, 9_000]]) {
      for (const at of added) await list.add(at);
      const all = await allCursors();
      expect(all).toHaveLength(old.length + added.length);
      const found = await pages(list, cases);
      for (const [index, args] of cases.entries())
        expect({ args, ...found[index] }).toEqual({ args, ...expectedPage(all, args) });
    }
  });

  test('refuses a text that is no cursor of the list, also one that would be read as one', async () => {
    const [cursor] = await allCursors();
    const texts = ['', ' ', '0x1', '1e1', '01', '-0', `${cursor} `, ` ${cursor}`, `${cursor}=`, `${cursor}A`];
    const refused = await Promise.all(
      texts.map(async (one, index) => {
        const field = list.field(`${index % 2 === 0 ? 'after' : 'before'}: "${one}" `);
        const root = around(list.name, field).replace(/^list: /, '');
        const { body } = await callGraphql(product.url, product.key, `{ ${root} }`);
        return [one, body.errors?.[0].extensions.code];
      }),
    );
    expect(refused).toEqual(texts.map(one => [one, 'VALIDATION_ERROR']));
  });

  test.each([
    ['forwards', 'first', 'after'],
    ['backwards', 'last', 'before'],
  ] as const)('walked %s, has every item once while items are added', async (_way, size, cursor) => {
    const old = await allCursors();
    const seen: string[] = [];
    for (let position: string | undefined, more = true; more; ) {
      const [page] = await pages(list, [
        { [size]: 2, ...(position !== undefined && { [cursor]: position }) },
      ]);
      const cursors = page?.cursors ?? [];
      seen.push(...cursors);
      position = cursors.at(size === 'first' ? -1 : 0);
      more = (size === 'first' ? page?.hasNextPage : page?.hasPreviousPage) ?? false;
      if (seen.length <= 6) for (const at of [1, 9_999]) await list.add(at);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(old.filter(one => !seen.includes(one))).toEqual([]);
  });
});

test.each([
  [{ before: 'end' }, 20],
  [{ after: 'start' }, 20],
  [{}, 20],
])('a page %j without a size has the default size, next to the cursor', async (bound, size) => {
  for (let at = 1; at <= 30; at += 1) await addCredit(at);
  const list = LISTS.find(({ name }) => name === 'Account.ledger');
  if (list === undefined) throw new Error('The ledger is missing.');
  const all = (await pages(list, [{ first: 100 }]))[0]?.cursors ?? [];
  const args = {
    ...('before' in bound && { before: all.at(-1) ?? '' }),
    ...('after' in bound && { after: all.at(0) ?? '' }),
  };
  const [page] = await pages(list, [args]);
  const expected = 'before' in bound ? { ...args, last: size } : { ...args, first: size };
  expect(page).toEqual(expectedPage(all, expected));
});
