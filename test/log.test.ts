import { describe, expect, it } from 'vitest';
import { Failure } from '../src/domain/failure/failures.ts';
import { createLog, type Log } from '../src/log.ts';
import { generateApiKey } from '../src/service/accounts/apiKeys.ts';

function linesOf(write: (log: Log) => void, forTerminal = false): string[] {
  const lines: string[] = [];
  write(createLog('debug', { write: line => lines.push(line) }, forTerminal));
  return lines;
}

const fieldsOf = (write: (log: Log) => void): Record<string, unknown> =>
  JSON.parse(linesOf(write)[0] ?? '{}');

describe('The log', () => {
  it('writes one JSON line for each entry, with time and level', () => {
    const lines = linesOf(log => {
      log.info({ sessionId: 's' }, 'first\nentry');
      log.error('second');
    });
    expect(lines.map(line => line.split('\n').length)).toEqual([2, 2]);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      sessionId: 's',
      msg: 'first\nentry',
    });
  });

  it('leaves out entries below its level', () => {
    expect(linesOf(log => log.trace('too fine'))).toEqual([]);
  });

  it('is text on a terminal', () => {
    const text = linesOf(log => log.info({ sessionId: 's' }, 'session closed'), true).join('');
    expect(text).toContain('session closed');
    expect(() => JSON.parse(text)).toThrow();
  });

  it.each([
    { authorization: 'secret' },
    { cookie: 'secret' },
    { headers: { authorization: 'secret', cookie: 'secret', 'set-cookie': 'secret' } },
    { req: { headers: { authorization: 'secret', 'proxy-authorization': 'secret' } } },
    { variables: { apiKey: 'secret' } },
  ])('redacts the secret in %j', fields => {
    const [line] = linesOf(log => log.info(fields));
    expect(line).toContain('[redacted]');
    expect(line).not.toContain('secret');
  });

  it.each([false, true])('shortens API keys in messages, fields and errors (terminal: %s)', forTerminal => {
    const { text, prefix } = generateApiKey();
    const written = linesOf(log => {
      log.info(`signed in with ${text}`);
      log.info({ deep: { deeper: { deepest: { note: `Bearer ${text}` } } } });
      log.error({ err: new Error(`bad ${text}`) });
    }, forTerminal).join('');
    expect(written).toContain(prefix);
    expect(written).not.toContain(text);
  });

  it.each([false, true])('escapes control characters (terminal: %s)', forTerminal => {
    const nasty = '\u001b[2J\u009b2J\u0007\u0008\u007f\rwritten over';
    const written = linesOf(log => {
      log.warn({ path: nasty, deep: { title: nasty } }, `a page said ${nasty}`);
      log.error({ err: new Error(nasty, { cause: new Error(nasty) }) }, 'failed');
    }, forTerminal).join('');
    expect(written).toContain('written over');
    for (const sign of ['\u001b[2J', '\u009b', '\u0007', '\u0008', '\u007f', '\r'])
      expect(written).not.toContain(sign);
  });

  it('removes user name and password from URLs', () => {
    const [line] = linesOf(log =>
      log.error({ err: new Error('goto: net::ERR_FAILED at https://me:secret@site.example/a@b') }, 'failed'),
    );
    expect(line).toContain('https://…@site.example/a@b');
    expect(line).not.toContain('secret');
  });

  it('has the code, stack and causes of an error', () => {
    const cause = new Error('socket hang up');
    const { err } = fieldsOf(log =>
      log.error({ err: new Failure('NAVIGATION_FAILED', 'It broke off.', { cause }) }),
    );
    expect(err).toMatchObject({
      type: 'Failure',
      code: 'NAVIGATION_FAILED',
      message: 'It broke off.',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'Error', message: 'socket hang up' },
    });
  });

  it('leaves out the context of a failure, which may contain page content', () => {
    const failure = new Failure('VALIDATION_ERROR', 'No.', {
      errors: [{ path: 'value', message: 'my password' }],
    });
    expect(linesOf(log => log.error({ err: failure })).join('')).not.toContain('my password');
  });
});
