import { z } from 'zod';
import { stepValueDescription } from '../domain/specialActions/specialActions.ts';
import { field, requestFields, required } from './field.ts';
import { operation, parseSessionId } from './operation.ts';
import { content, pageFields, sessionField, toPageOptions } from './page.ts';

export const step = operation({
  name: 'step',
  title: 'Perform an action',
  description:
    'Performs one action, waits until the page has settled, and observes the page. Requires an earlier observation of the session. Errors: NOT_OBSERVED, ACTION_NOT_FOUND, ACTION_STALE (the element is gone or has changed) and ACTION_BLOCKED (the element is disabled or covered), among others.',
  scope: 'operate',
  request: { name: 'StepInput', description: 'The action to perform, and its value.' },
  fields: requestFields({
    sessionId: sessionField,
    actionId: required('ID', 'The id of an action of the latest observation: `L1`, `B2`, `I3`, `S4`.', {
      check: z
        .string()
        .trim()
        .regex(/^[LBISlbis][1-9]\d{0,8}$/, 'must be an action id such as L1, B2, I3 or S4')
        .toUpperCase(),
      examples: ['B1'],
    }),
    value: {
      type: 'String',
      description: stepValueDescription(),
      // PAGESPACE_MAX_BODY_BYTES also limits the bytes of the request: characters outside ASCII exceed that limit first.
      check: z.string().max(1_000_000, 'must be at most 1,000,000 characters'),
    },
    enter: field('Boolean', 'Press Enter after the value.', { default: false }),
    params: field(
      'Params',
      'Values by parameter name, for actions that take several, such as S17. `value` sets the first parameter that is missing here.',
      { rest: null },
    ),
    ...pageFields,
    content: field(
      content,
      'The content to extract into `data`, after every action. Without it only S2 (scrape) returns `data`.',
      { rest: null },
    ),
  }),
  run: (request, context, selection) =>
    context.service.step(context.viewer, {
      ...toPageOptions(request, context, selection),
      sessionId: parseSessionId(request.sessionId),
      actionId: request.actionId,
      value: request.value ?? null,
      enter: request.enter ?? false,
      params: request.params ?? {},
      readsContent: request.content != null,
    }),
});
