/** The TypeScript client of pagespace, the package's `pagespace/client`. docs/clients.md explains it. */

export type { CallOptions } from './callDeadline.ts';
export {
  ClientSession,
  type CloseOptions,
  type Observation,
  type ObserveOptions,
  type ScrapeOptions,
  type SessionInfo,
  type StepOptions,
  type StepValue,
} from './clientSession.ts';
export * from './generated/failureErrors.ts';
export type {
  ActionFieldsFragment as Action,
  ActionListInput,
  ContentInput,
  DataFieldsFragment as ScrapedData,
  DiffFieldsFragment as SpaceDiff,
  DownloadFieldsFragment as Download,
  FailureCode,
  ScreenshotInput,
  SessionStatus,
  SpaceFieldsFragment as Space,
  UploadFieldsFragment as Upload,
} from './generated/operations.ts';
export { PagespaceClient, type SessionsOptions, type StartOptions } from './pagespaceClient.ts';
export {
  type ClientErrorCode,
  ClientTimeoutError,
  ConnectionFailedError,
  type FieldError,
  PagespaceError,
  UnexpectedResponseError,
} from './pagespaceError.ts';
export type { EventsOptions, SessionEvent } from './resumeEvents.ts';
export type { ClientOptions } from './transport.ts';
