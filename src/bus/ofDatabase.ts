/** Keeps clusters with different databases apart that use one NATS server. */
import { headers as createHeaders, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { NatsConnection } from './natsConnection.ts';

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
