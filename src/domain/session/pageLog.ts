import { MASK } from '../space/pageText.ts';
import { redactUrl } from '../webAddress.ts';

/** The levels of a console message: `exception` for an error that no script caught. */
export const CONSOLE_LEVELS = ['debug', 'log', 'info', 'warning', 'error', 'exception'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

export interface ConsoleMessage {
  /** Number of the message in the session: 1, 2, 3, … */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tabId: string;
  readonly level: ConsoleLevel;
  /** The words, at most 2,000 characters. */
  readonly text: string;
  /** Address of the script or the resource; null for none. */
  readonly url: string | null;
  /** Line of the script, from 1; null for none. */
  readonly line: number | null;
}

export const RESPONSE_SOURCES = ['network', 'cache', 'service_worker'] as const;
export type ResponseSource = (typeof RESPONSE_SOURCES)[number];

/** The phases of a request, in milliseconds. The first four are null where they did not happen. */
export interface RequestTiming {
  readonly blocked: number | null;
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

export interface NetworkRequest {
  /** Number of the request in the session, in the order in which they ended: 1, 2, 3, … */
  readonly number: number;
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  readonly tabId: string;
  readonly method: string;
  /** The address without user name, password and the values of parameters that are credentials. */
  readonly url: string;
  /** The thing that the page wanted: `document`, `script`, `stylesheet`, `image`, `xhr`, `fetch`, `websocket`, … */
  readonly resourceType: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly statusText: string;
  /** Type of the content; null without a response. */
  readonly mimeType: string | null;
  /** `h2`, `http/1.1`, …; null without a response. */
  readonly protocol: string | null;
  /** The bytes that came over the network, the headers included; null for a request that has not ended. */
  readonly bytes: number | null;
  /** Duration up to the end of the body, in milliseconds; null for a request that has not ended. */
  readonly durationMs: number | null;
  readonly timing: RequestTiming | null;
  /** Null without a response. */
  readonly servedBy: ResponseSource | null;
  /** Address to which the response redirects; null for none. */
  readonly redirectUrl: string | null;
  /** The error as the browser names it; null for none. */
  readonly error: string | null;
  /** Why the request was blocked, as a sentence; null if it was not. */
  readonly blockedReason: string | null;
}

export const EXPORT_FORMATS = ['markdown', 'json', 'har'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface PageLogEntries {
  readonly console: ConsoleMessage;
  readonly request: NetworkRequest;
}
export type PageLogKind = keyof PageLogEntries;
export const PAGE_LOG_KINDS = ['console', 'request'] as const satisfies readonly PageLogKind[];

export type NewPageLogEntry<Kind extends PageLogKind> = Omit<PageLogEntries[Kind], 'number'>;

const MAX_URL_LENGTH = 2_000;

/** Matches the names of parameters whose values are credentials. */
const CREDENTIAL =
  /^(?:.*[-_.])?(?:(?:access|refresh|id|auth|session|csrf|xsrf)?[-_]?token|(?:api|access|private)?[-_]?key|pass(?:word|wd|code)?|pwd|(?:client[-_]?)?secret|auth(?:orization)?|code|otp|sig(?:nature)?|session[-_]?id|sid|jwt|credential|assertion)$/i;

/** Returns an address without user name and password; the values of parameters with the name of a credential are masked. */
export function withoutCredentials(url: string): string {
  const address = redactUrl(url, MAX_URL_LENGTH);
  return address.replaceAll(/([?&;#])([^=&;#?]{1,100})=([^&;#]+)/g, (whole, before: string, name: string) =>
    CREDENTIAL.test(name) ? `${before}${name}=${MASK}` : whole,
  );
}
