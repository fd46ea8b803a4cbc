import { validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../../src/api/graphql/schema.ts';
import { restRoutes } from '../../../src/api/rest/routes/restRoutes.ts';

test('the GraphQL documents of the REST routes are valid', () => {
  const checked = restRoutes.flatMap(({ path, document }) =>
    document === null ? [] : [{ path, errors: validate(schema, document).map(({ message }) => message) }],
  );
  expect(checked.length).toBeGreaterThan(5);
  expect(checked.filter(({ errors }) => errors.length > 0)).toEqual([]);
});
