import type { AuditEntry } from '../../../domain/ports/auditLog.ts';
import type { FailureReading, OperationReading, SandboxReading } from '../../../domain/ports/nodes.ts';
import { field, nullable } from '../../../operations/field.ts';
import { shape } from '../../../operations/results/shape.ts';
import type { OperatedAccount, OperatedNode, ServiceState } from '../../../service/pagespace.ts';
import { builder, ROW_COST } from '../builder.ts';
import { resultType } from '../operationTypes.ts';
import {
  costOfPage,
  encodeGlobalId,
  pageSizeField,
  parsePageArguments,
  parseSeqCursor,
  toConnection,
} from '../pageArguments.ts';
import { tier } from './account.ts';

const DEFAULT_ROWS = 20;

const AuditEntryType = resultType(
  shape<AuditEntry>()({
    name: 'AuditEntry',
    description:
      'A row of the audit log: a change of keys, policies, profiles or the vault, a use of the vault, a take-over, an approval.',
    fields: {
      seq: field('Int', '1, 2, 3, … within the account.'),
      at: field('DateTime', 'When it happened.'),
      actor: field(
        'String',
        'The id of the key of the caller; `wallet:…`, `oauth:…`; `operator` for the command line.',
      ),
      action: field('String', 'The kind of the row, such as `vault.fill`.'),
      subject: field('String', 'The id or the name of what it is about.'),
      details: field('JSON', 'More of it, without secrets.'),
      hash: field('String', 'SHA-256 of the row and of the hash of the row before, hex.'),
    },
  }),
);

builder.queryField('auditLog', t =>
  t.field({
    type: [AuditEntryType],
    authScopes: { admin: true },
    complexity: ({ first }) => ({ field: 10, multiplier: (first ?? DEFAULT_ROWS) * ROW_COST }),
    description: 'Rows of the audit log of the account, the newest first. Requires the scope ADMIN.',
    args: {
      first: t.arg.int({
        description: `The number of rows: 1 to 100. Default ${DEFAULT_ROWS}.`,
        validate: { type: 'number', schema: pageSizeField },
      }),
      before: t.arg.int({ description: 'Only rows with a lower `seq`. Default: the newest.' }),
    },
    resolve: async (_root, { first, before }, { service, viewer }) => [
      ...(await service.auditEntries(viewer, before ?? null, first ?? DEFAULT_ROWS)),
    ],
  }),
);

const ONLY_OPERATOR = 'Requires a key of the operator (the local account) with the scope ADMIN.';
const READINGS_COST = 200;

const operationLatency = shape<OperationReading>()({
  name: 'OperationLatency',
  description: 'The time that an operation took for its callers at this node, since the start of the node.',
  fields: {
    operation: field('String', 'The operation: start, observe, step, scrape, close or uploadFile.'),
    count: field('SafeInt', 'How often it ended.'),
    p50Ms: field('SafeInt', 'The median in milliseconds, estimated from the buckets of a histogram.'),
    p95Ms: field('SafeInt', 'The 95th percentile in milliseconds, estimated likewise.'),
  },
});

const failureCount = shape<FailureReading>()({
  name: 'FailureCount',
  description: 'How often an operation has failed with one code at this node, since the start of the node.',
  fields: {
    operation: field('String', 'The operation.'),
    code: field('String', 'The code of the failure.'),
    count: field('SafeInt', 'How often.'),
  },
});

const sandboxShape = shape<SandboxReading>()({
  name: 'Sandbox',
  description: 'The walls around the browsers of this node.',
  fields: {
    layers: field(
      ['String'],
      'Those that stand: `chromium`, and of the outer sandbox `filesystem`, `network`, `seccomp`, `user`, `cgroup`.',
    ),
    summary: field('String', 'Which layers of the outer sandbox stand, and why the others do not.'),
    warning: nullable('String', 'What the log warned of at the start; null for nothing.'),
  },
});

const ServiceType = resultType(
  shape<ServiceState>()({
    name: 'Service',
    description: 'The state of the node that answers.',
    fields: {
      version: field('String', 'The version of the service.'),
      startedAt: field('DateTime', 'When the process started.'),
      places: field('Int', 'How many sessions the node can run at once.'),
      sessions: field('Int', 'Sessions that have a place, also while they start.'),
      waitingStarts: field('Int', 'Starts that wait for a place.'),
      browsers: field('Int', 'Running Chromium processes.'),
      processBytes: field('SafeInt', 'Resident memory of the process of the service, in bytes.'),
      browserBytes: nullable(
        'SafeInt',
        'Memory that the end of the browsers would free, in bytes; null where the system does not tell.',
      ),
      operations: field([operationLatency], 'The latency of each operation that has ended at this node.'),
      failures: field([failureCount], 'The failures of operations by code, the most frequent first.'),
      sandbox: field(sandboxShape, 'The walls around the browsers.'),
      refusedAddresses: field(
        'SafeInt',
        'Addresses and downloads refused to pages since the start; each counts once per session.',
      ),
    },
  }),
);

builder.queryField('service', t =>
  t.field({
    type: ServiceType,
    authScopes: { admin: true },
    complexity: READINGS_COST,
    description: `The state of the node that answers. ${ONLY_OPERATOR}`,
    resolve: (_root, _args, { service, viewer }) => service.serviceState(viewer),
  }),
);

const ServiceNode = resultType(
  shape<OperatedNode>()({
    name: 'ServiceNode',
    description: 'A node that lives: a process of the service with its browsers.',
    fields: {
      nodeId: field('ID', 'The name of the node; `local` on one machine.'),
      sessions: field('Int', 'Sessions that have a place on it.'),
      capacity: field('Int', 'How many sessions it can run at once.'),
      draining: field('Boolean', 'True while it takes no new sessions because it is about to stop.'),
      version: field('String', 'The version that it runs.'),
    },
  }),
);

builder.queryField('nodes', t =>
  t.field({
    type: [ServiceNode],
    authScopes: { admin: true },
    complexity: { field: ROW_COST, multiplier: 10 },
    description: `The nodes that live, by name; on one machine the one node. ${ONLY_OPERATOR}`,
    resolve: async (_root, _args, { service, viewer }) => [...(await service.liveNodes(viewer))],
  }),
);

builder.mutationField('drainNode', t =>
  t.field({
    type: ServiceNode,
    authScopes: { admin: true },
    complexity: 20,
    description: `Asks a node to drain: it takes no new sessions, and its process stops when the running ones have ended or PAGESPACE_DRAIN_SECONDS have passed. Returns the node as it was. ${ONLY_OPERATOR} Error: NODE_NOT_FOUND.`,
    args: { nodeId: t.arg.id({ required: true, description: 'The name of the node.' }) },
    resolve: (_root, { nodeId }, { service, viewer }) => service.drainNode(viewer, nodeId),
  }),
);

const AccountSummary = resultType(
  shape<OperatedAccount>()({
    name: 'AccountSummary',
    description: 'An account of the service, as its operator sees it.',
    fields: {
      name: field('String', 'The name of the account.'),
      tier: field(tier, 'The pricing tier.'),
      createdAt: field('DateTime', 'When the account was created.'),
      balanceMicros: field('SafeInt', 'Its balance in micro-units.'),
      activeSessions: field('Int', 'Its sessions that are active now.'),
    },
  }),
  t => ({
    accountId: t.id({
      description: 'The id of the account, which `creditAccount` takes.',
      resolve: ({ id }) => encodeGlobalId('Account', id),
    }),
  }),
);

builder.queryField('accounts', t =>
  t.connection(
    {
      type: AccountSummary,
      authScopes: { admin: true },
      description: `All accounts of the service, oldest first. ${ONLY_OPERATOR}`,
      complexity: costOfPage(READINGS_COST),
      resolve: async (_root, args, { service, viewer, turns }) => {
        const { after, before, limit, fromEnd } = parsePageArguments(args);
        // The cursor of an account is its position: accounts are never deleted, and new ones are the last.
        const start = after === null ? 0 : parseSeqCursor('after', after, 1);
        const end = before === null ? Number.MAX_SAFE_INTEGER : parseSeqCursor('before', before, 1) - 1;
        const total = fromEnd ? (await service.accountPage(viewer, 0, 0)).total : end;
        const last = Math.min(end, total);
        const from = fromEnd ? Math.max(start, last - limit) : start;
        const page = await service.accountPage(viewer, from, Math.max(0, Math.min(limit, last - from)));
        const edges = page.rows.map((node, index) => ({ node, cursor: String(from + index + 1) }));
        return toConnection(
          edges,
          { hasNext: from + edges.length < page.total, hasPrevious: from > 0 },
          turns,
        );
      },
    },
    { name: 'AccountConnection', description: 'A page of the accounts.' },
    { name: 'AccountEdge', description: 'An account with its cursor.' },
  ),
);
