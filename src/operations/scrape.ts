import { requestFields } from './field.ts';
import { operation } from './operation.ts';
import { flatContent, pageFields, targetFields, toPageOptions, toTarget } from './page.ts';

const LISTED_FIELDS = ['id', 'space', 'diff'];

export const scrape = operation({
  name: 'scrape',
  title: 'Scrape a page',
  description:
    'Returns the content of a page, which it opens if the request has `url`. GraphQL lists the actions only if you select `id`, `space` or `diff`; REST lists them unless `fields` leaves them out. Errors: as for observe.',
  scope: 'operate',
  request: { name: 'ScrapeInput', description: 'The page to scrape. Pass `sessionId`, `url` or both.' },
  fields: requestFields({ ...targetFields, ...pageFields, content: flatContent }),
  run: (request, context, selection) =>
    context.service.scrape(context.viewer, {
      ...toPageOptions(request, context, selection),
      ...toTarget(request),
      space: LISTED_FIELDS.some(field => selection.has(field)),
    }),
});
