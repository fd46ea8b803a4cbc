import { describe, expect, test } from 'vitest';
import { jsonResponse } from '../../../src/api/http/httpResponse.ts';
import { allowedMethods, createPathMatcher, type HttpRoute } from '../../../src/api/http/httpRoute.ts';

const route = (method: HttpRoute['method'], path: string): HttpRoute => ({
  method,
  path,
  handle: () => jsonResponse(200, {}),
});
const match = createPathMatcher([
  route('POST', '/session/start'),
  route('GET', '/session/{session_id}'),
  route('POST', '/session/{session_id}/uploads'),
  route('GET', '/session/{session_id}/uploads'),
  route('GET', '/session/{session_id}/downloads/{download_id}'),
]);

describe('createPathMatcher', () => {
  test('prefers an exact path to a placeholder', () => {
    expect(match('/session/start')).toMatchObject({ path: '/session/start', params: {} });
  });

  test('returns the path of the table and the decoded values of its placeholders', () => {
    expect(match('/session/a%20b/downloads/D1')).toMatchObject({
      path: '/session/{session_id}/downloads/{download_id}',
      params: { session_id: 'a b', download_id: 'D1' },
    });
  });

  test('returns a value that is not valid percent-encoding as it is', () => {
    expect(match('/session/%ff')?.params).toEqual({ session_id: '%ff' });
  });

  test.each(['/session', '/session/', '/session/a/b', '/session/a/uploads/', '//session/start'])(
    'returns null for %s',
    path => {
      expect(match(path)).toBeNull();
    },
  );
});

test('allowedMethods lists the methods of a path, with HEAD for GET', () => {
  expect(allowedMethods(match('/session/a/uploads')?.routes ?? [])).toBe('GET, HEAD, POST');
});
