/** The connection of this node to NATS. It stays for the life of the process and reconnects for ever. */

import { readFile } from 'node:fs/promises';
import {
  type ConnectionOptions,
  connect,
  headers as createHeaders,
  credsAuthenticator,
  type Msg,
  type MsgHdrs,
  type NatsConnection as NatsClient,
  type NodeConnectionOptions,
  type PublishOptions,
  type RequestOptions,
  type Subscription,
} from '@nats-io/transport-node';
import { afterMs, race } from '../async/race.ts';
import type { NodeEpoch } from '../domain/ports/nodes.ts';

/** Encodes a text as one token of a subject: dots, wildcards and spaces are percent-encoded. */
const subjectToken = (text: string): string =>
  encodeURIComponent(text).replace(/[.*]/g, character => `%${character.charCodeAt(0).toString(16)}`);

const INBOX_PREFIX = 'pagespace.inbox';

/** Requests to a node and what follows them: `<this>.<kind>.<number>`. */
export const nodeSubject = ({ nodeId, epoch }: NodeEpoch): string =>
  `pagespace.node.${subjectToken(nodeId)}.${epoch}`;

/** Subject of the responses to a messenger, without its last parts: `<subject>.<request>.<kind>.<number>`. */
export const replySubject = (messengerId: string): string => `pagespace.reply.${messengerId}`;

/** Subject of the questions of nodes of earlier versions for a node with a free place. Nodes with one listen in the queue group of the same name. */
export const PLACE_SUBJECT = 'pagespace.place';

/** Subject of the questions for a node with a free place among the nodes of one database: the member that gets a question must not be of another cluster. */
export const placeSubject = (databaseId: string | null): string =>
  databaseId === null ? PLACE_SUBJECT : `${PLACE_SUBJECT}.${subjectToken(databaseId)}`;

export const LOAD_SUBJECT = 'pagespace.load';

export const announcementSubject = (topic: string): string => `pagespace.all.${subjectToken(topic)}`;

/** Subject of the session updates of an account, without its last part: the id of the bus that publishes them follows, `<subject>.<origin>`. */
export const eventSubject = (accountId: string): string => `pagespace.events.${subjectToken(accountId)}`;

/** Ledger updates of an account: `<this>.<origin>`. */
export const ledgerSubject = (accountId: string): string => `pagespace.ledger.${subjectToken(accountId)}`;

/** A start waits at most this long for NATS. */
const START_TIMEOUT_MS = 8_000;
/** A server that does not finish the handshake within this time is skipped. */
const HANDSHAKE_TIMEOUT_MS = 4_000;
/** A connection without an answer is given up after three of these intervals. */
const PING_INTERVAL_MS = 2_000;
const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 500;
/** A shorter password is part of ordinary words. */
const MIN_SECRET_LENGTH = 4;
/** Default `max_payload` of nats-server, in bytes. */
const DEFAULT_MAX_PAYLOAD = 1_048_576;

export interface NatsOptions {
  /** Addresses of the servers, with commas between them: `nats://` or `tls://`, with `user:password@` or `token@` if the server asks for it. */
  readonly url: string;
  /** Path of a credentials file (`.creds`). Default: none. */
  readonly credentialsFile?: string | undefined;
  /** Path of a PEM file with the certificate authority of the servers. Default: the authorities of the system. */
  readonly caFile?: string | undefined;
  /** Name of this node, shown by the monitoring of nats-server. */
  readonly name: string;
  /** Receives what goes wrong later, such as a missing permission. Default: ignored. */
  readonly onWarning?: ((message: string) => void) | undefined;
  readonly startTimeoutMs?: number;
}

export interface NatsConnection {
  readonly client: NatsClient;
  readonly isConnected: boolean;
  /** Maximum size of a message in bytes, as the server says. */
  readonly maxPayload: number;
  /** The database whose nodes hear each other, as one token of a subject; null for no difference (`ofDatabase`). */
  readonly databaseId: string | null;
  /**
   * Subscribes to a subject. An error that `onMessage` throws is reported as a warning: the client would stop to read.
   * @param queue name of the queue group; default: none
   */
  subscribe(subject: string, onMessage: (message: Msg) => void, queue?: string): Subscription;
  /** Publishes a message; does nothing if the connection is broken or closed. */
  publish(subject: string, data?: string | Uint8Array, options?: PublishOptions): void;
  /** Publishes a message and waits for the first answer. @throws the error of the NATS client */
  request(subject: string, data: string, options: RequestOptions): Promise<Msg>;
  /** Calls `listener` when the connection is lost (false) or is back (true). @returns a function that removes it */
  onConnectionChange(listener: (isConnected: boolean) => void): () => void;
  close(): Promise<void>;
}

/** Checks that the user may publish and subscribe. @throws Error with one line that says why not, without secrets */
export async function connectNats(options: NatsOptions): Promise<NatsConnection> {
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const fail = (reason: string, cause?: unknown): Error =>
    new Error(`NATS cannot be used at ${addressesOf(options.url)}: ${reason}`, { cause });
  const connecting = toClientOptions(options).then(connect);
  const giveUpAt = performance.now() + timeoutMs;
  try {
    const client = await race(
      connecting,
      afterMs(timeoutMs, (): never => {
        throw new Error(`no answer within ${timeoutMs / 1_000} s`);
      }),
    );
    let onError = (error: Error): void => options.onWarning?.(reasonOf(error, options.url));
    const connection = watch(client, error => onError(error));
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const onWarning = onError;
    onError = reject;
    await Promise.race([checkPermissions(client, giveUpAt - performance.now()), refused]);
    onError = onWarning;
    return connection;
  } catch (error) {
    connecting.then(client => client.close()).catch(() => {});
    throw fail(reasonOf(error, options.url), error);
  }
}

async function toClientOptions({
  url,
  credentialsFile,
  caFile,
  name,
}: NatsOptions): Promise<NodeConnectionOptions> {
  const servers = serverUrls(url);
  const usesTls = caFile !== undefined || servers.some(({ protocol }) => protocol === 'tls:');
  if (caFile !== undefined) await readFile(caFile).catch(explainFile('NATS_CA'));
  const [{ username, password }] = servers;
  const authentication: ConnectionOptions = {};
  if (credentialsFile !== undefined)
    authentication.authenticator = credsAuthenticator(
      await readFile(credentialsFile).catch(explainFile('NATS_CREDENTIALS')),
    );
  else if (password !== '') {
    authentication.user = decodeURIComponent(username);
    authentication.pass = decodeURIComponent(password);
  } else if (username !== '') authentication.token = decodeURIComponent(username);
  return {
    servers: servers.map(({ host }) => host),
    name,
    inboxPrefix: INBOX_PREFIX,
    ...authentication,
    ...(usesTls && { tls: caFile === undefined ? {} : { caFile } }),
    timeout: HANDSHAKE_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    reconnectJitterTLS: RECONNECT_JITTER_MS,
    // A changed password can become valid again: the client must not give up.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
}

/** @throws Error if one of the addresses is not valid */
function serverUrls(text: string): [URL, ...URL[]] {
  const urls = text.split(',').map(each => {
    const trimmed = each.trim();
    const url = URL.parse(trimmed.includes('://') ? trimmed : `nats://${trimmed}`);
    if (url === null || url.host === '' || !['nats:', 'tls:'].includes(url.protocol))
      throw new Error('NATS_URL has an address that is not nats://host:port or tls://host:port');
    return url;
  });
  return urls as [URL, ...URL[]];
}

function addressesOf(text: string): string {
  try {
    return serverUrls(text)
      .map(({ host }) => host)
      .join(', ');
  } catch {
    return 'the address in NATS_URL';
  }
}

const explainFile = (variable: string) => (error: NodeJS.ErrnoException) => {
  throw new Error(`the file of ${variable} cannot be read (${error.code ?? error.message})`);
};

/** One line, in which no password and no token of the URL appears. */
function reasonOf(error: unknown, url: string): string {
  let reason = error instanceof Error ? error.message : String(error);
  // The client's own message of a server that accepts the connection and says nothing.
  if (reason === 'timeout') reason = `no answer within ${HANDSHAKE_TIMEOUT_MS / 1_000} s`;
  if (error instanceof Error && error.cause instanceof Error && error.cause.message !== '')
    reason = `${reason} (${error.cause.message})`;
  for (const [, credentials = ''] of url.matchAll(/\/\/([^@/]*)@/g)) {
    const secret = credentials.split(':').at(-1) ?? '';
    if (secret.length >= MIN_SECRET_LENGTH) reason = reason.replaceAll(secret, '***');
  }
  return reason.replaceAll(/\s+/g, ' ').trim();
}

/** Publishes a message to itself. @throws Error if the user may not */
async function checkPermissions(client: NatsClient, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const subjects = ['node', 'reply', 'inbox', 'events', 'ledger', 'all'].map(
    each => `pagespace.${each}.check`,
  );
  let received = 0;
  const callback = (error: Error | null): void => {
    received += 1;
    if (error !== null) reject(error);
    else if (received === subjects.length) resolve();
  };
  const subscriptions = subjects.map(subject => client.subscribe(subject, { max: 1, callback }));
  for (const subject of subjects) client.publish(subject);
  const timeout = afterMs(Math.min(timeoutMs, HANDSHAKE_TIMEOUT_MS), (): never => {
    throw new Error('no message comes back');
  });
  await race(promise, timeout);
  for (const subscription of subscriptions) subscription.unsubscribe();
}

function watch(client: NatsClient, onError: (error: Error) => void): NatsConnection {
  const listeners = new Set<(isConnected: boolean) => void>();
  let isConnected = true;
  let maxPayload = client.info?.max_payload ?? DEFAULT_MAX_PAYLOAD;
  let closing: Promise<void> | undefined;
  const change = (to: boolean): void => {
    if (to === isConnected) return;
    isConnected = to;
    if (to) maxPayload = client.info?.max_payload ?? maxPayload;
    for (const listener of [...listeners]) listener(to);
  };
  const follow = async (): Promise<void> => {
    for await (const status of client.status()) {
      if (status.type === 'disconnect' || status.type === 'close') change(false);
      else if (status.type === 'reconnect') change(true);
      else if (status.type === 'error') onError(status.error);
    }
    change(false);
  };
  void follow();
  return {
    client,
    get isConnected() {
      return isConnected;
    },
    get maxPayload() {
      return maxPayload;
    },
    databaseId: null,
    subscribe: (subject, onMessage, queue) =>
      client.subscribe(subject, {
        ...(queue !== undefined && { queue }),
        callback: (error, message) => {
          try {
            if (error !== null) throw error;
            onMessage(message);
          } catch (thrown) {
            onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
          }
        },
      }),
    publish(subject, data, options) {
      if (isConnected && !client.isClosed() && !client.isDraining()) client.publish(subject, data, options);
    },
    request: (subject, data, options) => client.request(subject, data, options),
    onConnectionChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closing ??= disconnect(client, isConnected).then(() => change(false));
      return closing;
    },
  };
}

async function disconnect(client: NatsClient, isConnected: boolean): Promise<void> {
  if (isConnected) await race(client.flush(), afterMs(1_000)).catch(() => {});
  await client.close();
}

/** Header of each message: the database of the node that sent it. Nodes of earlier versions send none. */
export const DATABASE_HEADER = 'Pagespace-Database';

/** Other databases that are reported: a client that may publish could invent more. */
const MAX_REPORTED = 10;

/**
 * Returns the connection for the nodes of one database: it marks each message that it sends, and drops those of other
 * databases. A message without a mark comes from a node of an earlier version and is received.
 * @param databaseId the database; null if the server does not tell it: then nothing is marked or dropped
 * @param warn called once for each other database of which a message arrives
 */
export function ofDatabase(
  connection: NatsConnection,
  databaseId: string | null,
  warn: (message: string) => void = () => {},
): NatsConnection {
  if (databaseId === null) return connection;
  const reported = new Set<string>();
  const isOwn = ({ headers }: Msg): boolean => {
    const sender = databaseOf(headers);
    if (sender === null || sender === databaseId) return true;
    if (!reported.has(sender) && reported.size < MAX_REPORTED) {
      reported.add(sender);
      warn(foreignMessage(databaseId, sender));
    }
    return false;
  };
  return {
    client: connection.client,
    databaseId,
    get isConnected() {
      return connection.isConnected;
    },
    get maxPayload() {
      return connection.maxPayload;
    },
    subscribe: (subject, onMessage, queue) =>
      connection.subscribe(
        subject,
        message => {
          if (isOwn(message)) onMessage(message);
        },
        queue,
      ),
    publish: (subject, data, options) =>
      connection.publish(subject, data, { ...options, headers: marked(databaseId, options?.headers) }),
    request: (subject, data, options) =>
      connection.request(subject, data, { ...options, headers: marked(databaseId, options.headers) }),
    onConnectionChange: listener => connection.onConnectionChange(listener),
    close: () => connection.close(),
  };
}

/** Returns the database of the sender of a message; null for a node of an earlier version. */
export const databaseOf = (headers: MsgHdrs | undefined): string | null =>
  headers?.get(DATABASE_HEADER) || null;

function marked(databaseId: string, headers = createHeaders()): MsgHdrs {
  headers.set(DATABASE_HEADER, databaseId);
  return headers;
}

const foreignMessage = (own: string, other: string): string =>
  `Nodes with another database use this NATS server too: ${JSON.stringify(other.slice(0, 100))}, and this node has ${own} ` +
  '(system identifier of PostgreSQL, number of the database). The clusters ignore each other. If they should be one, give ' +
  'all nodes the same DATABASE_URL; if not, give each cluster a NATS account of its own.';
