/** The methods that a node answers to other nodes: the same code as for its own callers; and announcements to all nodes. */

import { z } from 'zod';
import type { Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { IncomingRequest, NodeMessenger, RequestHandler } from '../../domain/ports/nodes.ts';
import type { PageLogKind } from '../../domain/session/pageLog.ts';
import type { Session } from '../../domain/session/session.ts';
import type { ScreencastOptions } from '../../domain/session/takeOver.ts';
import type { NodePagespace } from '../pagespace.ts';
import type { UploadCommand } from '../sessions/fileOperations.ts';
import { eachOperation, type SessionOperations } from '../sessions/sessionOperations.ts';
import { RECORD_READS } from '../sessions/sessionRecords.ts';
import { decodeCall, encodeError, encodeValue, type NodeCall } from './nodeClient.ts';

export interface NodeService {
  /** All functions on the sessions of this node and on the store. Ignores idempotency keys. */
  readonly pagespace: NodePagespace;
  runs(sessionId: string): boolean;
  /** Returns the state of each session that runs on this node, or whose end is not written yet; null for every other one. */
  currentStates(sessionIds: readonly string[]): readonly (Session | null)[];
  readonly sessionCount: number;
  readonly canStart: boolean;
  readonly isIdle: boolean;
  beginDrain(): void;
  closeSessions(reason: string): Promise<void>;
  /** Ends every running session in this process only, and writes nothing: this node has lost its authority over them. */
  abandonSessions(reason: string): Promise<void>;
  /** Ends and charges sessions that no node runs any more. @throws the first error of the store, after it has tried all of them */
  failSessions(sessions: readonly Session[], reason: string): Promise<number>;
  refreshTier(accountId: string): Promise<void>;
  refreshKey(keyId: string, hash: string): Promise<void>;
  /** Removes the files of these sessions from the disk of this node. Never throws. */
  removeFiles(sessionIds: readonly string[]): Promise<void>;
  /** Stops the service: refuses new operations, closes every session, then closes the browsers. Idempotent. */
  shutDown(): Promise<void>;
}

export interface NodeMethodsDeps {
  readonly node: NodeService;
  readonly version: string;
  readonly nodeId: string;
}

type Method = (args: readonly unknown[], request: IncomingRequest) => Promise<unknown>;
type StreamMethod = (args: readonly unknown[], request: IncomingRequest) => AsyncGenerator<Uint8Array>;

/** Maximum wait for a change that waits for the operation of the session, in milliseconds. */
const AFTER_OPERATION_MS = 130_000;
const AT_ONCE_MS = 5_000;

/** The changes that a session's node performs for other nodes, and how long these wait. The arguments are the viewer and a command. */
export const CHANGES = {
  updateSession: AT_ONCE_MS,
  extendSession: AT_ONCE_MS,
  requestTakeOver: AT_ONCE_MS,
  takeOver: AT_ONCE_MS,
  sendInput: AFTER_OPERATION_MS,
  renewTakeOver: AFTER_OPERATION_MS,
  handBack: AFTER_OPERATION_MS,
  createShareLink: AT_ONCE_MS,
  revokeShareLink: AFTER_OPERATION_MS,
  approveStep: AT_ONCE_MS,
  denyStep: AT_ONCE_MS,
} as const satisfies Partial<Record<keyof NodePagespace, number>>;
export type Change = keyof typeof CHANGES;
export const CHANGE_NAMES = Object.keys(CHANGES) as readonly Change[];

/** The reads and the changes that a session's node performs for other nodes, with the arguments that they have there. */
const METHODS = [
  'listFiles',
  'tabs',
  'observationDiff',
  'removeRecord',
  ...CHANGE_NAMES,
  ...RECORD_READS,
] as const;

/** Creates the handler of requests from other nodes. It never throws: errors are in the response. */
export function createNodeMethods({ node, version, nodeId }: NodeMethodsDeps): RequestHandler {
  const { pagespace } = node;

  const operation =
    (name: keyof SessionOperations): Method =>
    async ([viewer, input], { signal }) => {
      const command = { ...(input as { readonly sessionId?: string | null }), signal };
      if (command.sessionId == null && !node.canStart) throw fullFailure(nodeId);
      // The calling node sends what its own caller sent, which is valid for this operation.
      return (pagespace[name] as (viewer: Viewer, command: unknown) => Promise<unknown>)(
        viewer as Viewer,
        command,
      );
    };

  const methods: Readonly<Record<string, Method>> = {
    ...eachOperation(operation),
    uploadFile: ([viewer, input], { signal, body }) => {
      const sent = input as Omit<UploadCommand, 'chunks' | 'signal'>;
      return pagespace.uploadFile(viewer as Viewer, { ...sent, chunks: body, signal });
    },
    ...Object.fromEntries(
      METHODS.map((name): [string, Method] => [
        name,
        // The calling node sends what its own caller sent, which is valid for these methods.
        args => (pagespace[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
      ]),
    ),
    currentStates: async ([ids]) => node.currentStates(ids as readonly string[]),
  };

  const streams: Readonly<Record<string, StreamMethod>> = {
    async *openDownload([viewer, sessionId, fileId]) {
      const { file, bytes } = await pagespace.openDownload(
        viewer as Viewer,
        sessionId as string,
        fileId as string,
      );
      yield encodeValue(file);
      for await (const chunk of bytes) yield chunk;
    },
    async *followPageLog([sessionId, kind, after], { signal }) {
      yield encodeValue(null);
      const parts = pagespace.followPageLog(
        sessionId as string,
        kind as PageLogKind,
        after as number,
        signal,
      );
      for await (const part of parts) yield encodeValue(part);
    },
    async *frames([viewer, sessionId, options], { signal }) {
      const frames = await pagespace.frames(
        viewer as Viewer,
        sessionId as string,
        options as ScreencastOptions,
        signal,
      );
      yield encodeValue(null);
      for await (const frame of frames) yield encodeValue(frame);
    },
  };

  async function* stream(
    method: StreamMethod,
    call: NodeCall,
    request: IncomingRequest,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let isFirst = true;
    try {
      for await (const item of method(call.args, request)) {
        yield item;
        isFirst = false;
      }
    } catch (error) {
      // The bytes of a file have no place for an error: the reader sees that the stream broke.
      if (!isFirst && call.method === 'openDownload') throw error;
      yield encodeError(error);
    }
  }

  async function answer(method: Method, call: NodeCall, request: IncomingRequest): Promise<Uint8Array> {
    try {
      return encodeValue(await method(call.args, request));
    } catch (error) {
      return encodeError(error);
    }
  }

  return request => {
    let call: NodeCall;
    try {
      call = decodeCall(request.payload);
    } catch {
      return Promise.resolve(encodeError(new Failure('INTERNAL', `Node ${nodeId} cannot read the call.`)));
    }
    const streaming = lookUp(streams, call.method);
    const method = lookUp(methods, call.method);
    if (streaming !== null) return stream(streaming, call, request);
    if (method !== null) return answer(method, call, request);
    const text = `Node ${nodeId} has version ${version}, which does not know "${call.method}" of version ${call.version}.`;
    return Promise.resolve(encodeError(new Failure('INTERNAL', text, { retryable: false })));
  };
}

const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(table, name) ? (table[name] ?? null) : null;

const fullFailure = (nodeId: string): Failure =>
  new Failure('AT_CAPACITY', `Node ${nodeId} takes no new session now.`, { retryAfterSeconds: 5 });

const nodeEpoch = z.object({ nodeId: z.string(), epoch: z.number() });

/** The topics with the schemas of their messages. Unknown fields, which a later version may send, are ignored. */
const TOPICS = {
  keyRevoked: z.object({ keyId: z.string(), hash: z.string() }),
  accountChanged: z.object({ accountId: z.string() }),
  /** The epoch of a node has ended, and so have its sessions. */
  nodeEnded: nodeEpoch,
  drain: z.object({ nodeId: z.string() }),
  /** A request waits for the operation with this idempotency key, which runs on another node. */
  operationAwaited: z.object({ accountId: z.string(), key: z.string() }),
  /** An operation with an idempotency key has ended, for which a request waits. */
  operationEnded: z.object({ accountId: z.string(), key: z.string() }),
  /** Ended sessions were removed from the store: their files can go. */
  sessionsRemoved: z.object({ sessionIds: z.array(z.string()) }),
} as const;

type Topic = keyof typeof TOPICS;
type Announcement<Name extends Topic> = z.output<(typeof TOPICS)[Name]>;

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
