import { pino } from 'pino';
import { expect, test } from 'vitest';
import { maskError } from '../../../../src/api/graphql/plugins/maskError.ts';
import { RequestRecord } from '../../../../src/api/http/requestRecord.ts';

/** What is logged of an error that a resolver threw. */
function logged(error: unknown): { readonly levels: readonly string[]; readonly told: string } {
  const lines: string[] = [];
  const log = pino(
    { level: 'debug', formatters: { level: label => ({ level: label }) } },
    { write: line => void lines.push(line) },
  );
  const told = maskError(error, { record: new RequestRecord('r1'), log, now: () => 0 }).message;
  return { levels: lines.map(line => JSON.parse(line).level), told };
}

test('a fault of the service is logged once, and told without its words', () => {
  const { levels, told } = logged(new Error('table sessions is locked'));
  expect(levels).toEqual(['error']);
  expect(told).toContain('r1');
  expect(told).not.toContain('locked');
});

test('a caller that went away is no fault of the service', () => {
  expect(logged(new DOMException('This operation was aborted', 'AbortError')).levels).toEqual(['debug']);
});
