/** What the inputs of all operations share: fields, their rules, and how they become options. */
import type { InputFieldBuilder } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import {
  DEFAULT_TIMEOUT_MINUTES,
  idempotencyKeyField,
  qualityField,
  timeoutMinutesField,
} from '../../../domain/inputFields.ts';
import {
  DEFAULT_SCREENSHOT,
  type ScreenshotFormat as Format,
  type ScreenshotOptions,
} from '../../../domain/screenshotOptions.ts';
import type { OperationOptions } from '../../../service/pagespace.ts';
import { builder } from '../builder.ts';
import type { RequestContext } from '../requestContext.ts';
import { domainEnum } from './domainEnum.ts';
import { selects } from './selects.ts';

export type Maybe<Value> = Value | null | undefined;
type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
/** What makes the fields of an input. */
export type InputFields = InputFieldBuilder<Types, 'InputObject'>;

const ScreenshotFormat = domainEnum<Format>('ScreenshotFormat', 'How a picture is written.', {
  png: 'PNG: every pixel as it was.',
  jpeg: 'JPEG: smaller.',
});

const ScreenshotOptionsInput = builder.inputType('ScreenshotOptionsInput', {
  description: 'How a screenshot is to be.',
  fields: t => ({
    fullPage: t.boolean({
      description:
        'The whole page instead of the viewport, up to 16,384 pixels each way and 32 million in all. Default false.',
    }),
    format: t.field({ type: ScreenshotFormat, description: 'Default PNG.' }),
    quality: t.int({
      description: `JPEG's quality, 1 to 100. Default ${DEFAULT_SCREENSHOT.quality}.`,
      validate: { type: 'number', schema: qualityField },
    }),
  }),
});

/** keepAlive, screenshot and sessionTimeoutMinutes: every operation takes them. */
export const operationFields = (t: InputFields) => ({
  keepAlive: t.boolean({
    description:
      'true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close.',
  }),
  screenshot: t.boolean({
    description:
      'Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off.',
  }),
  sessionTimeoutMinutes: t.int({
    description: `Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: ${DEFAULT_TIMEOUT_MINUTES}; an existing one keeps its own.`,
    validate: { type: 'number', schema: timeoutMinutesField },
  }),
  screenshotOptions: t.field({
    type: ScreenshotOptionsInput,
    description: 'How the screenshot is to be. Default: a PNG of the viewport.',
  }),
  idempotencyKey: t.string({
    description:
      'A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again. A failure that came before anything was done, or (but for a step) was the fault of the service, is not kept: the request may be sent again. With other input it is refused.',
    validate: { type: 'string', schema: idempotencyKeyField },
  }),
});

/** What `optionFields` read. */
export interface OperationInput extends ScreenshotInput {
  readonly idempotencyKey?: Maybe<string>;
  readonly keepAlive?: Maybe<boolean>;
  readonly screenshot?: Maybe<boolean>;
  readonly sessionTimeoutMinutes?: Maybe<number>;
}

/** The options of an operation, as its command says them. */
export function toOperationOptions(
  input: OperationInput,
  context: RequestContext,
  info: GraphQLResolveInfo,
): OperationOptions {
  return {
    keepAlive: input.keepAlive ?? null,
    timeoutMinutes: input.sessionTimeoutMinutes ?? null,
    screenshot: isScreenshotRequested(input, info),
    screenshotOptions: toScreenshotOptions(input),
    idempotencyKey: input.idempotencyKey ?? null,
    signal: context.signal,
  };
}

/** A picture as it was asked for. */
export const toScreenshotOptions = ({ screenshotOptions: asked }: ScreenshotInput): ScreenshotOptions => ({
  fullPage: asked?.fullPage ?? DEFAULT_SCREENSHOT.fullPage,
  format: asked?.format ?? DEFAULT_SCREENSHOT.format,
  quality: asked?.quality ?? DEFAULT_SCREENSHOT.quality,
});

interface ScreenshotInput {
  readonly screenshotOptions?: Maybe<{
    readonly fullPage?: Maybe<boolean>;
    readonly format?: Maybe<Format>;
    readonly quality?: Maybe<number>;
  }>;
}

/** Selecting is asking; `screenshot: false` takes it back. */
export const isScreenshotRequested = (
  input: { screenshot?: Maybe<boolean> },
  info: GraphQLResolveInfo,
): boolean => input.screenshot !== false && selects(info, 'screenshot');
