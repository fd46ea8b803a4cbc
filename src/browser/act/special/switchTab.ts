import { invalidValue, requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Activates the tab whose id is in the value. @throws Failure VALIDATION_ERROR when the session has no such tab */
export const switchTab: PerformSpecialAction = async context => {
  const { tabs } = context;
  const tabId = requiredValue(context, 'tab').trim();
  const tab = tabs.byId(tabId);
  if (tab === null) {
    const known = tabs.rows().map(row => row.id);
    throw invalidValue(context.id, `must be one of ${known.join(', ')}`, tabId);
  }
  await tabs.activate(tab);
};
