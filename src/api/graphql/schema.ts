/** The schema: every type's file adds itself to the builder. */
import './scalars.ts';
import './session.ts';
import './sessions.ts';
import './sessionEvent.ts';
import './sessionFile.ts';
import './account.ts';
import './apiKey.ts';
import './tierLimits.ts';
import './usage.ts';
import './ledger.ts';
import './operations.ts';
import './failureCode.ts';
import './sessionStatusChanged.ts';
import './sessionEvents.ts';
import './sessionFrames.ts';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';

export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });

/** The schema as text, sorted, as schema.graphql keeps it. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;
