import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, callApi, callGraphql } from '../../support/callApi.ts';
import { postMcp } from '../../support/mcpClients.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { startTestProduct, type TestProduct } from '../../support/startServer.ts';
import { SECRET_PAGES, type SecretPage } from './secretPages.ts';

/** A way through the API: performs operations of one session. */
interface Way {
  /** All that was answered since the page was opened. */
  readonly answers: ApiResponse[];
  /** Returns the id of the action whose description matches. */
  idOf(description: RegExp): string | undefined;
  /** @returns the id of the session */
  observe(url: string): Promise<string>;
  step(actionId: string, value?: string, enter?: boolean): Promise<void>;
  /** Reads all that can be read of the page and of a session. */
  read(sessionId: string): Promise<void>;
}

const SPACE = `space { description markdown messages { text } actions { id name value description params { default values } }
  textBlocks { text } dialog { message defaultValue } pending { requests busy } console { first } }
  diff { markdown } metadata { url title tabs { url title } }`;
const EVENTS = `type ... on SessionFailedEvent { failure { detail } } ... on SessionSteppedEvent { action { description } url }
  ... on SessionObservedEvent { url } ... on SessionBlockedEvent { url detail } ... on SessionTabEvent { url }
  ... on SessionDialogEvent { message } ... on SessionDownloadEvent { fileName }`;

let folder: string;
let product: TestProduct;
let site: ServedPages;
/** The secrets that were entered, by page. */
const entered: { readonly name: string; readonly secret: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pagespace-fields-'));
  site = await servePages({
    ...Object.fromEntries(Object.values(SECRET_PAGES).map(({ html }, nth) => [`/${nth}`, html])),
    // Requests of addresses with a secret are not answered, so that they are pending.
    '*': (request, response) => void (request.url?.startsWith('/slow/') || response.writeHead(404).end()),
    '/sent':
      '<title>Sent</title><p id="p"></p><script>p.textContent = decodeURIComponent(location.search)</script>',
  });
  product = await startTestProduct({ path: join(folder, 'store.db') });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps the answers, and the actions of the last list. */
function record() {
  const answers: ApiResponse[] = [];
  let actions: readonly { readonly id: string; readonly description: string }[] = [];
  return {
    answers,
    idOf: (description: RegExp) => actions.find(action => description.test(action.description))?.id,
    seen(answer: ApiResponse): ApiResponse {
      answers.push(answer);
      const { body } = answer;
      const space =
        body?.space ?? body?.data?.observe?.space ?? body?.data?.step?.space ?? body?.extensions?.space;
      const found = space ?? body?.errors?.[0]?.extensions?.space;
      if (found?.actions !== undefined) actions = found.actions;
      return answer;
    },
  };
}

function restWay(): Way {
  const { answers, idOf, seen } = record();
  const post = async (path: string, body: object) =>
    seen(await callApi(product.url, 'POST', path, { key: product.key, body }));
  const get = async (path: string) => seen(await callApi(product.url, 'GET', path, { key: product.key }));
  let session_id: string | undefined;
  return {
    answers,
    idOf,
    async observe(url) {
      const { body } = await post('/env/observe', { url, session_id, keep_alive: true });
      session_id = body.session.session_id;
      return body.session.session_id;
    },
    step: async (action_id, value, enter) =>
      void (await post('/env/step', {
        session_id,
        action_id,
        value,
        enter,
        idempotency_key: crypto.randomUUID(),
        diff_since: 'last',
      })),
    async read(id) {
      await post('/env/observe', { session_id: id, text: true });
      await post('/env/scrape', {
        session_id: id,
        only_main_content: false,
        scrape_images: true,
        scrape_links: true,
        scrape_structured: true,
      });
      await post('/env/observe', { session_id: id, wait_for: { text: 'never there' }, wait_ms: 50 });
      for (const path of [`/session/${id}`, '/sessions', `/session/${id}/events`]) await get(path);
    },
  };
}

function graphqlWay(): Way {
  const { answers, idOf, seen } = record();
  const call = async (query: string, input: object) =>
    seen(await callGraphql(product.url, product.key, query, { input }));
  let sessionId: string | undefined;
  return {
    answers,
    idOf,
    async observe(url) {
      const OBSERVE = `mutation ($input: ObserveInput!) { observe(input: $input) { session { id } ${SPACE} } }`;
      const { body } = await call(OBSERVE, { url, sessionId, keepAlive: true });
      sessionId = body.data.observe.session.id;
      return body.data.observe.session.id;
    },
    async step(actionId, value, enter) {
      const STEP = `mutation ($input: StepInput!) { step(input: $input) { ${SPACE} } }`;
      await call(STEP, {
        sessionId,
        actionId,
        value,
        enter,
        idempotencyKey: crypto.randomUUID(),
        diffSince: 'last',
      });
    },
    async read() {
      const QUERY = `query { sessions { edges { node { url pageTitle error tabs { url title } space { markdown }
        events { edges { node { ${EVENTS} } } } } } } }`;
      seen(await callGraphql(product.url, product.key, QUERY));
    },
  };
}

function mcpWay(): Way {
  const { answers, idOf, seen } = record();
  const call = async (name: string, args: object) => {
    const message = { id: 1, method: 'tools/call', params: { name, arguments: args } };
    const { status, headers, body } = await postMcp(product.url, product.key, message);
    answers.push({ status, headers, body, text: JSON.stringify(body) });
    return body.result.structuredContent;
  };
  let session_id: string | undefined;
  return {
    answers,
    idOf,
    async observe(url) {
      session_id = (await call('observe', { session_id, url })).session_id;
      // The text of a tool is for models: the ids of the same session are read over REST.
      const body = { session_id, fields: ['actions.id', 'actions.description'] };
      seen(await callApi(product.url, 'POST', '/env/observe', { key: product.key, body }));
      return session_id ?? '';
    },
    async step(action_id, value, enter) {
      await call('step', { session_id, action_id, value, enter });
    },
    async read(id) {
      await call('observe', { session_id: id, text: true });
      await call('scrape', { session_id: id, only_main_content: false });
      await call('list_sessions', {});
    },
  };
}

/** Every part of the secret that says something of it: six of its characters, one after another. */
const partsOf = (secret: string): readonly string[] =>
  Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6).toLowerCase());

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase());
}

/** A different secret for each page: letters, digits, and characters that addresses, HTML and Markdown write in another way. */
function secretOf(page: string): string {
  const hash = createHash('sha256').update(page).digest('hex');
  const digits = String(BigInt(`0x${hash.slice(0, 16)}`)).slice(0, 8);
  const marks = ['"', '*', '&', '_', '<', '%', 'Q', 'w'];
  return marks.map((mark, at) => `${hash.charAt(20 + at)}${mark}${digits.charAt(at)}`).join('');
}

const codeOf = (page: string): string =>
  String(BigInt(`0x${createHash('sha256').update(page).digest('hex').slice(0, 16)}`)).slice(0, 6);

const failureOf = (answer: ApiResponse | undefined): string | null =>
  answer?.body.code ??
  answer?.body.errors?.[0]?.extensions?.code ??
  answer?.body.result?.structuredContent?.code ??
  null;

/** Enters a secret in a page. @returns the id of the session */
async function enter(
  way: Way,
  nth: number,
  secret: string,
  { presses = [], failure }: SecretPage,
): Promise<string> {
  const sessionId = await way.observe(`${site.url}/${nth}`);
  await way.step(way.idOf(/"Field"/) ?? 'no field', secret);
  // A page may change what was typed: it was entered even so.
  expect(failure === undefined ? [null, 'VALUE_REFUSED'] : [failure]).toContain(
    failureOf(way.answers.at(-1)),
  );
  for (const control of presses) {
    const id = way.idOf(control);
    expect(id).toBeDefined();
    await way.step(id ?? '');
  }
  await way.step(way.idOf(/"Swapped"|"Search"|"Other"/) ?? 'S4');
  return sessionId;
}

const inForms = (part: string): readonly string[] => [part, encodeURIComponent(part).toLowerCase()];

describe('A secret that is entered over REST, GraphQL and MCP', () => {
  const [rest, graphql] = [restWay(), graphqlWay()];
  const ways = [rest, graphql, mcpWay()];

  it.each(Object.entries(SECRET_PAGES).map(([name, page], nth) => [name, page, nth] as const))(
    'is told by no answer: %s',
    async (name, page, nth) => {
      const { parts = [] } = page;
      const isCode = name.startsWith('boxes');
      const secret = isCode ? codeOf(name) : secretOf(name);
      entered.push({ name, secret });
      // The mask lies below all three: each secret is entered over one of them, in turn, and read over all.
      for (const { answers } of ways) answers.length = 0;
      // The text of a tool tells neither lines of the console nor requests.
      const entering = parts.length > 0 ? [rest, graphql] : ways;
      const sessionId = await enter(entering[nth % entering.length] ?? rest, nth, secret, page);
      await Promise.all(ways.map(({ read }) => read(sessionId)));
      const answers = ways.flatMap(one => one.answers);
      expect(answers.map(({ status }) => status)).not.toContain(500);
      for (const part of parts) expect(answers.map(({ text }) => text).join()).toMatch(part);
      const texts = answers.flatMap(({ text }) => [
        text.toLowerCase(),
        JSON.stringify(text.replaceAll('\\"', '"')).toLowerCase(),
      ]);
      for (const form of partsOf(secret).flatMap(inForms))
        expect(
          texts
            .filter(text => text.includes(form) && searchOnce(text, [{ form }]).length > 0)
            .map(text => around(text, form)),
        ).toEqual([]);
    },
  );

  it('is in no line of the log, no warning and no file', () => {
    expect(entered).toHaveLength(Object.keys(SECRET_PAGES).length);
    const texts = [
      JSON.stringify(product.logLines).toLowerCase(),
      product.started.warnings.join('\n').toLowerCase(),
      ...filesIn(folder),
    ];
    const forms = entered.flatMap(({ name, secret }) =>
      partsOf(secret)
        .flatMap(inForms)
        .map(form => ({ name, form })),
    );
    const found = texts.flatMap(text =>
      searchOnce(text, forms).map(({ name, form }) => `${name}: ${around(text, form)}`),
    );
    expect(found).toEqual([]);
    const [first] = forms;
    expect(searchOnce(`x ${first?.form} y`, forms)).toContain(first);
    const isFound = (text: string) => searchOnce(text, [{ form: '123456' }]).length > 0;
    expect(['code123456', '?q=%3d123456&', '%2520123456', '"123456"'].map(isFound)).not.toContain(false);
    expect(['1764123456789', '5123456', '0c5e-4b1d-9f3a-ab123456cdef'].map(isFound)).not.toContain(true);
  });
});

/** Six digits of a time or of a hash are no code: they stand in more digits. An escaped character before them is no digit. */
function isInNumber(text: string, at: number, form: string): boolean {
  if (!/^\d+$/.test(form)) return false;
  const before = text.slice(Math.max(0, at - 32), at);
  const after = text.slice(at + form.length, at + form.length + 32);
  if (/^\d/.test(after) || (/\d$/.test(before) && !/%(?:25)*[0-9a-f]{2}$/.test(before))) return true;
  const [start = '', end = ''] = [/[0-9a-f-]*$/.exec(before)?.[0], /^[0-9a-f-]*/.exec(after)?.[0]];
  return start.length + form.length + end.length >= 16;
}

/** Returns the forms that a text has. It reads the text once, because there are megabytes of it and two thousand forms. */
function searchOnce<Form extends { readonly form: string }>(text: string, forms: readonly Form[]): Form[] {
  const byStart = Map.groupBy(forms, ({ form }) =>
    [...form.slice(0, 4)].reduce(
      (start, character) => ((start << 8) | (character.charCodeAt(0) & 255)) >>> 0,
      0,
    ),
  );
  const found: Form[] = [];
  for (let at = 0, start = 0; at < text.length; at++) {
    start = ((start << 8) | (text.charCodeAt(at) & 255)) >>> 0;
    const possible = byStart.get(start);
    if (possible !== undefined)
      found.push(
        ...possible.filter(({ form }) => text.startsWith(form, at - 3) && !isInNumber(text, at - 3, form)),
      );
  }
  return found;
}

const around = (text: string, part: string): string => {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 80), at + 80);
};
