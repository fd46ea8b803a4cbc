import { Failure } from '../../../domain/failure/failures.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Closes the active tab; another tab becomes active. @throws Failure ACTION_BLOCKED when it is the only tab */
export const closeTab: PerformSpecialAction = async ({ tab, tabs, id }) => {
  if (tabs.rows().length < 2)
    throw new Failure('ACTION_BLOCKED', `${id}: the only tab cannot be closed; S8 ends the session.`, {
      retryable: false,
    });
  await tab.page.close();
  await tabs.activate(tabs.active);
};
