/** `open`, `list`, `do`, `read`, `scrape` and `close`: the operations at a running service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { observationText, pageLine } from '../api/mcp/mcpTool.ts';
import {
  type ClientSession,
  type Observation,
  PagespaceClient,
  type ScrapedData,
  type ScrapeOptions,
  type StartOptions,
} from '../client/main.ts';
import type { ActionStatus } from '../domain/space/action.ts';
import {
  type Connection,
  type ConnectionFlags,
  findSession,
  forgetSession,
  requireConnection,
  requireSession,
  saveSession,
  UsageError,
} from './connection.ts';
import { print, printJson, printList } from './terminal.ts';

/** Options of every command that talks to a service. */
export interface PageFlags extends ConnectionFlags {
  readonly session?: string;
  readonly json?: boolean;
  readonly screenshot?: string;
  /** List only actions with this text. */
  readonly search?: string;
  /** List only actions in one of these states. */
  readonly status?: readonly ActionStatus[];
  /** Wait for this condition before the page is read. */
  readonly waitFor?: string;
  readonly timeoutMinutes?: number;
  /** `open`: fields of `POST /session/start` as JSON, or `@` and the name of a file with them. */
  readonly options?: string;
  readonly enter?: boolean;
  readonly links?: boolean;
  /** `open`, `list`, `do`: with the text of the page. `read`: plain text. */
  readonly text?: boolean;
  readonly full?: boolean;
  /** `do`: the whole list after the difference. */
  readonly list?: boolean;
}

/** Opens a page, in a new session if `--session` names none, and remembers the session. A new session whose page does not open is closed. */
export async function openPage(url: string, flags: PageFlags): Promise<void> {
  const connection = requireConnection(flags, process.env);
  const client = new PagespaceClient({ ...connection, caller: 'cli' });
  const session =
    flags.session === undefined ? await startSession(client, flags) : client.session(flags.session);
  try {
    const observation = await session.observe(url, observeOptions(flags));
    saveSession(process.env, connection, session.id);
    show(observation, flags);
  } catch (error) {
    if (flags.session === undefined) await session.close();
    throw error;
  }
}

async function startSession(
  client: PagespaceClient,
  { timeoutMinutes, options }: PageFlags,
): Promise<ClientSession> {
  return client.start({
    ...(options !== undefined && (await readOptions(options))),
    ...(timeoutMinutes !== undefined && { sessionTimeoutMinutes: timeoutMinutes }),
  });
}

/** @throws UsageError if the options are no JSON, or a field is not valid */
async function readOptions(options: string): Promise<StartOptions> {
  // The definitions of all fields: loaded only if they are needed.
  const { toStartInput } = await import('./startOptions.ts');
  let fields: unknown;
  try {
    fields = JSON.parse(options.startsWith('@') ? readFileSync(options.slice(1), 'utf8') : options);
  } catch {
    throw new UsageError('--options must be JSON such as {"locale":"de-DE"}, or @ and a file with it.');
  }
  return toStartInput(fields);
}

export async function listActions(flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  show(await session.observe(null, { ...observeOptions(flags), diffSince: null }), flags);
}

/** The difference is printed only if it is at most this part of the list: otherwise the page is another one, and the list is printed. */
const MAX_DIFFERENCE_PART = 0.5;

/** Performs an action, and prints what changed; the list if the page is another one. */
export async function doAction(id: string, value: string | undefined, flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  const options = { ...observeOptions(flags), diffSince: 'last', enter: flags.enter ?? null };
  const after = await session.step(id.toUpperCase(), value ?? null, options);
  const difference = after.diff?.markdown;
  const list = after.space?.markdown ?? '';
  const isSmall =
    difference !== undefined &&
    !/^(Page|Tab) /.test(difference) &&
    difference.length <= list.length * MAX_DIFFERENCE_PART &&
    after.data == null;
  if (!isSmall || flags.json === true || flags.list === true) return show(after, flags);
  saveScreenshot(after, flags);
  printList(`${pageLine(after.metadata)}\n${difference === '' ? 'Nothing changed.' : difference}`);
}

export async function readPage(flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  const { data } = await session.scrape(contentOptions(flags));
  printContent(data, flags);
}

/** Prints the content of one page, in a session of its own that the service closes. */
export async function scrapePage(url: string, flags: PageFlags): Promise<void> {
  const client = new PagespaceClient({ ...requireConnection(flags, process.env), caller: 'cli' });
  const { data } = await client.scrape(url, contentOptions(flags));
  printContent(data, flags);
}

const contentOptions = ({ links, text, full, waitFor }: PageFlags): ScrapeOptions => ({
  waitFor: waitFor ?? null,
  content: {
    formats: [links === true ? 'LINKS' : text === true ? 'TEXT' : 'MARKDOWN'],
    onlyMainContent: full !== true,
  },
});

function printContent(data: ScrapedData | null | undefined, { json }: PageFlags): void {
  if (json === true) printJson(data ?? null);
  else if (data?.links != null) for (const { url, text } of data.links) print(`${url}  ${text}`);
  else print(data?.text ?? data?.markdown ?? '');
}

/** Closes the session. Without one there is nothing to close, which is no error. */
export async function closeSession(flags: PageFlags): Promise<void> {
  const connection = requireConnection(flags, process.env);
  const id = findSession(flags.session, process.env, connection);
  if (id === null) return void process.stderr.write('pagespace: No session is open.\n');
  const info = await new PagespaceClient({ ...connection, caller: 'cli' }).session(id).close();
  forgetSession(process.env, id);
  if (flags.json === true) printJson(info);
  else print(`session ${info.id}, ${info.status.toLowerCase()}`);
}

/** Returns the session of a command. @throws UsageError without one */
export function current(flags: PageFlags): { connection: Connection; session: ClientSession } {
  const connection = requireConnection(flags, process.env);
  const id = requireSession(flags.session, process.env, connection);
  return { connection, session: new PagespaceClient({ ...connection, caller: 'cli' }).session(id) };
}

const observeOptions = ({ search, status, text, waitFor, screenshot }: PageFlags) => ({
  actions: { search: search ?? null, status: status?.map(inCapitals) ?? null, text: text ?? null },
  waitFor: waitFor ?? null,
  screenshot: screenshot !== undefined,
});

function show(observation: Observation, flags: PageFlags): void {
  saveScreenshot(observation, flags);
  const { screenshot: _, ...others } = observation;
  if (flags.json === true) printJson(others);
  else printList(observationText(observation));
}

function saveScreenshot({ screenshot }: Observation, { screenshot: path }: PageFlags): void {
  if (path !== undefined && screenshot != null) writeFileSync(path, Buffer.from(screenshot, 'base64'));
}

const inCapitals = (status: ActionStatus) => status.toUpperCase() as Uppercase<ActionStatus>;
