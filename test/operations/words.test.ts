import { isInputObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { schema } from '../../src/api/graphql/schema.ts';
import { openapi } from '../../src/api/rest/openapi.ts';
import { restRoutes } from '../../src/api/rest/restRouteTable.ts';
import { restFields, restObject } from '../../src/api/rest/route.ts';
import { close } from '../../src/operations/close.ts';
import {
  FLAT,
  firstSentence,
  fullWords,
  type Group,
  type RequestFields,
  restName,
  restWords,
  toCamelCase,
  toSnakeCase,
} from '../../src/operations/field.ts';
import { observe } from '../../src/operations/observe.ts';
import { observationShape } from '../../src/operations/results/observation.ts';
import type { Shape } from '../../src/operations/results/shape.ts';
import { scrape } from '../../src/operations/scrape.ts';
import { start } from '../../src/operations/start.ts';
import { step } from '../../src/operations/step.ts';

interface Described {
  readonly description?: string;
}
interface Schema extends Described {
  readonly properties?: Readonly<Record<string, Described>>;
}

const { components } = openapi(restRoutes, {
  version: '1',
  origin: 'http://localhost',
  exampleUrl: 'https://example.com/',
}) as {
  components: { schemas: Readonly<Record<string, Schema>> };
};

/** A node of Relay has the words of every node; the session of an observation is a reference to a component of its own. */
const OWN_WORDS = new Set(['Session.id', 'Observation.session', 'SessionOptions.geolocation']);

const REQUESTS: readonly [
  string,
  { readonly fields: RequestFields; readonly request: { readonly name: string } },
][] = [
  ['StartRequest', start],
  ['ObserveRequest', observe],
  ['StepRequest', step],
  ['ScrapeRequest', scrape],
  ['CloseRequest', close],
];

/** The fields that REST has among the others, by their names there. */
const flat = (fields: RequestFields): [string, string][] =>
  Object.entries(fields).flatMap(([name, field]): [string, string][] =>
    field.rest === null
      ? []
      : field.rest === FLAT
        ? flat((field.type as Group).fields)
        : [[restName(name, field), restWords(field.description)]],
  );

describe('The words of an operation', () => {
  test.each(REQUESTS)('stand in %s of OpenAPI for each of its fields', (component, { fields }) => {
    const properties = components.schemas[component]?.properties ?? {};
    const own = flat(fields);
    expect(own.length).toBeGreaterThan(1);
    expect(own.map(([name]) => [name, properties[name]?.description])).toEqual(own);
  });

  test.each(REQUESTS)(
    'stand in the GraphQL input of %s for each of its fields',
    (_name, { fields, request }) => {
      const type = schema.getType(request.name);
      if (!isInputObjectType(type)) throw new Error(`${request.name} is no input.`);
      const described = Object.values(type.getFields()).map(({ name, description }) => [name, description]);
      expect(Object.fromEntries(described)).toEqual(
        Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fullWords(field)])),
      );
    },
  );

  test('are those of the result too, in GraphQL and in OpenAPI', () => {
    const visit = (shape: Shape<never>, seen: Set<Shape<never>>): void => {
      if (seen.has(shape)) return;
      seen.add(shape);
      const type = schema.getType(shape.name) as unknown as { getFields(): Record<string, Described> };
      for (const [name, field] of Object.entries(shape.fields)) {
        const inner = Array.isArray(field.type) ? field.type[0] : field.type;
        if (typeof inner === 'object' && inner.kind === 'shape') visit(inner, seen);
        if (OWN_WORDS.has(`${shape.name}.${name}`)) continue;
        expect(type.getFields()[name]?.description, `${shape.name}.${name}`).toBe(field.description);
        const names = field.rest === null ? [] : [field.rest ?? toSnakeCase(name)].flat();
        for (const rest of names)
          expect(
            components.schemas[shape.restName ?? shape.name]?.properties?.[rest]?.description,
            rest,
          ).toBe(restWords(field.description));
      }
    };
    const seen = new Set<Shape<never>>();
    visit(observationShape, seen);
    expect(seen.size).toBeGreaterThan(12);
  });
});

test('A new field of step is valid in REST and reaches the operation without further code', () => {
  const fields: RequestFields = {
    ...step.fields,
    delayMs: { type: 'Int', description: 'Wait before the action.', check: z.int().max(5_000) },
  };
  expect(
    z.strictObject(restFields(fields)).safeParse({ session_id: 'x', action_id: 'B1', delay_ms: 6_000 })
      .success,
  ).toBe(false);
  const body = {
    session_id: 'x',
    action_id: 'B1',
    delay_ms: 5,
    max_nb_actions: 3,
    screenshot_options: { full_page: true },
  };
  expect(z.strictObject(restFields(fields)).safeParse(body).success).toBe(true);
  expect(restObject(fields).toRequest(body)).toEqual({
    sessionId: 'x',
    actionId: 'B1',
    delayMs: 5,
    actions: { max: 3 },
    screenshot: { fullPage: true },
  });
});

describe('The names of REST', () => {
  test.each([
    ['diffSince', 'diff_since'],
    ['url', 'url'],
    ['maxNbActions', 'max_nb_actions'],
  ])('%s is %s', (camel, snake) => {
    expect(toSnakeCase(camel)).toBe(snake);
    expect(toCamelCase(snake)).toBe(camel);
  });

  test.each([
    ['See `data.extractErrors`.', 'See `data.extract_errors`.'],
    ['waitMs without quotes stays', 'waitMs without quotes stays'],
    ['`WAIT_TIMEOUT` and `B1` stay', '`WAIT_TIMEOUT` and `B1` stay'],
  ])('%s is written in REST as %s', (words, expected) => {
    expect(restWords(words)).toBe(expected);
  });

  test.each([
    ['Press Enter. Default: false.', 'Press Enter'],
    ['One of them: a, b.', 'One of them'],
    ['No full stop', 'No full stop'],
  ])('the first sentence of %j is %j', (words, expected) => {
    expect(firstSentence(words)).toBe(expected);
  });
});
