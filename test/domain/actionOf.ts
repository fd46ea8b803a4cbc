import type { Action } from '../../src/domain/space/action.ts';

/** A button "Save" with these fields. */
export const actionOf = (more: Partial<Action>): Action => ({
  id: 'B1',
  kind: 'button',
  description: 'button "Save"',
  category: 'Main',
  status: 'valid',
  params: [],
  role: 'button',
  name: 'Save',
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  inViewport: true,
  bounds: null,
  frame: null,
  fingerprint: 'f',
  ...more,
});
