/** The subscriptions `consoleMessages` and `networkRequests`: the stored entries after a number, then new ones. */
import type { PageLogEntries, PageLogKind } from '../../../domain/session/pageLog.ts';
import { parseSessionId, sessionNotFound } from '../../../operations/operation.ts';
import { builder } from '../builder.ts';
import { ConsoleMessageType, NetworkRequestType } from '../definitions/pageLog.ts';
import { parseSeqCursor } from '../pageArguments.ts';

import { cancellable, type SubscriptionContext } from './watchSession.ts';

/** Yields the entries one by one. @throws Failure SESSION_NOT_FOUND, RECORD_EXPIRED */
async function watchPageLog<Kind extends PageLogKind>(
  { service, viewer, signal }: SubscriptionContext,
  kind: Kind,
  sessionId: string,
  after: number | null | undefined,
): Promise<AsyncIterableIterator<PageLogEntries[Kind]>> {
  const id = parseSessionId(sessionId).toLowerCase();
  const [session] = await service.sessions(viewer, [id]);
  if (session == null) throw sessionNotFound(sessionId);
  const from = after == null ? 0 : parseSeqCursor('after', String(after));
  const cancelled = new AbortController();
  const ends = AbortSignal.any([signal, cancelled.signal]);
  async function* entries(): AsyncGenerator<PageLogEntries[Kind], void, undefined> {
    for await (const part of service.followPageLog(id, kind, from, ends)) yield* part;
  }
  return cancellable(entries(), () => cancelled.abort());
}

const words = (what: string) =>
  `The ${what} of the session in the order of \`number\`, each once: first the stored ones, then new ones. Ends with the session. To resume after a disconnect, pass the last \`number\` you received as \`after\`.`;

builder.subscriptionField('consoleMessages', t =>
  t.field({
    type: ConsoleMessageType,
    authScopes: { read: true },
    description: words('console messages'),
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      after: t.arg.int({
        description: 'Return only messages after the one with this `number`. Default: all.',
      }),
    },
    subscribe: (_root, { sessionId, after }, context) => watchPageLog(context, 'console', sessionId, after),
    resolve: message => message,
  }),
);

builder.subscriptionField('networkRequests', t =>
  t.field({
    type: NetworkRequestType,
    authScopes: { read: true },
    description: words('requests'),
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      after: t.arg.int({
        description: 'Return only requests after the one with this `number`. Default: all.',
      }),
    },
    subscribe: (_root, { sessionId, after }, context) => watchPageLog(context, 'request', sessionId, after),
    resolve: request => request,
  }),
);
