import { z } from 'zod';
import { field, requestFields, required } from './field.ts';
import { operation, parseSessionId } from './operation.ts';
import { sessionField } from './page.ts';

const approvalFields = requestFields({
  sessionId: sessionField,
  approvalId: required('ID', 'The approval, as `runningOperation.approval` of the session has it.', {
    check: z.string().max(100, 'must be the id of an approval'),
  }),
});

export const approveStep = operation({
  name: 'approveStep',
  title: 'Approve a step',
  description:
    'Lets the step that waits for this approval happen, once. Keys with a policy cannot approve. Error: APPROVAL_NOT_FOUND.',
  scope: 'operate',
  request: { name: 'ApproveStepInput', description: 'The session, and the approval.' },
  fields: approvalFields,
  run: ({ sessionId, approvalId }, { service, viewer }) =>
    service.approveStep(viewer, { sessionId: parseSessionId(sessionId), approvalId }),
});

export const denyStep = operation({
  name: 'denyStep',
  title: 'Deny a step',
  description:
    'Refuses the step that waits for this approval: it fails with APPROVAL_REFUSED. Keys with a policy cannot deny. Error: APPROVAL_NOT_FOUND.',
  scope: 'operate',
  request: { name: 'DenyStepInput', description: 'The session, the approval, and why.' },
  fields: requestFields({
    ...approvalFields,
    reason: field('String', 'A sentence for the agent. Default: none.', {
      check: z
        .string()
        .trim()
        .max(500, 'must be at most 500 characters')
        .regex(/^\P{Cc}*$/u, 'must hold no control characters'),
    }),
  }),
  run: ({ sessionId, approvalId, reason }, { service, viewer }) =>
    service.denyStep(viewer, {
      sessionId: parseSessionId(sessionId),
      approvalId,
      reason: reason == null || reason === '' ? null : reason,
    }),
});
