import { requestFields } from './field.ts';
import { operation, parseSessionId } from './operation.ts';
import { commonFields, sessionField, toCommonOptions } from './page.ts';

export const close = operation({
  name: 'closeSession',
  title: 'Close a session',
  description: 'Closes a session. A session that has already ended is returned with its final status.',
  scope: 'operate',
  request: { name: 'CloseSessionInput', description: 'The session to close.' },
  fields: requestFields({ sessionId: sessionField, ...commonFields }),
  run: (request, context, selection) =>
    context.service.close(context.viewer, {
      ...toCommonOptions(request, context, selection),
      sessionId: parseSessionId(request.sessionId),
    }),
});
