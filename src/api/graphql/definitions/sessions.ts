/** The query `sessions`: a Relay connection. */
import type { SessionOrder as Order } from '../../../domain/ports/sessionStore.ts';
import { DEFAULT_PAGE_SIZE, sessionFilters, toSessionSelection } from '../../../operations/sessions.ts';
import { builder } from '../builder.ts';
import { domainEnum, inputArguments } from '../inputType.ts';
import { parsePageArguments, toConnection } from '../pageArguments.ts';
import { COUNT_SESSIONS_COST, ROW_COST, SEARCH_SESSIONS_COST } from '../readCosts.ts';
import { SessionType } from './session.ts';

const SessionOrder = domainEnum<Order>('SessionOrder', 'The order of the list of sessions.', {
  created_at_desc: 'Newest first.',
  created_at_asc: 'Oldest first.',
  last_accessed_at_desc: 'Last used first.',
});

builder.queryField('sessions', t =>
  t.connection(
    {
      type: SessionType,
      authScopes: { read: true },
      description: 'The sessions of the account.',
      complexity: ({
        first,
        last,
        orderBy: _order,
        after: _after,
        before: _before,
        status: _status,
        ...filters
      }) => ({
        field: Object.values(filters).some(value => value != null) ? SEARCH_SESSIONS_COST : ROW_COST,
        multiplier: first ?? last ?? DEFAULT_PAGE_SIZE,
      }),
      args: {
        ...inputArguments(t.arg, sessionFilters),
        orderBy: t.arg({
          type: SessionOrder,
          defaultValue: 'created_at_desc',
          description: 'The order of the list.',
        }),
      },
      resolve: async (_root, args, { service, viewer, turns }) => {
        const page = await service.listSessions(viewer, {
          ...parsePageArguments(args),
          ...toSessionSelection(args),
          order: args.orderBy ?? 'created_at_desc',
        });
        const edges = page.rows.map(({ session, cursor }) => ({ node: session, cursor }));
        return {
          ...toConnection(edges, page, turns),
          ...toSessionSelection(args),
        };
      },
    },
    {
      name: 'SessionConnection',
      description: 'A page of the list of sessions.',
      fields: connection => ({
        totalCount: connection.int({
          complexity: COUNT_SESSIONS_COST,
          description: 'Number of sessions that meet the conditions, on all pages.',
          resolve: ({ statuses, search, filter }, _args, { sessionCounts }) =>
            sessionCounts.load({ statuses, search, filter }),
        }),
      }),
    },
    { name: 'SessionEdge', description: 'A session with its cursor.' },
  ),
);
