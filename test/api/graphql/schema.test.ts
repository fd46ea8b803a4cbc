import { readFile } from 'node:fs/promises';
import {
  GraphQLError,
  type GraphQLNamedType,
  GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { persistedOperations } from '../../../src/api/graphql/plugins/persistedOperations.ts';
import { printedSchema, schema } from '../../../src/api/graphql/schema.ts';
import { graphqlYoga } from '../../../src/api/graphql/transport/yoga.ts';
import { FairTurns } from '../../../src/async/fairTurns.ts';
import { FAILURES } from '../../../src/domain/failure/failures.ts';
import { SESSION_EVENT_TYPES } from '../../../src/domain/session/sessionEvent.ts';
import type { Pagespace } from '../../../src/service/pagespace.ts';

const own = Object.values(schema.getTypeMap()).filter(
  type => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

/** The schema coordinates in a type that have no description. */
function undescribed(type: GraphQLNamedType): string[] {
  const bare: string[] = [];
  const check = (coordinate: string, description: string | null | undefined) => {
    if (!description?.trim()) bare.push(coordinate);
  };
  check(type.name, type.description);
  if (isEnumType(type))
    for (const value of type.getValues()) check(`${type.name}.${value.name}`, value.description);
  if (isInputObjectType(type))
    for (const field of Object.values(type.getFields()))
      check(`${type.name}.${field.name}`, field.description);
  if (isObjectType(type) || isInterfaceType(type))
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field.description);
      for (const arg of field.args) check(`${type.name}.${field.name}(${arg.name}:)`, arg.description);
    }
  return bare;
}

test('every type, field, argument, input field and enum value has a description', () => {
  expect(own.flatMap(undescribed)).toEqual([]);
});

test('schema.graphql is the printed schema', async () => {
  const stored = await readFile(new URL('../../../schema.graphql', import.meta.url), 'utf8');
  expect(stored, 'run: npm run schema').toBe(printedSchema());
});

test('the schema, the server and the tests share one copy of graphql', () => {
  // With two copies every GraphQLError would be unknown, and masked.
  expect(schema).toBeInstanceOf(GraphQLSchema);
  const yoga = graphqlYoga({
    service: {} as Pagespace,
    log: pino({ level: 'silent' }),
    operations: persistedOperations({}),
    turns: new FairTurns(),
  });
  expect(() => yoga.getEnveloped({} as never).parse('{')).toThrow(GraphQLError);
});

test('the enum FailureCode has the codes of the table of failures', () => {
  const type = schema.getType('FailureCode');
  const names = isEnumType(type) ? type.getValues().map(value => value.name) : [];
  expect(names.sort()).toEqual(Object.keys(FAILURES).sort());
});

test('every event type has an object type that implements SessionEvent', () => {
  const interfaceType = schema.getType('SessionEvent');
  if (!isInterfaceType(interfaceType)) throw new Error('SessionEvent is not an interface.');
  const names = schema.getPossibleTypes(interfaceType).map(({ name }) => name.toLowerCase());
  expect(names.toSorted()).toEqual(
    SESSION_EVENT_TYPES.map(type => `session${type.replaceAll('_', '')}event`).toSorted(),
  );
});

describe('the fields that the contract promises', () => {
  const fields = (name: string): string[] => {
    const type = schema.getType(name);
    return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
  };

  test.each([
    ['Query', 'viewer session sessions node failureCodes'],
    ['Mutation', 'startSession observe step scrape closeSession'],
    ['Subscription', 'sessionStatusChanged'],
    [
      'Session',
      'id status createdAt lastAccessedAt expiresAt endedAt duration durationMs timeoutMinutes error url pageTitle tabs space events eventCounts account',
    ],
    ['Observation', 'session metadata space data screenshot'],
    [
      'Space',
      'description category markdown actions specialActions browserActions totalActions truncated dialog',
    ],
    [
      'Action',
      'id kind description category params role name value checked disabled inViewport bounds frame fingerprint',
    ],
  ])('%s has its fields', (type, names) => {
    expect(fields(type)).toEqual(expect.arrayContaining(names.split(' ')));
  });
});
