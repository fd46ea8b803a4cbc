import { readFile } from 'node:fs/promises';
import type { HttpResponse } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { escapeHtml, htmlPage, JAVASCRIPT, staticAsset } from './htmlPage.ts';

/** The how-tos of /docs: calls that work as they are on the practice shop. */

interface HowTo {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly code: string;
}

/** Returns the lines before every how-to: the key, the call, and a session. */
const SHELL_SETUP = (origin: string): string => `KEY=psk_…
SERVICE=${origin}
call() { curl -sS "$SERVICE$1" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "$2"; echo; }
ID=$(call /session/start '{}' | cut -d '"' -f 4)`;

/** Returns the how-tos. @param exampleUrl the first page of the shop: a service without it shows them with another address */
const howTos = (exampleUrl: string): readonly HowTo[] => {
  const at = (path: string): string => new URL(path, exampleUrl).href;
  return [
    {
      id: 'wait',
      title: 'Wait for something',
      text: 'The answer of a step comes when the page has settled. For what a page does later on its own, `wait_for` names a condition: `text "…"`, `no text "…"`, `action "…"`, `no action "…"` or `network quiet`; `wait_ms` bounds it (default 10,000).',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${at('samples')}"}'
call /env/step '{"session_id": "'$ID'", "action_id": "B1", "wait_for": "text \\"40 sheets\\"", "fields": ["markdown"]}'`,
    },
    {
      id: 'differences',
      title: 'Get only what changed',
      text: '`fields` names the parts of the answer that you need; the others are not computed. `diff` compares with the observation before.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${exampleUrl}", "fields": ["markdown"]}'
call /env/step '{"session_id": "'$ID'", "action_id": "B2", "fields": ["diff.markdown"]}'`,
    },
    {
      id: 'lists',
      title: 'Make the list short',
      text: '`search`, `kinds` and `status` keep some of the actions, `max_tokens` as many as fit; `text` adds the words of the page between them.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${exampleUrl}", "search": "basket", "kinds": ["button"], "fields": ["markdown"]}'
call /env/observe '{"session_id": "'$ID'", "max_tokens": 100, "text": true, "fields": ["markdown"]}'`,
    },
    {
      id: 'files',
      title: 'Download and upload files',
      text: 'A step that starts a download tells so; the file has an id. An uploaded file has an id too, which is the value of a step on a file input.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${at('samples')}"}'
call /env/step '{"session_id": "'$ID'", "action_id": "L5"}'
curl -sS "$SERVICE/session/$ID/downloads" -H "Authorization: Bearer $KEY"; echo
curl -sS "$SERVICE/session/$ID/downloads/D1" -H "Authorization: Bearer $KEY"
curl -sS "$SERVICE/session/$ID/uploads?name=drawing.txt" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/octet-stream' -d 'a drawing'; echo
call /env/step '{"session_id": "'$ID'", "action_id": "I1", "value": "U1", "fields": ["diff.markdown"]}'`,
    },
    {
      id: 'login',
      title: 'Sign in',
      text: 'A session keeps its cookies until it ends, so one sign-in is enough. `enter` presses Enter after the value.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${at('orders')}"}'
call /env/step '{"session_id": "'$ID'", "action_id": "I1", "value": "ada"}'
call /env/step '{"session_id": "'$ID'", "action_id": "I2", "value": "paper", "enter": true, "fields": ["markdown", "metadata.page_title"]}'
call /env/scrape '{"session_id": "'$ID'", "fields": ["data.markdown"]}'`,
    },
  ];
};

export const SCRIPT_PATH = '/assets/docs.js';

/** The Content-Security-Policy of /docs. It allows only the service's own script and style sheet, and requests to the service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface DescribedApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Converts the Markdown of descriptions: code and paragraphs. */
const prose = (text = ''): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Converts a description that may have a list below its first paragraph: the list opens at a click. */
function meaningHtml(text = ''): string {
  const [first = '', ...lines] = text.split('\n').filter(line => line.trim() !== '');
  if (lines.length === 0) return prose(first);
  const items = lines.map(line => `<li>${prose(line.replace(/^- /, ''))}</li>`).join('');
  return `${prose(first)} <details><summary>more</summary><ul>${items}</ul></details>`;
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref;

/** Returns the type of a value as a reader writes it: `text`, `"a" | "b"`, `list of numbers`, or a link to a type below. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return `<a href="#type-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return escapeHtml(JSON.stringify(schema.const));
  if (schema.enum !== undefined)
    return schema.enum.map(value => escapeHtml(JSON.stringify(value))).join(' | ');
  if (schema.anyOf !== undefined)
    return schema.anyOf
      .filter(({ type }) => type !== 'null')
      .map(typeOf)
      .join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const [type = 'any'] = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return schema.format === 'date-time' ? 'time' : type;
}

const fieldRow = (name: string, schema: Schema, isRequired: boolean, description?: string): string => {
  const notes = [
    meaningHtml(description ?? schema.description),
    schema.default === undefined || schema.default === null
      ? ''
      : `Default <code>${escapeHtml(JSON.stringify(schema.default))}</code>.`,
  ];
  return `<tr><td><code>${name}</code>${isRequired ? ' <em>required</em>' : ''}</td><td>${typeOf(schema)}</td><td>${notes.filter(Boolean).join(' ')}</td></tr>`;
};

const fieldTable = (rows: readonly string[]): string =>
  rows.length === 0
    ? '<p>No fields.</p>'
    : `<table class="fields"><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;

const propertyRows = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.entries(properties).map(([name, schema]) => fieldRow(name, schema, required.includes(name)));

/** Returns the HTML of one operation: its fields first, then a call, its answer, and one line for failures. */
function operationHtml(
  method: string,
  path: string,
  operation: DescribedOperation,
  api: DescribedApi,
): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const json = requestBody?.content['application/json'];
  const body = json?.schema.$ref === undefined ? undefined : api.components.schemas[nameOf(json.schema.$ref)];
  const rows = [
    ...parameters.map(({ name, required = false, schema, description: meaning }) =>
      fieldRow(name, schema, required, meaning),
    ),
    ...(body === undefined ? [] : propertyRows(body)),
  ];
  const answer = Object.values(responses[200]?.content ?? {})[0]?.schema;
  const example = json === undefined ? '' : JSON.stringify(json.example);
  const isRead = method === 'get';
  const data =
    requestBody === undefined ? '' : json === undefined ? ' --data-binary @file' : ` -d '${example}'`;
  const url = `$SERVICE${path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'session_id' ? '$ID' : 'D1'))}`;
  const type = json === undefined ? '' : " -H 'Content-Type: application/json'";
  const call = `curl -sS "${url}" -H "Authorization: Bearer $KEY"${type}${data}`;
  const canTry = (isRead && !path.includes('{')) || json !== undefined;
  return `<details class="op" id="${operationId}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code> <span>${escapeHtml(summary)}</span></summary>
<p>${prose(description)}</p>
${fieldTable(rows)}
<p><strong>Answer</strong> ${answer?.$ref === undefined ? (answer === undefined || Object.keys(answer).length === 0 ? 'the bytes of the file' : typeOf(answer)) : typeOf(answer)}.
<strong>Failures</strong> ${Object.keys(responses)
    .filter(status => status !== '200')
    .join(', ')}, as problem details with a <a href="/failures">code</a>.</p>
<pre data-copy tabindex="0"><code>${escapeHtml(call)}</code></pre>
${canTry ? `<form class="try" data-method="${method}" data-path="${path}">${json === undefined ? '' : `<textarea aria-label="Body of ${path}" rows="3" spellcheck="false">${escapeHtml(JSON.stringify(json.example, null, 2))}</textarea>`}<button>Send</button><output></output></form>` : ''}
</details>`;
}

const typeHtml = ([name, schema]: [string, Schema]): string =>
  `<details class="type" id="type-${name}"><summary><code>${name}</code></summary>${schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`}${fieldTable(propertyRows(schema))}</details>`;

const WAYS: readonly (readonly [rest: string, graphql: string, mcp: string])[] = [
  ['POST /session/start', 'mutation startSession', 'start'],
  ['POST /env/observe', 'mutation observe', 'observe'],
  ['POST /env/step', 'mutation step', 'step'],
  ['POST /env/step with S24', 'mutation step with S24', 'wait'],
  ['POST /env/scrape', 'mutation scrape', 'scrape'],
  ['POST /session/close', 'mutation closeSession', 'close'],
  ['GET /sessions', 'query sessions', 'list_sessions'],
  ['GET /session/{session_id}/downloads, POST …/uploads', 'query session { downloads uploads }', 'files'],
  [
    '–',
    'subscriptions sessionStatusChanged, sessionEvents, sessionFrames',
    'resources pagespace://sessions/…',
  ],
];

/** Returns the manual. @param api the OpenAPI document, from which the REST part is made @param origin the service's own origin @param exampleUrl the page that the examples open */
export function docsPage(api: DescribedApi, origin: string, exampleUrl: string): HttpResponse {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = api.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const shown = own.map(({ path, method, operation }) => operationHtml(method, path, operation, api));
    return `<section class="group"><h3 id="${name}">${escapeHtml(name)}</h3><p>${prose(description)}</p>${shown.join('\n')}</section>`;
  });
  // The bodies of requests are shown with their operations.
  const types = Object.entries(api.components.schemas).filter(([name]) => !name.endsWith('Request'));
  return htmlPage(
    'Manual · pagespace',
    `<nav class="bar wide" aria-label="pagespace"><a href="/">pagespace</a><a href="#rest">REST</a><a href="#how-to">How to</a><a href="#graphql">GraphQL</a><a href="#mcp">MCP</a><a href="/failures">Failures</a></nav>
<h1>Manual</h1>
<p class="lead">Start a session, observe a page, perform actions by their ids, take the content, close the session.</p>
<p class="tools"><label>Search <input type="search" id="search" placeholder="a path, a field, a word" autocomplete="off"></label>
<label>API key <input type="password" id="key" placeholder="psk_…" autocomplete="off"></label> <small>kept in this tab, for “Send”</small></p>
<h2 id="rest">REST</h2>
<p>Every request except those of <em>service</em> needs <code>Authorization: Bearer &lt;API_KEY&gt;</code>. <code>null</code> means the same as leaving a field out; unknown fields are refused.
Each path also works below <code>/v1</code>. <a href="/openapi.json">openapi.json</a> says the same to programs.</p>
${groups.join('\n')}
<details id="types"><summary>The types of answers</summary>${types.map(typeHtml).join('')}</details>
<h2 id="how-to">How to</h2>
<p>The lines work as they are after these:</p>
<pre data-copy tabindex="0"><code>${escapeHtml(SHELL_SETUP(origin))}</code></pre>
${howTos(exampleUrl)
  .map(
    ({ id, title, text, code }) =>
      `<details class="howto" id="${id}"><summary>${escapeHtml(title)}</summary><p>${prose(text)}</p><pre data-copy tabindex="0"><code>${escapeHtml(code)}</code></pre></details>`,
  )
  .join('\n')}
<h2 id="graphql">GraphQL</h2>
<p>The same operations at <a href="/graphql">/graphql</a>, with only the fields that you select; they are neither computed nor charged otherwise. Fields are in camelCase, those of one subject in a group:
<code>actions: { search, kinds, maxTokens }</code>, <code>content: { formats, extract }</code>. Subscriptions stream over WebSocket (<code>graphql-transport-ws</code>) or server-sent events.</p>
<pre data-copy tabindex="0"><code>${escapeHtml(graphqlCall(origin, exampleUrl))}</code></pre>
<h2 id="mcp">MCP</h2>
<p>The same operations as tools for agents, at <code>/mcp</code> (streamable HTTP). A host takes the server like this:</p>
<pre data-copy tabindex="0"><code>${escapeHtml(mcpConfig(origin))}</code></pre>
<table class="fields"><thead><tr><th>REST</th><th>GraphQL</th><th>MCP</th></tr></thead><tbody>
${WAYS.map(row => `<tr>${row.map(cell => `<td><code>${escapeHtml(cell)}</code></td>`).join('')}</tr>`).join('\n')}
</tbody></table>
<script src="${SCRIPT_PATH}"></script>`,
    CONTENT_SECURITY_POLICY,
  );
}

const graphqlCall = (origin: string, exampleUrl: string): string =>
  String.raw`curl -sS ${origin}/graphql -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"query": "mutation { observe(input: {url: \"${exampleUrl}\"}) { space { actions { id description } } } }"}'`;

const mcpConfig = (origin: string): string =>
  `{"mcpServers": {"pagespace": {"type": "http", "url": "${origin}/mcp", "headers": {"Authorization": "Bearer psk_…"}}}}`;

/** The script of this page and the home page, which `npm run build` bundles from src/web. */
export const docsScriptRoute: HttpRoute = getRoute(
  SCRIPT_PATH,
  staticAsset(() => readFile(new URL('../../../dist/web/docs.js', import.meta.url), 'utf8'), JAVASCRIPT),
);
