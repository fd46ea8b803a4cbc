import type { PageLogEntries, PageLogKind } from '../../../domain/session/pageLog.ts';
import { parseSessionId, sessionNotFound } from '../../../operations/operation.ts';
import {
  consoleMessageShape,
  exportFormat,
  networkRequestShape,
} from '../../../operations/results/pageLog.ts';
import { builder, ROW_COST } from '../builder.ts';
import { enumType, resultType } from '../operationTypes.ts';
import {
  costOfPage,
  type parsePageArguments,
  parseSeqCursor,
  toNumberedConnection,
} from '../pageArguments.ts';
import type { RequestContext } from '../requestContext.ts';
import { cancellable, type SubscriptionContext } from '../watchSession.ts';
import { SessionType } from './session.ts';
import { toSeqWindow } from './sessionEvent.ts';

export const ConsoleMessageType = resultType(consoleMessageShape);
export const NetworkRequestType = resultType(networkRequestShape);

async function pageOf<Kind extends PageLogKind>(
  sessionId: string,
  kind: Kind,
  args: Parameters<typeof parsePageArguments>[0],
  { service, turns }: Pick<RequestContext, 'service' | 'turns'>,
) {
  const { last } = await service.readPageLog(sessionId, kind, { after: Number.MAX_SAFE_INTEGER, limit: 0 });
  const window = toSeqWindow(args, last);
  const { after, upTo } = window;
  const limit = upTo - after;
  const { entries } =
    limit === 0
      ? { entries: [] as readonly PageLogEntries[Kind][] }
      : await service.readPageLog(sessionId, kind, { after, upTo, limit });
  return toNumberedConnection(entries, ({ number }) => number, window, turns);
}

const complexity = costOfPage(ROW_COST);

builder.objectField(SessionType, 'console', t =>
  t.connection(
    {
      type: ConsoleMessageType,
      description:
        'The console messages of the pages, oldest first, also after the end of the session. Of more than 10,000, those and the newest 1,000. Errors: RECORD_EXPIRED.',
      complexity,
      resolve: ({ id }, args, context) => pageOf(id, 'console', args, context),
    },
    { name: 'ConsoleConnection', description: 'A page of the console.' },
    { name: 'ConsoleEdge', description: 'A message with its cursor.' },
  ),
);

builder.objectField(SessionType, 'network', t =>
  t.connection(
    {
      type: NetworkRequestType,
      description:
        'The requests of the pages in the order in which they ended, also after the end of the session. Of more than 10,000, those and the newest 1,000. Errors: RECORD_EXPIRED.',
      complexity,
      resolve: ({ id }, args, context) => pageOf(id, 'request', args, context),
    },
    { name: 'NetworkConnection', description: 'A page of the requests.' },
    { name: 'NetworkEdge', description: 'A request with its cursor.' },
  ),
);

builder.objectField(SessionType, 'exportUrl', t =>
  t.string({
    description:
      'Signed address of the export of the session, relative to the service: a browser loads it without an API key, for 15 minutes.',
    args: { format: t.arg({ type: enumType(exportFormat), required: true, description: 'The format.' }) },
    resolve: ({ id }, { format }, { service, viewer }) =>
      service.linkTo(viewer, { sessionId: id, kind: 'export', id: format }),
  }),
);

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
