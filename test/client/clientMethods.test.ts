import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NoSingleActionError, PagespaceClient } from '../../src/client/main.ts';
import { type PracticeShop, startPracticeShop } from '../../src/demo/practiceShop.ts';
import { servePages } from '../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../support/startServer.ts';

let product: TestProduct;
let shop: PracticeShop;
let client: PagespaceClient;

beforeAll(async () => {
  product = await startTestProduct();
  shop = await startPracticeShop();
  client = new PagespaceClient({ url: product.url, key: product.key });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

describe('An observation', () => {
  it('finds the action with a name, a part of it, or a place', async () => {
    await using session = await client.start();
    const page = await session.observe(shop.url);
    expect(page.find('about us').kind).toBe('LINK');
    expect(page.find('Name of the').id).toBe('I1');
    expect(page.find('Add to basket', { in: 'Flax, 90 g' }).id).toBe('B3');
    expect(JSON.stringify(page)).not.toContain('"find"');
    const after = await session.step(page.find('Add to basket', { in: 'Cotton' }), null, {
      diffSince: page.id,
    });
    expect(after.metadata.title).toBe('1 in the basket · The Paper Shop');
  });

  it('does not choose between several actions, and says what it has when there is none', async () => {
    await using session = await client.start();
    const page = await session.observe(shop.url);
    const several = catching(() => page.find('Add to basket'));
    expect(several.candidates.map(({ id }) => id)).toEqual(['B2', 'B3']);
    expect(several.message).toMatch(/^2 actions are called "Add to basket": B2 .*; B3 /);
    expect(catching(() => page.find('Check out')).message).toBe(
      'No action of the list is called "Check out".',
    );
    const short = await session.observe(null, { actions: { max: 3 } });
    expect(catching(() => short.find('Samples of ink')).message).toMatch(/The list has 3 of 10 actions/);
  });
});

describe('The named methods of a session', () => {
  it('go to an address, back and forward, reload, press keys, type, and scroll', async () => {
    await using session = await client.start();
    await session.observe(shop.url);
    expect((await session.goto(new URL('/about', shop.url))).metadata.title).toMatch(/^About us/);
    expect((await session.back()).metadata.title).toMatch(/^All papers/);
    expect((await session.forward()).metadata.title).toMatch(/^About us/);
    expect((await session.reload()).metadata.title).toMatch(/^About us/);
    const page = await session.goto(shop.url);
    await session.step(page.find('Name of the paper'), 'cot');
    const typed = await session.type('ton');
    expect(typed.find('Name of the paper').value).toBe('cotton');
    const cleared = await session.press('Control+A').then(() => session.press('Delete'));
    expect(cleared.find('Name of the paper').value ?? '').toBe('');
    await using site = await servePages({ '/': '<a href="/">Top</a><p style="height:5000px">' });
    const top = await session.goto(site.url);
    const moved = await session.scroll('down', { by: 150 });
    const yOf = (each: typeof top) => each.find('Top').bounds?.y ?? Number.NaN;
    expect(yOf(moved)).toBe(yOf(top) - 150);
  });

  it('wait for what the page says later', async () => {
    await using session = await client.start();
    const page = await session.observe(new URL('/samples', shop.url));
    await session.step(page.find('Ask the mill'));
    const met = await session.waitFor('text "40 sheets"');
    expect(met.space?.messages.map(({ text }) => text)).toContain('The mill has 40 sheets.');
  });
});

describe('The streams of a session', () => {
  it('yield pictures until the session ends, and its status as it changes', async () => {
    const session = await client.start();
    const watched: string[] = [];
    const watching = (async () => {
      for await (const { status } of session.statusChanges()) watched.push(status);
    })();
    await session.observe(shop.url);
    for await (const frame of session.frames({ maxWidth: 320, quality: 40 })) {
      expect(Buffer.from(frame.image, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8');
      break;
    }
    await session.close();
    await watching;
    expect(watched).toEqual(['ACTIVE', 'CLOSED']);
  });

  it("of a client yield other sessions' changes", async () => {
    const ending = new AbortController();
    const changes = client.statusChanges({ signal: ending.signal });
    const first = changes.next();
    // The subscription begins with its connection, which nothing reports: start sessions until one is told.
    let told = false;
    void first.then(() => {
      told = true;
    });
    while (!told) await client.start().then(session => session.close());
    expect((await first).value?.status).toMatch(/ACTIVE|CLOSED/);
    ending.abort();
    await changes.next().catch(() => null);
  });
});

describe('query', () => {
  it('executes any operation, with variables, and throws the failure of a wrong one', async () => {
    const { viewer } = await client.query<{ viewer: { account: { name: string } } }>(
      '{ viewer { account { name } } }',
    );
    expect(viewer.account.name).toBe('test');
    const { startSession } = await client.query<{ startSession: { id: string } }>(
      'mutation Start($input: StartSessionInput!) { startSession(input: $input) { id } }',
      { input: { sessionTimeoutMinutes: 3 } },
    );
    expect((await client.session(startSession.id).close()).timeoutMinutes).toBe(3);
    await expect(client.query('{ viewer { nam } }')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('scrape', () => {
  it('returns values of the type of the schema', async () => {
    const { data } = await client.scrape(shop.url, {
      content: {
        formats: [],
        extract: { heading: { type: 'string', selector: 'h1' }, papers: { items: { selector: 'h2' } } },
      },
    });
    const values: { heading: string | null; papers: (string | null)[] | null } | null | undefined =
      data?.extracted;
    expect(values?.heading).toBe('All papers');
  });
});

function catching(work: () => unknown): NoSingleActionError {
  try {
    work();
  } catch (error) {
    if (error instanceof NoSingleActionError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
