/** The schema. Each imported file adds its types and fields to the builder. */
import './definitions/scalars.ts';
import './definitions/session.ts';
import './definitions/sessions.ts';
import './definitions/sessionEventLog.ts';
import './definitions/recordedObservation.ts';
import './definitions/pageLog.ts';
import './definitions/account.ts';
import './definitions/apiKey.ts';
import './definitions/profile.ts';
import './definitions/vault.ts';
import './definitions/auditLog.ts';
import './definitions/tierLimits.ts';
import './definitions/usage.ts';
import './definitions/ledger.ts';
import './definitions/operator.ts';
import './definitions/shareLink.ts';
import './definitions/operations.ts';
import './definitions/failureCode.ts';
import './subscriptions/accountUsageChanged.ts';
import './subscriptions/sessionStatusChanged.ts';
import './subscriptions/accountEvents.ts';
import './subscriptions/holdSession.ts';
import './subscriptions/sessionChanged.ts';
import './subscriptions/sessionEvents.ts';
import './subscriptions/sessionFrames.ts';
import './subscriptions/pageLog.ts';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';

/** The GraphQL schema of the service. */
export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });

/** Returns the schema as the text of schema.graphql, sorted by name. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;
