/** What the service tells its operator: pretty on a terminal, one JSON line each elsewhere. Never a key, a cookie, a password. */
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Config } from './config/config.ts';

/** The product's log: `log.info({ sessionId }, 'session closed')`. An error goes in `err`. */
export type Log = Logger;

/** Fields that are never written, wherever they stand up to three levels deep. */
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
/** A key in running text; its first characters stay, to tell which. */
const KEY_IN_TEXT = /(psk_[0-9A-Za-z]{6})[0-9A-Za-z]{4,}/g;
/** A user and password in an address: of pages, proxies, databases. */
const CREDENTIALS_IN_URL = /:\/\/[^\s/?#"'<>\\]*@/g;

/** Terminals take these for commands, as they do those below a space, which JSON writes in code. */
const TERMINAL_CONTROL = /[\u007f-\u009f]/g;
const escapeControl = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * @param level pino's names
 * @param stream where the lines go: standard error unless given, so that standard output holds only answers
 * @param forTerminal whether a person reads along
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
          line
            .replace(KEY_IN_TEXT, '$1…')
            .replace(CREDENTIALS_IN_URL, '://…@')
            .replace(TERMINAL_CONTROL, escapeControl),
      },
    },
    forTerminal ? prettyStream(stream) : stream,
  );
}

function prettyStream(stream: DestinationStream): DestinationStream {
  const inWords = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss', singleLine: true });
  // What was in code is plain again here; the rest of the control characters is taken out by the writer.
  return { write: line => stream.write(inWords(line)?.replace(TERMINAL_CONTROL, '') ?? '') };
}

/** What is told of an error and its causes: a Failure's facts stay out, for they hold what pages showed. */
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
