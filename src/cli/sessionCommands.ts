/** `sessions`, `events`, `screenshot`, `download` and `upload`: what a session has besides its page. */
import { existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type ConsoleMessage,
  type NetworkRequest,
  PagespaceClient,
  type SessionEvent,
  type SessionInfo,
} from '../client/main.ts';
import { type ConnectionFlags, requireConnection, UsageError } from './connection.ts';
import { current, type PageFlags } from './pageCommands.ts';
import { print, printJson } from './terminal.ts';

/** Prints the active sessions of the account, newest first; with `all` the ended ones too. */
export async function listSessions(
  flags: ConnectionFlags & { readonly all?: boolean; readonly json?: boolean },
): Promise<void> {
  const client = new PagespaceClient({ ...requireConnection(flags, process.env), caller: 'cli' });
  const sessions: SessionInfo[] = [];
  for await (const session of client.sessions(flags.all === true ? {} : { status: ['ACTIVE'] }))
    sessions.push(session);
  if (flags.json === true) return printJson(sessions);
  if (sessions.length === 0) process.stderr.write('pagespace: No session is active.\n');
  for (const { id, status, duration, url, pageTitle } of sessions)
    print([id, status.toLowerCase(), duration, url ?? '', pageTitle ?? ''].join('  ').trimEnd());
}

const LAST_EVENT =
  'query LastEvent($id: ID!) { session(id: $id) { events(last: 1) { edges { node { seq } } } } }';
interface LastEvent {
  readonly session: { readonly events: { readonly edges: readonly { node: { seq: number } }[] } } | null;
}

/** Prints the events of a session, one a line; with `follow` also those that come, until the session ends. */
export async function showEvents(flags: PageFlags & { readonly follow?: boolean }): Promise<void> {
  const { connection, session } = current(flags);
  const client = new PagespaceClient({ ...connection, caller: 'cli' });
  // A session that does not exist has no last event; the stream then has the failure.
  const last = await client.query<LastEvent>(LAST_EVENT, { id: session.id });
  const lastSeq = last.session?.events.edges.at(-1)?.node.seq ?? 0;
  for await (const event of session.events()) {
    if (flags.json === true) printJson(event);
    else print(eventLine(event));
    if (flags.follow !== true && event.seq >= lastSeq) return;
  }
}

/** Returns an event as one line: its number, time, type, and its own fields. */
function eventLine({ __typename, id: _, seq, at, type, performed: __, ...own }: SessionEvent): string {
  const fields = Object.values(own).flatMap(value =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value],
  );
  const shown = fields.filter(value => value !== null && value !== '').join('  ');
  return `${String(seq).padStart(3)}  ${at}  ${type.toLowerCase().padEnd(9)}  ${shown}`.trimEnd();
}

const LAST_NUMBERS = `query LastNumbers($id: ID!) { session(id: $id) {
  console(last: 1) { edges { node { number } } } network(last: 1) { edges { node { number } } } } }`;
interface LastNumbers {
  readonly session: Readonly<
    Record<'console' | 'network', { readonly edges: readonly { node: { number: number } }[] }>
  > | null;
}

/** Prints the console, or the requests of the session, one a line; with `follow` also those that come, until the session ends. */
export async function showPageLog(
  kind: 'console' | 'network',
  flags: PageFlags & { readonly follow?: boolean },
): Promise<void> {
  const { connection, session } = current(flags);
  const client = new PagespaceClient({ ...connection, caller: 'cli' });
  const { session: found } = await client.query<LastNumbers>(LAST_NUMBERS, { id: session.id });
  const last = found?.[kind].edges.at(-1)?.node.number ?? 0;
  // A session that does not exist has no last entry; the stream then has the failure.
  if (found !== null && last === 0 && flags.follow !== true) return;
  for await (const entry of kind === 'console' ? session.console() : session.network()) {
    if (flags.json === true) printJson(entry);
    else print('level' in entry ? consoleLine(entry) : requestLine(entry));
    if (flags.follow !== true && entry.number >= last) return;
  }
}

const consoleLine = ({ number, at, level, text, url, line }: ConsoleMessage): string =>
  `${String(number).padStart(3)}  ${at}  ${level.toLowerCase().padEnd(9)}  ${text}${url === null ? '' : `  (${url}:${line ?? ''})`}`;

const requestLine = (request: NetworkRequest): string =>
  [
    String(request.number).padStart(3),
    request.at,
    request.status ?? '---',
    request.method,
    request.url,
    request.resourceType,
    `${request.bytes ?? '?'} bytes`,
    `${Math.round(request.durationMs ?? 0)} ms`,
    request.blockedReason ?? request.error ?? '',
  ]
    .join('  ')
    .trimEnd();

export async function exportSession(
  file: string | undefined,
  flags: PageFlags & { readonly format?: 'markdown' | 'json' | 'har' },
): Promise<void> {
  const text = await current(flags).session.export(flags.format ?? 'markdown');
  if (file === undefined) return print(text.trimEnd());
  writeFileSync(file, text);
  print(`${file}, ${Buffer.byteLength(text)} bytes`);
}

export async function takeScreenshot(
  file: string,
  flags: PageFlags & { readonly fullPage?: boolean },
): Promise<void> {
  const { session } = current(flags);
  const { screenshot } = await session.observe(null, {
    screenshot: { fullPage: flags.fullPage === true },
    actions: { max: 1 },
  });
  const bytes = Buffer.from(screenshot ?? '', 'base64');
  writeFileSync(file, bytes);
  if (flags.json === true) printJson({ file, bytes: bytes.length });
  else print(`${file}, ${bytes.length} bytes`);
}

/** Writes a downloaded file, or prints their list without an id. @throws UsageError when the file exists and `output` does not name it */
export async function downloadFile(
  id: string | undefined,
  flags: PageFlags & { readonly output?: string },
): Promise<void> {
  const { session } = current(flags);
  const files = await session.downloads();
  if (id === undefined) {
    if (flags.json === true) return printJson(files);
    if (files.length === 0) process.stderr.write('pagespace: The session has no downloads.\n');
    for (const file of files) print(`${file.id}  ${file.bytes ?? '?'} bytes  ${file.name}`);
    return;
  }
  const wanted = id.toUpperCase();
  const name = files.find(file => file.id === wanted)?.name ?? wanted;
  // The page chose the name: only its last part is used.
  const path = flags.output ?? (basename(name.replaceAll('\\', '/')) || wanted);
  if (flags.output === undefined && existsSync(path))
    throw new UsageError(`${path} exists. Name another file: --output <file>`);
  const bytes = await session.download(wanted);
  writeFileSync(path, bytes);
  if (flags.json === true) printJson({ file: path, bytes: bytes.length });
  else print(`${path}, ${bytes.length} bytes`);
}

/** Uploads a file to the session, and prints its id, the value for a file input. */
export async function uploadFile(path: string, flags: PageFlags): Promise<void> {
  const { session } = current(flags);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UsageError(
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  });
  const file = await session.upload(basename(path), bytes);
  if (flags.json === true) printJson(file);
  else print(`${file.id}  ${file.bytes} bytes  ${file.name}`);
}
