/** A tab of a session's browser. */
import type { TabInfo } from '../../../domain/page.ts';
import { builder } from '../builder.ts';

export const TabType = builder.objectRef<TabInfo>('Tab').implement({
  description: "A tab of the session's browser. Actions are done in the active one; S12 switches.",
  fields: t => ({
    id: t.exposeID('id', { description: '`T1`, `T2`: never used again in the session.' }),
    title: t.exposeString('title', { description: "The page's title." }),
    url: t.expose('url', { type: 'URL', description: "The page's address." }),
    active: t.exposeBoolean('active', { description: 'Whether operations work in this tab.' }),
  }),
});
