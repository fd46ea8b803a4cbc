import { requestFields } from './field.ts';
import { operation } from './operation.ts';
import { pageFields, targetFields, toPageOptions, toTarget } from './page.ts';

export const observe = operation({
  name: 'observe',
  title: 'Observe a page',
  description:
    'Opens a page, if the request has `url`, and lists the actions on the page. Errors: URL_BLOCKED, NAVIGATION_FAILED and NAVIGATION_TIMEOUT, among others; SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR if the session has ended.',
  scope: 'operate',
  request: { name: 'ObserveInput', description: 'The page to observe. Pass `sessionId`, `url` or both.' },
  fields: requestFields({ ...targetFields, ...pageFields }),
  run: (request, context, selection) =>
    context.service.observe(context.viewer, {
      ...toPageOptions(request, context, selection),
      ...toTarget(request),
      space: selection.has('space'),
    }),
});
