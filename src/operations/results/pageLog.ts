import type {
  ConsoleLevel,
  ConsoleMessage,
  ExportFormat,
  NetworkRequest,
  RequestTiming,
  ResponseSource,
} from '../../domain/session/pageLog.ts';
import { enumTable, field, nullable } from '../field.ts';
import { shape } from './shape.ts';

const TAB_ID =
  'The `id` of the tab; of a shared worker or a service worker, that of the tab that was active when it began.';

const consoleLevel = enumTable<ConsoleLevel>('ConsoleLevel', 'The level of a console message.', {
  debug: 'For the developers of the page.',
  log: 'A message.',
  info: 'Information.',
  warning: 'A warning.',
  error: 'An error that a script or the browser wrote, such as a resource that could not be loaded.',
  exception: 'An error that no script caught.',
});

const responseSource = enumTable<ResponseSource>('ResponseSource', 'Who gave the response to a request.', {
  network: 'The server.',
  cache: 'A cache of the browser.',
  service_worker: 'A service worker of the site.',
});

export const consoleMessageShape = shape<ConsoleMessage>()({
  name: 'ConsoleMessage',
  description:
    'A message in the console of a page, of a worker or of a frame; an exception that no script caught, and an error of the browser. Secrets are masked.',
  fields: {
    number: field('Int', 'Number of the message in the session: 1, 2, 3, …'),
    at: field('DateTime', 'When it was written.'),
    tabId: field('ID', TAB_ID),
    level: field(consoleLevel, 'The level.'),
    text: field('String', 'The words, at most 2,000 characters; an error with its stack.'),
    url: nullable('String', 'Address of the script or the resource; null for none.'),
    line: nullable('Int', 'Line of the script, from 1; null for none.'),
  },
});

const phase = (words: string) => ({ type: 'Float', nullable: true, description: words }) as const;

const timingShape = shape<RequestTiming>()({
  name: 'RequestTiming',
  description: 'The phases of a request, in milliseconds; null for a phase that did not happen.',
  fields: {
    blocked: phase('Waiting for a connection.'),
    dns: phase('Looking the name up.'),
    connect: phase('Connecting, `tls` included.'),
    tls: phase('Negotiating the encryption.'),
    send: field('Float', 'Sending the request.'),
    wait: field('Float', 'Waiting for the response.'),
    receive: field('Float', 'Receiving the response.'),
  },
});

export const networkRequestShape = shape<NetworkRequest>()({
  name: 'NetworkRequest',
  description:
    'A request of a page, of a worker or of a frame, without headers, cookies and bodies. It is told when it has ended; a redirect is a request of its own. Secrets are masked.',
  fields: {
    number: field(
      'Int',
      'Number of the request in the session, in the order in which they ended: 1, 2, 3, …',
    ),
    at: field('DateTime', 'When it was sent.'),
    tabId: field('ID', TAB_ID),
    method: field('String', 'The method: `GET`.'),
    url: field(
      'String',
      'The address, without user name and password, and without the values of credentials in its query.',
    ),
    resourceType: field(
      'String',
      'What the page wanted: `document`, `script`, `stylesheet`, `image`, `xhr`, `fetch`, `websocket`, …',
    ),
    status: nullable('Int', 'HTTP status; null without a response.'),
    statusText: field('String', 'The words beside the status; empty for none.'),
    mimeType: nullable('String', 'Type of the content; null without a response.'),
    protocol: nullable('String', '`h2`, `http/1.1`, …; null without a response.'),
    bytes: nullable(
      'SafeInt',
      'Bytes that came over the network, the headers included; null for a request that has not ended.',
    ),
    durationMs: nullable(
      'Float',
      'Duration up to the end of the body, in milliseconds; null for a request that has not ended.',
    ),
    timing: nullable(timingShape, 'The phases; null if the browser does not tell them.'),
    servedBy: nullable(responseSource, 'Who gave the response; null without one.'),
    redirectUrl: nullable('String', 'Address to which the response redirects; null for none.'),
    error: nullable('String', 'The error as the browser names it; null for none.'),
    blockedReason: nullable('String', 'Why the request was blocked, as a sentence; null if it was not.'),
  },
});

export const exportFormat = enumTable<ExportFormat>(
  'ExportFormat',
  'The format of the export of a session.',
  {
    markdown: 'The session in Markdown, which a person can paste into a report.',
    json: 'The session with its events, downloads, console and requests.',
    har: 'The requests as HAR 1.2, without headers, cookies and bodies.',
  },
);
