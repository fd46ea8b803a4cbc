/** The query `sessions`: a Relay connection. */
import type { SessionOrder as Order } from '../../../domain/ports/sessionStore.ts';
import { builder } from '../builder.ts';
import { DEFAULT_PAGE_SIZE, parsePageArguments, toConnection } from '../pageArguments.ts';
import { COUNT_SESSIONS_COST, ROW_COST, SEARCH_SESSIONS_COST } from '../readCosts.ts';
import { domainEnum } from './domainEnum.ts';
import { SessionType } from './session.ts';
import { SessionStatus } from './sessionStatus.ts';

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
      complexity: ({ first, last, search }) => ({
        field: search ? SEARCH_SESSIONS_COST : ROW_COST,
        multiplier: first ?? last ?? DEFAULT_PAGE_SIZE,
      }),
      args: {
        status: t.arg({
          type: [SessionStatus],
          description: 'Only sessions with one of these statuses. Default: all.',
        }),
        search: t.arg.string({
          description:
            'Only sessions whose id, URL or page title contains this text, ignoring case. Up to 500 characters.',
          validate: { type: 'string', maxLength: [500, { message: 'must be at most 500 characters' }] },
        }),
        orderBy: t.arg({
          type: SessionOrder,
          defaultValue: 'created_at_desc',
          description: 'The order of the list.',
        }),
      },
      resolve: async (_root, args, { service, viewer, turns }) => {
        const page = await service.listSessions(viewer, {
          ...parsePageArguments(args),
          statuses: args.status ?? null,
          search: args.search ?? null,
          order: args.orderBy ?? 'created_at_desc',
        });
        const edges = page.rows.map(({ session, cursor }) => ({ node: session, cursor }));
        return {
          ...toConnection(edges, page, turns),
          statuses: args.status ?? null,
          search: args.search ?? null,
        };
      },
    },
    {
      name: 'SessionConnection',
      description: 'A page of the list of sessions.',
      fields: connection => ({
        totalCount: connection.int({
          complexity: COUNT_SESSIONS_COST,
          description: 'Number of sessions that match `status` and `search`, on all pages.',
          resolve: ({ statuses, search }, _args, { sessionCounts }) =>
            sessionCounts.load({ statuses, search }),
        }),
      }),
    },
    { name: 'SessionEdge', description: 'A session with its cursor.' },
  ),
);
