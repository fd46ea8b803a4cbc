/** The console and the requests of a session, as Relay connections; and the addresses of its exports. */
import type { PageLogEntries, PageLogKind } from '../../../domain/session/pageLog.ts';
import {
  consoleMessageShape,
  exportFormat,
  networkRequestShape,
} from '../../../operations/results/pageLog.ts';
import { DEFAULT_PAGE_SIZE } from '../../../operations/sessions.ts';
import { builder } from '../builder.ts';
import { enumType } from '../inputType.ts';
import { type parsePageArguments, toConnection } from '../pageArguments.ts';
import { ROW_COST } from '../readCosts.ts';
import type { RequestContext } from '../requestContext.ts';
import { resultType } from '../resultType.ts';
import { SessionType } from './session.ts';
import { toSeqWindow } from './sessionEventLog.ts';

/** The GraphQL types of the entries. */
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
  return toConnection(
    entries.map(node => ({ node, cursor: String(node.number) })),
    window,
    turns,
  );
}

const complexity = ({
  first,
  last,
}: {
  first?: number | null | undefined;
  last?: number | null | undefined;
}) => ({
  field: ROW_COST,
  multiplier: first ?? last ?? DEFAULT_PAGE_SIZE,
});

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
