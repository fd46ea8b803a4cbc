/** The TypeScript client of pagespace, the package `@pagespace/client`. docs/clients.md explains it. */

export * from './generated/failureErrors.ts';
export type {
  ActionFieldsFragment as Action,
  ActionKind,
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
export type { Extracted, FindOptions, Observation, Scraped } from './observation.ts';
export type {
  CallOptions,
  CloseOptions,
  ObserveOptions,
  ScrapeOptions,
  StepOptions,
  StepValue,
} from './operationOptions.ts';
export {
  ClientSession,
  PagespaceClient,
  type SessionInfo,
  type SessionsOptions,
  type StartOptions,
} from './pagespaceClient.ts';
export {
  type ClientErrorCode,
  ClientTimeoutError,
  ConnectionFailedError,
  type FieldError,
  NoSingleActionError,
  PagespaceError,
  UnexpectedResponseError,
} from './pagespaceError.ts';
export type { Target } from './specialActions.ts';
export type {
  ClientOptions,
  ConsoleMessage,
  EventsOptions,
  Frame,
  FramesOptions,
  GraphqlDocument,
  NetworkRequest,
  SessionEvent,
  StatusOptions,
  StreamOptions,
} from './transport.ts';
