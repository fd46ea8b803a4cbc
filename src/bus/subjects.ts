/** The NATS subjects of the cluster. All begin with `pagespace.`, so that an operator can allow exactly them. */
import type { NodeEpoch } from '../domain/ports/nodeRegistry.ts';

/** Encodes a text as one token of a subject: dots, wildcards and spaces are percent-encoded. */
const subjectToken = (text: string): string =>
  encodeURIComponent(text).replace(/[.*]/g, character => `%${character.charCodeAt(0).toString(16)}`);

/** Prefix of the inboxes of the NATS client. */
export const INBOX_PREFIX = 'pagespace.inbox';

/** Requests to a node and what follows them: `<this>.<kind>.<number>`. */
export const nodeSubject = ({ nodeId, epoch }: NodeEpoch): string =>
  `pagespace.node.${subjectToken(nodeId)}.${epoch}`;

/** Responses to a messenger: `<this>.<request>.<kind>.<number>`. */
export const replySubject = (messengerId: string): string => `pagespace.reply.${messengerId}`;

/** Questions of nodes of earlier versions for a node with a free place. Nodes with one listen in the queue group of the same name. */
export const PLACE_SUBJECT = 'pagespace.place';

/** The same among the nodes of one database: the one member that gets a question must not be of another cluster. */
export const placeSubject = (databaseId: string | null): string =>
  databaseId === null ? PLACE_SUBJECT : `${PLACE_SUBJECT}.${subjectToken(databaseId)}`;

/** Reports of the nodes' loads. */
export const LOAD_SUBJECT = 'pagespace.load';

/** Announcements of a topic to all nodes. */
export const announcementSubject = (topic: string): string => `pagespace.all.${subjectToken(topic)}`;

/** Session updates of an account: `<this>.<origin>`, with the id of the bus that published them. */
export const eventSubject = (accountId: string): string => `pagespace.events.${subjectToken(accountId)}`;

/** Ledger updates of an account: `<this>.<origin>`. */
export const ledgerSubject = (accountId: string): string => `pagespace.ledger.${subjectToken(accountId)}`;
