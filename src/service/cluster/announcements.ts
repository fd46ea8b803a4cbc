/** The announcements of a node to all nodes. An announcement can be lost: the stores have the state, and nodes read it later. */
import { z } from 'zod';
import type { NodeMessenger } from '../../domain/ports/nodeMessenger.ts';

const nodeEpoch = z.object({ nodeId: z.string(), epoch: z.number() });

/** The topics with the schemas of their messages. Unknown fields, which a later version may send, are ignored. */
const TOPICS = {
  keyRevoked: z.object({ keyId: z.string(), hash: z.string() }),
  /** An account has a credit or another tier. */
  accountChanged: z.object({ accountId: z.string() }),
  /** The epoch of a node has ended, and so have its sessions. */
  nodeEnded: nodeEpoch,
  /** A node should drain and stop. */
  drain: z.object({ nodeId: z.string() }),
  /** A request waits for the operation with this idempotency key, which runs on another node. */
  operationAwaited: z.object({ accountId: z.string(), key: z.string() }),
  /** An operation with an idempotency key has ended, for which a request waits. */
  operationEnded: z.object({ accountId: z.string(), key: z.string() }),
  /** Ended sessions were removed from the store: their files can go. */
  sessionsRemoved: z.object({ sessionIds: z.array(z.string()) }),
} as const;

type Topic = keyof typeof TOPICS;
export type Announcement<Name extends Topic> = z.output<(typeof TOPICS)[Name]>;

/** Announces a message to every node, also to this one. */
export function announce<Name extends Topic>(
  messenger: NodeMessenger,
  topic: Name,
  message: Announcement<Name>,
): void {
  messenger.announce(topic, JSON.stringify(message));
}

/** Calls `listener` for each valid announcement of a topic. @returns a function that removes it */
export function onAnnouncement<Name extends Topic>(
  messenger: NodeMessenger,
  topic: Name,
  listener: (message: Announcement<Name>) => void,
): () => void {
  const schema: z.ZodType = TOPICS[topic];
  return messenger.onAnnouncement(topic, text => {
    const message = parse(schema, text);
    if (message !== null) listener(message as Announcement<Name>);
  });
}

function parse(schema: z.ZodType, text: string): unknown {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // A later version may announce something else under this topic.
    return null;
  }
}
