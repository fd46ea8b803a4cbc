/** `open`, `list`, `do`, `read` and `close`: the operations of a session at a running service. */
import { writeFileSync } from 'node:fs';
import { observationText } from '../api/mcp/toolResult.ts';
import type { ClientSession, Observation } from '../client/main.ts';
import { PagespaceClient } from '../client/main.ts';
import type { ActionStatus } from '../domain/space/action.ts';
import { terminalJson, terminalText } from '../domain/terminalText.ts';
import {
  type Connection,
  type ConnectionFlags,
  forgetSession,
  requireConnection,
  requireSession,
  saveSession,
} from './connection.ts';

/** Options of every command that talks to a service. */
export interface PageFlags extends ConnectionFlags {
  readonly session?: string;
  /** Print JSON instead of text. */
  readonly json?: boolean;
  /** Write a screenshot to this file. */
  readonly screenshot?: string;
  /** List only actions with this text. */
  readonly search?: string;
  /** List only actions in one of these states. */
  readonly status?: readonly ActionStatus[];
  /** Wait for this condition before the page is read. */
  readonly waitFor?: string;
  readonly timeoutMinutes?: number;
  readonly enter?: boolean;
  readonly links?: boolean;
  /** `open`, `list`, `do`: with the text of the page. `read`: plain text. */
  readonly text?: boolean;
  readonly full?: boolean;
}

const print = (text: string): void => void process.stdout.write(`${terminalText(text)}\n`);
const printJson = (value: unknown): void => print(terminalJson(value));

/** Opens a page, in a new session if `--session` names none, and remembers the session. A new session whose page does not open is closed. */
export async function openPage(url: string, flags: PageFlags): Promise<void> {
  const connection = requireConnection(flags, process.env);
  const client = new PagespaceClient(connection);
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

const startSession = (client: PagespaceClient, { timeoutMinutes }: PageFlags): Promise<ClientSession> =>
  client.start(timeoutMinutes === undefined ? {} : { sessionTimeoutMinutes: timeoutMinutes });

/** Lists the actions of the current page. */
export async function listActions(flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  show(await session.observe(null, { ...observeOptions(flags), diffSince: null }), flags);
}

/** Performs an action. */
export async function doAction(id: string, value: string | undefined, flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  const options = { ...observeOptions(flags), diffSince: 'last', enter: flags.enter ?? null };
  show(await session.step(id.toUpperCase(), value ?? null, options), flags);
}

/** Prints the content of the current page. */
export async function readPage(flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  const format = flags.links === true ? 'LINKS' : flags.text === true ? 'TEXT' : 'MARKDOWN';
  const { data } = await session.scrape({
    waitFor: flags.waitFor ?? null,
    content: { formats: [format], onlyMainContent: flags.full !== true },
  });
  if (flags.json === true) printJson(data ?? null);
  else if (data?.links != null) for (const { url, text } of data.links) print(`${url}  ${text}`);
  else print(data?.text ?? data?.markdown ?? '');
}

/** Closes the session. */
export async function closeSession(flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  const info = await session.close();
  forgetSession(process.env, session.id);
  if (flags.json === true) printJson(info);
  else print(`session ${info.id}, ${info.status.toLowerCase()}`);
}

function current(flags: PageFlags): { connection: Connection; session: ClientSession } {
  const connection = requireConnection(flags, process.env);
  const id = requireSession(flags.session, process.env, connection);
  return { connection, session: new PagespaceClient(connection).session(id) };
}

const observeOptions = ({ search, status, text, waitFor, screenshot }: PageFlags) => ({
  actions: { search: search ?? null, status: status?.map(inCapitals) ?? null, text: text ?? null },
  waitFor: waitFor ?? null,
  screenshot: screenshot !== undefined,
});

function show(observation: Observation, { json, screenshot: path }: PageFlags): void {
  const { screenshot, ...others } = observation;
  if (path !== undefined && screenshot != null) writeFileSync(path, Buffer.from(screenshot, 'base64'));
  if (json === true) printJson(others);
  else print(observationText(observation));
}

/** GraphQL writes the values of enumerations in capitals. */
const inCapitals = (status: ActionStatus) => status.toUpperCase() as Uppercase<ActionStatus>;
