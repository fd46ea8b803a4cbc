/** Options of the operations in a session, and the value of a step. */
import type { CallOptions } from './callDeadline.ts';
import type {
  ContentInput,
  ObserveInput,
  ScrapeInput,
  ScreenshotInput,
  StepInput,
} from './generated/operations.ts';

/** Options that observe, step and scrape share. */
export interface OperationOptions extends CallOptions {
  /** Take a screenshot; an object says how. Default: none. */
  readonly screenshot?: boolean | ScreenshotInput | undefined;
}

type Without<Input, Names extends string> = Omit<Input, Names | 'sessionId' | 'screenshot'>;

/** Options of `observe`: the fields of the GraphQL input `ObserveInput`. */
export type ObserveOptions = Without<ObserveInput, 'url'> & OperationOptions;
/** Options of `step`: the fields of the GraphQL input `StepInput`. */
export type StepOptions = Without<StepInput, 'actionId' | 'value'> & OperationOptions;
/** Options of `scrape`: the fields of the GraphQL input `ScrapeInput`. `Schema` is the type of `content.extract`. */
export type ScrapeOptions<Schema = unknown> = Omit<Without<ScrapeInput, 'url'>, 'content'> &
  OperationOptions & {
    readonly content?: (Omit<ContentInput, 'extract'> & { readonly extract?: Schema }) | null;
  };
/** Options of `close`: the fields of the GraphQL input `CloseSessionInput`. */
export interface CloseOptions extends CallOptions {
  /** Default: a new key. */
  readonly idempotencyKey?: string;
}

/** A value for an action. Several options of a list are an array. */
export type StepValue = string | number | boolean | readonly string[];
