/** The log: colored text on a terminal, JSON lines elsewhere. API keys, cookies and passwords are removed from every line. */
import { createRequire } from 'node:module';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import type { Config } from './config/config.ts';
import { wellFormedJson } from './domain/space/pageText.ts';
import { escapeUnits, OBEYED_IN_JSON } from './domain/terminalText.ts';

/** The log of the service (a pino logger). @example log.info({ sessionId }, 'session closed'); log.error({ err: error }, 'session lost') */
export type Log = Logger;

/** Names of log fields whose values are replaced by `[redacted]`, at the first three levels of nesting. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'proxy-authorization',
  'apiKey',
  'key',
  'token',
];
const REDACTED_PATHS = SECRET_FIELDS.flatMap(name =>
  ['', '*.', '*.*.'].map(before =>
    /-/.test(name) ? `${before.replace(/\.$/, '')}["${name}"]` : `${before}${name}`,
  ),
);
/** Matches an API key in a log line. The log keeps its first characters (group 1), to identify it. */
const KEY_IN_TEXT = /(psk_[0-9A-Za-z]{6})[0-9A-Za-z]{4,}/g;
/** Matches user name and password in a URL in a log line: the URL of a page, proxy or database. */
const CREDENTIALS_IN_URL = /:\/\/[^\s/?#"'<>\\]*@/g;

/**
 * Creates the log. It removes API keys, cookies and passwords from every line.
 * @param level the lowest level that is logged, by pino's name
 * @param stream default: standard error, because standard output is for the results of commands
 * @param forTerminal true for colored text, false for JSON lines
 */
export function createLog(
  level: Config['logLevel'],
  stream: DestinationStream = destination(2),
  forTerminal: boolean = process.stderr.isTTY === true,
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { err: errorFields },
      hooks: {
        streamWrite: line =>
          wellFormedJson(line)
            .replace(KEY_IN_TEXT, '$1…')
            .replace(CREDENTIALS_IN_URL, '://…@')
            .replace(OBEYED_IN_JSON, escapeUnits),
      },
    },
    forTerminal ? prettyStream(stream) : stream,
  );
}

function prettyStream(stream: DestinationStream): DestinationStream {
  // A service writes JSON lines, and does not load this library.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  const prettify = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss', singleLine: true });
  // pino-pretty unescapes what the hook has escaped; it removes the control characters below U+0020 itself.
  return { write: line => stream.write(prettify(line)?.replace(OBEYED_IN_JSON, '') ?? '') };
}

/** Returns the fields of an error and its causes for a log line, without the context of a Failure, which may contain page content. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: errorFields(error.cause) }),
  };
}
