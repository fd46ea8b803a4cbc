import type { Action } from '../../src/domain/space/action.ts';
import { NOTHING_PENDING, type Space } from '../../src/domain/space/space.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/specialActions/specialActions.ts';

/** A minimal space with these actions. */
export const spaceOf = (actions: readonly Action[], more: Partial<Space> = {}): Space => ({
  description: 'A page.',
  category: 'other',
  actions,
  specialActions: SPECIAL_ACTIONS,
  browserActions: [],
  totalActions: actions.length,
  truncated: false,
  dialog: null,
  messages: [],
  pending: NOTHING_PENDING,
  downloads: [],
  ...more,
});
