import './definitions/scalars.ts';
import './definitions/session.ts';
import './definitions/sessionEvent.ts';
import './definitions/recordedObservation.ts';
import './definitions/pageLog.ts';
import './definitions/account.ts';
import './definitions/apiKey.ts';
import './definitions/profile.ts';
import './definitions/operator.ts';
import './definitions/ledger.ts';
import './definitions/shareLink.ts';
import './definitions/operations.ts';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';

export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });

export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;
