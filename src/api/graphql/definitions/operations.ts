/** The five operations as mutations: each converts its input and calls the service. */
import {
  actionIdField,
  DEFAULT_TIMEOUT_MINUTES,
  spendCapField,
  valueField,
} from '../../../domain/inputFields.ts';
import { stepValueDescription } from '../../../domain/specialActions/specialActions.ts';
import { builder } from '../builder.ts';
import { ContentInput } from './contentInput.ts';
import { Observation } from './observation.ts';
import {
  pageFields,
  requestFields,
  targetFields,
  timeoutFields,
  toPageOptions,
  toRequestOptions,
  toTarget,
} from './operationInput.ts';
import { ProxyInput, toUpstreamProxy } from './proxyInput.ts';
import { selects } from './selects.ts';
import { parseSessionId, SessionType } from './session.ts';

const StartSessionInput = builder.inputType('StartSessionInput', {
  description: 'Options of a new session. Every field is optional.',
  fields: t => ({
    ...requestFields(t),
    ...timeoutFields(t, `Default ${DEFAULT_TIMEOUT_MINUTES}.`),
    spendCapMicros: t.field({
      type: 'SafeInt',
      description:
        'Maximum that the session may cost, in micro-units, above 0. Once it is reached, operations in the session are refused with BALANCE_EXHAUSTED. Default: no limit.',
      validate: { type: 'number', schema: spendCapField },
    }),
    proxy: t.field({
      type: ProxyInput,
      description: 'A proxy for the requests of the session. Default: the service connects directly.',
    }),
  }),
});

builder.mutationField('startSession', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    complexity: 50,
    description:
      'Starts a session: a browser context of its own. It stays active until it is closed, times out or fails. Errors: AT_CAPACITY, CONCURRENCY_LIMIT, QUOTA_EXHAUSTED and BALANCE_EXHAUSTED, among others.',
    args: { input: t.arg({ type: StartSessionInput, description: 'Options of the session.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { session, screenshot } = await context.service.start(context.viewer, {
        ...toRequestOptions(input ?? {}, context, info),
        // A started session always stays active, so `keepAlive` has no effect.
        keepAlive: null,
        timeoutMinutes: input?.sessionTimeoutMinutes ?? null,
        spendCapMicros: input?.spendCapMicros ?? null,
        proxy: toUpstreamProxy(input?.proxy),
      });
      return { ...session, screenshot };
    },
  }),
);

const ObserveInput = builder.inputType('ObserveInput', {
  description: 'The page to observe. Pass `sessionId`, `url` or both.',
  fields: t => ({ ...targetFields(t), ...pageFields(t) }),
});

builder.mutationField('observe', t =>
  t.field({
    type: Observation,
    authScopes: { operate: true },
    complexity: 50,
    description:
      'Opens `url`, if you pass one, and returns the page with its actions. Errors: URL_BLOCKED, NAVIGATION_FAILED and NAVIGATION_TIMEOUT, among others; SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR if the session has ended.',
    args: {
      input: t.arg({
        type: ObserveInput,
        required: true,
        description: 'The page to observe, and the options.',
      }),
    },
    resolve: (_root, { input }, context, info) =>
      context.service.observe(context.viewer, {
        ...toPageOptions(input, context, info),
        ...toTarget(input),
        space: selects(info, 'space'),
      }),
  }),
);

const StepInput = builder.inputType('StepInput', {
  description: 'The action to perform, and its value.',
  fields: t => ({
    sessionId: t.id({ required: true, description: 'The session.' }),
    actionId: t.id({
      required: true,
      description: 'The `id` of an action of the latest observation: `L1`, `B2`, `I3`, `S4`.',
      validate: { type: 'string', schema: actionIdField },
    }),
    value: t.string({
      description: stepValueDescription(),
      validate: { type: 'string', schema: valueField },
    }),
    enter: t.boolean({ description: 'Press Enter after entering the value. Default false.' }),
    params: t.field({
      type: 'Params',
      description:
        'Values by parameter name, for actions that take several, such as S17. `value` sets the first parameter that is missing here.',
    }),
    ...pageFields(t),
    content: t.field({
      type: ContentInput,
      description:
        'The content to extract into `data`, after every action. Without it only S2 (scrape) returns `data`.',
    }),
  }),
});

builder.mutationField('step', t =>
  t.field({
    type: Observation,
    authScopes: { operate: true },
    complexity: 50,
    description:
      'Performs one action, waits until the page has settled, and returns the page after it. Requires an earlier observation of the session. Errors: NOT_OBSERVED, ACTION_NOT_FOUND, ACTION_STALE (the element is gone or has changed) and ACTION_BLOCKED (the element is disabled or covered), among others.',
    args: {
      input: t.arg({
        type: StepInput,
        required: true,
        description: 'The action to perform, and the options.',
      }),
    },
    resolve: (_root, { input }, context, info) =>
      context.service.step(context.viewer, {
        ...toPageOptions(input, context, info),
        sessionId: parseSessionId(input.sessionId),
        actionId: input.actionId,
        value: input.value ?? null,
        enter: input.enter ?? false,
        params: input.params ?? {},
        readsContent: input.content != null,
      }),
  }),
);

/** The fields of an observation for which the service lists the actions of the page. */
const LISTED_FIELDS = ['id', 'space', 'diff'];

const ScrapeInput = builder.inputType('ScrapeInput', {
  description: 'The page to scrape. Pass `sessionId`, `url` or both.',
  fields: t => ({ ...targetFields(t), ...pageFields(t) }),
});

builder.mutationField('scrape', t =>
  t.field({
    type: Observation,
    authScopes: { operate: true },
    complexity: 50,
    description:
      'Opens `url`, if you pass one, and returns the content of the page. The actions are listed only if you select `id`, `space` or `diff`. Errors: as for `observe`.',
    args: {
      input: t.arg({
        type: ScrapeInput,
        required: true,
        description: 'The page to scrape, and the options.',
      }),
    },
    resolve: (_root, { input }, context, info) =>
      context.service.scrape(context.viewer, {
        ...toPageOptions(input, context, info),
        ...toTarget(input),
        space: LISTED_FIELDS.some(field => selects(info, field)),
      }),
  }),
);

const CloseSessionInput = builder.inputType('CloseSessionInput', {
  description: 'The session to close.',
  fields: t => ({
    sessionId: t.id({ required: true, description: 'The session.' }),
    ...requestFields(t),
  }),
});

builder.mutationField('closeSession', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    complexity: 20,
    description: 'Closes a session. A session that has already ended is returned with its final status.',
    args: {
      input: t.arg({ type: CloseSessionInput, required: true, description: 'The session to close.' }),
    },
    resolve: async (_root, { input }, context, info) => {
      const { session, screenshot } = await context.service.close(context.viewer, {
        ...toRequestOptions(input, context, info),
        sessionId: parseSessionId(input.sessionId),
      });
      return { ...session, screenshot };
    },
  }),
);
