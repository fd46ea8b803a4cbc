/** The schema. Each imported file adds its types and fields to the builder. */
import './types/scalars.ts';
import './types/session.ts';
import './types/sessions.ts';
import './types/sessionEventLog.ts';
import './types/sessionFile.ts';
import './types/account.ts';
import './types/apiKey.ts';
import './types/tierLimits.ts';
import './types/usage.ts';
import './types/ledger.ts';
import './types/operations.ts';
import './types/failureCode.ts';
import './subscriptions/accountUsageChanged.ts';
import './subscriptions/sessionStatusChanged.ts';
import './subscriptions/sessionEvents.ts';
import './subscriptions/sessionFrames.ts';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';

/** The GraphQL schema of the service, also used by the REST routes. */
export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });

/** Returns the schema as the text of schema.graphql, sorted by name. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;
