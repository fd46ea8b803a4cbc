import type { SessionFile } from '../../domain/ports/sessionFileStore.ts';
import type {
  Geolocation,
  ProfileChoice,
  ShownOptions,
  Viewport,
} from '../../domain/session/browserOptions.ts';
import type { Caller, CallerKind } from '../../domain/session/performedOperation.ts';
import {
  endedAt,
  expiresAt,
  type PendingApproval,
  type RunningOperation,
  type Session,
  type SessionStatus,
  sessionError,
} from '../../domain/session/session.ts';
import { durationMs, durationText } from '../../domain/session/sessionLimits.ts';
import { endReason } from '../../domain/session/sessionTransition.ts';
import type { TakeOver } from '../../domain/session/takeOver.ts';
import type { Hold } from '../../service/pagespace.ts';
import { blockedKind, colorScheme, permission, profileMode, reducedMotion } from '../browserOptions.ts';
import { recordMode } from '../edits.ts';
import { enumTable, field, nullable } from '../field.ts';
import { stepKind } from '../keyPolicy.ts';
import { shape } from './shape.ts';
import { dialogShape } from './space.ts';

export const sessionStatus = enumTable<SessionStatus>(
  'SessionStatus',
  'The status of a session. All except ACTIVE are final.',
  {
    active: 'Accepts operations.',
    closed:
      'Ended by `closeSession`, by an operation that closes the session, by the step S8, or by an orderly shutdown of the service.',
    timed_out: 'Ended by its idle timeout, or by the maximum lifetime that the service sets.',
    error:
      'Ended because its browser or page was lost, because it exceeded a limit of the service (pages, requests, traffic, memory, processor time), or because the service was killed; `error` says which.',
  },
);

const callerKind = enumTable<CallerKind>('CallerKind', 'The kind of a caller.', {
  agent: 'A program that calls REST or GraphQL.',
  person: 'A person in a browser.',
  mcp: 'A program that calls MCP.',
  cli: 'The command line.',
});

export const callerShape = shape<Caller>()({
  name: 'Caller',
  description: 'The caller of an operation.',
  fields: {
    kind: field(callerKind, 'The kind of the caller.'),
    keyId: field('ID', 'The id of the API key, as in the ledger.'),
    keyName: nullable('String', 'The name of the API key at that time; null for a caller without a key.'),
  },
});

/** A session, and the screenshot (Base64) if the operation that returns the session took one. */
export type SessionNode = Session & {
  readonly screenshot?: string | null;
  readonly screenshotIsCut?: boolean | null;
};

const approvalShape = shape<PendingApproval>()({
  name: 'PendingApproval',
  description: 'A step that waits for the approval of a person.',
  fields: {
    id: field('ID', 'The `approvalId` of approveStep and denyStep.', { rest: 'approval_id' }),
    kinds: field([stepKind], 'The kinds of the step that need it.'),
    actionId: field('ID', 'The id of the action.'),
    description: nullable(
      'String',
      'The description with which the action was listed; null for an action without one.',
    ),
    value: nullable('String', 'The value, with secrets masked; null for none.'),
    since: field('DateTime', 'When the wait began.'),
    until: field('DateTime', 'When the step fails if no person has decided.'),
  },
});

const runningOperationShape = shape<RunningOperation>()({
  name: 'RunningOperation',
  description: 'An operation that runs now.',
  fields: {
    kind: field('String', '`observe`, `step`, `scrape`, `start` or `upload`.'),
    actionId: nullable('ID', 'The id of the action of a step; null for other operations.'),
    startedAt: field('DateTime', 'When the operation began.'),
    approval: nullable(approvalShape, 'The approval for which the step waits; null for none.'),
  },
});

const takeOverStatus = enumTable<TakeOver['status']>('TakeOverStatus', 'Whether a person has the session.', {
  waiting: 'The agent has asked for a person, and nobody has come yet.',
  held: 'A person has the session.',
});

const takeOverShape = shape<TakeOver>()({
  name: 'TakeOver',
  description:
    'The person who has a session, or the wait for one. Operations of others fail with TAKEN_OVER.',
  fields: {
    status: field(takeOverStatus, 'Whether a person has the session, or is awaited.'),
    instructions: nullable('String', 'What the agent asks the person to do; null if it has not asked.'),
    holder: nullable('String', 'The name of the person who has the session; null while one is awaited.'),
    since: field('DateTime', 'When this status began.'),
    until: nullable(
      'DateTime',
      'When the request ends if no person comes; null while a person has the session.',
    ),
  },
});

const viewportShape = shape<Viewport>()({
  name: 'Viewport',
  description: 'The size of the page in CSS pixels.',
  fields: {
    width: field('Int', 'Width.'),
    height: field('Int', 'Height.'),
  },
});

const geolocationShape = shape<Geolocation>()({
  name: 'Geolocation',
  description: 'The place that pages read.',
  fields: {
    latitude: field('Float', 'Degrees north.'),
    longitude: field('Float', 'Degrees east.'),
    accuracy: nullable('Float', 'Metres.', { optional: true }),
  },
});

const headerShape = shape<{ readonly origin: string; readonly name: string }>()({
  name: 'OriginHeader',
  description: 'A header of the requests to one origin, without its value.',
  fields: {
    origin: field('String', 'The origin.'),
    name: field('String', 'The name of the header.'),
  },
});

const credentialsShape = shape<{ readonly origin: string; readonly username: string }>()({
  name: 'OriginCredentials',
  description: 'The user for one origin, without the password.',
  fields: {
    origin: field('String', 'The origin.'),
    username: field('String', 'The user name.'),
  },
});

const profileShape = shape<ProfileChoice>()({
  name: 'SessionProfile',
  description: 'The profile of a session.',
  fields: {
    name: field('String', 'The name of the profile.'),
    mode: field(profileMode, 'The use of the profile by the session.'),
  },
});

const optionsShape = shape<ShownOptions>()({
  name: 'SessionOptions',
  description: 'What the caller chose of the browser of a session. A field without a choice is null.',
  fields: {
    viewport: nullable(viewportShape, 'Size of the page.', { optional: true }),
    device: nullable('String', "Name in Playwright's table.", { optional: true }),
    userAgent: nullable('String', 'User agent.', { optional: true }),
    locale: nullable('String', 'Language (BCP 47).', { optional: true }),
    timezone: nullable('String', 'Time zone (IANA).', { optional: true }),
    geolocation: nullable(geolocationShape, 'The place that pages read.', { optional: true }),
    colorScheme: nullable(colorScheme, '`prefers-color-scheme`.', { optional: true }),
    reducedMotion: nullable(reducedMotion, '`prefers-reduced-motion`.', { optional: true }),
    dismissBanners: nullable('Boolean', 'Consent banners are refused.', { optional: true }),
    permissions: nullable([permission], 'Permissions of all pages.', { optional: true }),
    headers: nullable([headerShape], 'Headers of requests.', { optional: true }),
    httpCredentials: nullable([credentialsShape], 'Users of origins.', { optional: true }),
    block: nullable([blockedKind], 'Requests that are not sent.', { optional: true }),
    profile: nullable(profileShape, 'Profile of the session.', { optional: true }),
    maxLifetimeMinutes: nullable('Int', 'Maximum lifetime of the session, in minutes.', { optional: true }),
  },
});

export const sessionShape = shape<SessionNode>()({
  name: 'Session',
  description:
    'A browser session: a browser context of its own, with cookies, tabs and pages. It stays active until it is closed, times out or fails.',
  isSelectable: true,
  fields: {
    id: field('ID', 'The id of the session. Every later operation in the session takes it.', {
      rest: 'session_id',
    }),
    status: field(sessionStatus, 'The status of the session.'),
    createdAt: field('DateTime', 'When the session was started.'),
    lastAccessedAt: field(
      'DateTime',
      'When the last operation in the session ended, or when the running one started. Reading does not count.',
    ),
    duration: {
      type: 'String',
      description: 'Age of the session, up to now or to its end, as text: `12 seconds`, `5 minutes`.',
      read: (session, clock) => durationText(durationMs(session, clock.now())),
    },
    timeoutMinutes: field(
      'Int',
      'Idle timeout: the session times out after this many minutes without an operation.',
    ),
    error: {
      type: 'String',
      nullable: true,
      description: 'The reason of the failure if the status is ERROR; null otherwise.',
      read: session => sessionError(session),
    },
    durationMs: {
      type: 'SafeInt',
      description: 'Age of the session, up to now or to its end, in milliseconds.',
      read: (session, clock) => durationMs(session, clock.now()),
    },
    expiresAt: {
      type: 'DateTime',
      nullable: true,
      description:
        'When the session times out if no operation follows. While an operation runs: the end of the maximum lifetime, or null without one. Null after the end.',
      read: session => expiresAt(session),
    },
    endedAt: {
      type: 'DateTime',
      nullable: true,
      description: 'When the session was closed, timed out or failed; null while it is active.',
      read: session => endedAt(session),
    },
    endReason: {
      type: 'String',
      nullable: true,
      description:
        'Why the session ended, as a sentence; null while it is active, and if a caller closed it (`endedBy`).',
      read: session => endReason(session),
    },
    startedBy: nullable(callerShape, 'Who started the session; null for sessions of earlier versions.'),
    endedBy: {
      type: callerShape,
      nullable: true,
      description: 'Who closed the session; null if the service ended it, and while it is active.',
      read: session => (session.status === 'closed' ? (session.endedBy ?? null) : null),
    },
    url: nullable('URL', 'The URL of the active tab after the last operation; null before the first page.'),
    pageTitle: nullable(
      'String',
      'The title of the active tab after the last operation; null before the first page.',
    ),
    name: nullable('String', 'The name that the caller gave the session; null for none.'),
    labels: {
      type: ['String'],
      description: 'The labels that the caller gave the session, sorted.',
      read: ({ labels }) => labels ?? [],
    },
    record: {
      type: recordMode,
      description: 'The pictures that the record of the session keeps.',
      read: ({ record }) => record ?? 'off',
    },
    pageLog: {
      type: 'Boolean',
      description: 'True if the record has the console and the requests of the pages.',
      read: ({ pageLog }) => pageLog ?? false,
    },
    options: nullable(
      optionsShape,
      'What the caller chose of the browser, without the values of headers, passwords, cookies and storage; null for nothing.',
    ),
    runningOperation: {
      type: runningOperationShape,
      nullable: true,
      description: 'The operation that runs now; null if none runs.',
      read: session => (session.status === 'active' ? (session.runningOperation ?? null) : null),
    },
    takeOver: {
      type: takeOverShape,
      nullable: true,
      description: 'The person who has the session, or the wait for one; null for neither.',
      read: session => (session.status === 'active' ? (session.takeOver ?? null) : null),
    },
    dialog: {
      type: dialogShape,
      nullable: true,
      description: 'The dialog that blocks the page of the active tab; null for none.',
      read: session => (session.status === 'active' ? (session.dialog ?? null) : null),
    },
    screenshot: nullable('Base64', 'The screenshot. Only start and close take one, on request.', {
      optional: true,
    }),
    screenshotIsCut: nullable(
      'Boolean',
      'true: the page is larger than the largest picture (16,384 pixels in each direction, 32 million in all), and the rest of it is not in `screenshot`. null without one.',
      { optional: true },
    ),
  },
});

export const holdShape = shape<Hold>()({
  name: 'Hold',
  description: 'The take-over of a session that a person has begun.',
  fields: {
    holdId: field(
      'ID',
      'The secret of this take-over: input and hand-back name it. Operations of the person send it in the header `X-Pagespace-Hold`, or as `hold` in the parameters of a WebSocket.',
    ),
    session: field(sessionShape, 'The session.'),
  },
});

export type DownloadNode = SessionFile & { readonly sessionId: string };

const fileFields = {
  name: { type: 'String', description: 'The file name, without a folder.' },
  bytes: { type: 'SafeInt', description: 'Size in bytes.' },
  createdAt: { type: 'DateTime', description: 'When the download or upload was complete.' },
} as const;

export const downloadShape = shape<DownloadNode>()({
  name: 'Download',
  description: 'A file that a page of the session downloaded.',
  fields: {
    id: field('ID', '`D1`, `D2`, …: unique in the session.', { rest: 'file_id' }),
    ...fileFields,
    url: {
      type: 'String',
      description: 'Relative download URL; GET it with your API key.',
      read: ({ sessionId, id }) => `/session/${sessionId}/downloads/${id}`,
    },
  },
});

export const uploadShape = shape<SessionFile>()({
  name: 'Upload',
  restName: 'SessionFile',
  description:
    'A file that was uploaded to the session by `POST /session/{session_id}/uploads`. To choose it in a file input, pass its id as the `value` of a step.',
  fields: {
    id: field('ID', '`U1`, `U2`, …: unique in the session.', { rest: 'file_id' }),
    ...fileFields,
  },
});
