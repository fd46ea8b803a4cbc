/** A tab of a session. */
import type { TabInfo } from '../../../domain/space/page.ts';
import { builder } from '../builder.ts';
import { PLAIN_DATA } from '../plainData.ts';

export const TabType = builder.objectRef<TabInfo>('Tab').implement({
  extensions: PLAIN_DATA,
  description: 'A tab of the session. Operations work in the active tab; S12 switches to another one.',
  fields: t => ({
    id: t.exposeID('id', { description: '`T1`, `T2`, …: unique in the session.' }),
    title: t.exposeString('title', { description: 'The title of the page.' }),
    url: t.expose('url', { type: 'URL', description: 'The URL of the page.' }),
    active: t.exposeBoolean('active', { description: 'True for the tab in which operations work.' }),
  }),
});
