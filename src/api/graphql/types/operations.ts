/** The five operations as mutations. */
import { actionIdField, spendCapField, urlField, valueField } from '../../../domain/inputFields.ts';
import { requiredSpecialValues } from '../../../domain/specialActions.ts';
import { builder } from '../builder.ts';
import { Observation } from './observation.ts';
import {
  type InputFields,
  isScreenshotRequested,
  type Maybe,
  operationFields,
  toOperationOptions,
  toScreenshotOptions,
} from './operationInput.ts';
import { listingLimitsRule, pageFields, toPageOptions } from './pageInput.ts';
import { ProxyInput, toUpstreamProxy } from './proxyInput.ts';
import { selects } from './selects.ts';
import { parseSessionId, SessionType } from './session.ts';

const StartSessionInput = builder.inputType('StartSessionInput', {
  description: 'How to start a session. All fields may be left out.',
  fields: t => ({
    ...operationFields(t),
    spendCapMicros: t.float({
      description:
        'What may be charged for the session in all, a whole number of micro-units; any amount when absent. Beyond it operations in it are refused with BALANCE_EXHAUSTED.',
      validate: { type: 'number', schema: spendCapField },
    }),
    proxy: t.field({
      type: ProxyInput,
      description: "A proxy for the session's pages. Default: they reach the web from the service itself.",
    }),
  }),
});

builder.mutationField('startSession', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    complexity: 50,
    description: 'Starts a session: a browser context of your own. It stays until it is closed or times out.',
    args: { input: t.arg({ type: StartSessionInput, description: 'How to start it.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { session, screenshot } = await context.service.start(context.viewer, {
        ...toOperationOptions(input ?? {}, context, info),
        spendCapMicros: input?.spendCapMicros ?? null,
        proxy: toUpstreamProxy(input?.proxy),
      });
      return { ...session, screenshot };
    },
  }),
);

/** Which page observe and scrape go to. */
const targetFields = (t: InputFields) => ({
  sessionId: t.id({ description: 'The session to work in; a new one is made when absent.' }),
  url: t.string({
    description: 'The address to open; the current page when absent.',
    validate: { type: 'string', schema: urlField },
  }),
});

const toTarget = (input: { sessionId?: Maybe<string>; url?: Maybe<string> }) => ({
  sessionId: input.sessionId == null ? null : parseSessionId(input.sessionId),
  url: input.url ?? null,
});

const ObserveInput = builder.inputType('ObserveInput', {
  description:
    'Which page to observe. Without a sessionId a session is made; without a url the current page is looked at again.',
  validate: listingLimitsRule,
  fields: t => ({
    ...targetFields(t),
    ...pageFields(t),
  }),
});

builder.mutationField('observe', t =>
  t.field({
    type: Observation,
    authScopes: { operate: true },
    complexity: 50,
    description: 'Opens an address, if one is given, and lists what can be done on the page.',
    args: { input: t.arg({ type: ObserveInput, required: true, description: 'Which page.' }) },
    resolve: (_root, { input }, context, info) =>
      context.service.observe(context.viewer, {
        ...toPageOptions(input, context, info),
        ...toTarget(input),
        space: selects(info, 'space'),
      }),
  }),
);

const StepInput = builder.inputType('StepInput', {
  description: 'Which action to do, and with what value.',
  validate: listingLimitsRule,
  fields: t => ({
    sessionId: t.id({ required: true, description: 'The session to work in.' }),
    actionId: t.id({
      required: true,
      description: 'An action as the last space listed it: `L1`, `B2`, `I3`, `S4`.',
      validate: { type: 'string', schema: actionIdField },
    }),
    value: t.string({
      description: `Text to enter; option to select (several: one per line); \`true\` or \`false\`; ISO date or time. Special actions that require a value: ${requiredSpecialValues()}.`,
      validate: { type: 'string', schema: valueField },
    }),
    enter: t.boolean({ description: 'Press Enter after filling. Default false.' }),
    params: t.field({
      type: 'Params',
      description:
        'Values by parameter name, for actions that take several. `value` fills the first that is absent.',
    }),
    ...pageFields(t),
  }),
});

builder.mutationField('step', t =>
  t.field({
    type: Observation,
    authScopes: { operate: true },
    complexity: 50,
    description: 'Does one action, waits until the page has settled, and observes it.',
    args: { input: t.arg({ type: StepInput, required: true, description: 'Which action.' }) },
    resolve: (_root, { input }, context, info) =>
      context.service.step(context.viewer, {
        ...toPageOptions(input, context, info),
        sessionId: parseSessionId(input.sessionId),
        actionId: input.actionId,
        value: input.value ?? null,
        enter: input.enter ?? false,
        params: input.params ?? {},
      }),
  }),
);

const ScrapeInput = builder.inputType('ScrapeInput', {
  description:
    'Which page to take the content of. Without a sessionId a session is made; without a url the current page is read.',
  validate: listingLimitsRule,
  fields: t => ({
    ...targetFields(t),
    ...pageFields(t),
  }),
});

builder.mutationField('scrape', t =>
  t.field({
    type: Observation,
    authScopes: { operate: true },
    complexity: 50,
    description: "Opens an address, if one is given, and takes the page's content.",
    args: { input: t.arg({ type: ScrapeInput, required: true, description: 'Which page.' }) },
    resolve: (_root, { input }, context, info) =>
      context.service.scrape(context.viewer, {
        ...toPageOptions(input, context, info),
        ...toTarget(input),
        space: selects(info, 'space'),
      }),
  }),
);

const CloseSessionInput = builder.inputType('CloseSessionInput', {
  description: 'Which session to close.',
  fields: t => ({
    sessionId: t.id({ required: true, description: 'The session to close.' }),
    ...operationFields(t),
  }),
});

builder.mutationField('closeSession', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    complexity: 20,
    description: 'Closes a session. One that has ended already is answered with its true final status.',
    args: { input: t.arg({ type: CloseSessionInput, required: true, description: 'Which session.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { session, screenshot } = await context.service.close(context.viewer, {
        sessionId: parseSessionId(input.sessionId),
        screenshot: isScreenshotRequested(input, info),
        screenshotOptions: toScreenshotOptions(input),
        idempotencyKey: input.idempotencyKey ?? null,
        signal: context.signal,
      });
      return { ...session, screenshot };
    },
  }),
);
