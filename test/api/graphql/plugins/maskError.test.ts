import { pino } from 'pino';
import { expect, test } from 'vitest';
import { maskError } from '../../../../src/api/graphql/plugins/maskError.ts';
import { RequestRecord } from '../../../../src/api/http/requestRecord.ts';

/** Masks an error; returns the message and the levels of the log lines. */
function logged(error: unknown): { readonly levels: readonly string[]; readonly message: string } {
  const lines: string[] = [];
  const log = pino(
    { level: 'debug', formatters: { level: label => ({ level: label }) } },
    { write: line => void lines.push(line) },
  );
  const message = maskError(error, { record: new RequestRecord('r1'), log, now: () => 0 }).message;
  return { levels: lines.map(line => JSON.parse(line).level), message };
}

test('maskError logs an unexpected error once and hides its text', () => {
  const { levels, message } = logged(new Error('table sessions is locked'));
  expect(levels).toEqual(['error']);
  expect(message).toContain('r1');
  expect(message).not.toContain('locked');
});

test('maskError logs the abort of a disconnected caller at debug level', () => {
  expect(logged(new DOMException('This operation was aborted', 'AbortError')).levels).toEqual(['debug']);
});
