/** The schema. Each imported file adds its types and fields to the builder. */
import './definitions/scalars.ts';
import './definitions/session.ts';
import './definitions/sessionEvent.ts';
import './definitions/recordedObservation.ts';
import './definitions/pageLog.ts';
import './definitions/account.ts';
import './definitions/apiKey.ts';
import './definitions/profile.ts';
import './definitions/vault.ts';
import './definitions/operator.ts';
import './definitions/ledger.ts';
import './definitions/shareLink.ts';
import './definitions/operations.ts';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';

/** The GraphQL schema of the service. */
export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });

/** Returns the schema as the text of schema.graphql, sorted by name. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;
