import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/domain/space/action.ts';
import { SPECIAL_ACTIONS } from '../../../src/domain/specialActions/specialActions.ts';
import { ObservationHistory } from '../../../src/service/sessions/observationHistory.ts';

const url = 'https://site.example/';
const actions = (count: number): Action[] =>
  SPECIAL_ACTIONS.slice(0, 1).flatMap(action => Array(count).fill(action));
const observed = (count: number) => ({ url, actions: actions(count), messages: [] });
const failure = expect.objectContaining({ code: 'VALIDATION_ERROR' });

describe('ObservationHistory', () => {
  it('stores the last eight observations', () => {
    const history = new ObservationHistory();
    const ids = Array.from({ length: 9 }, () => history.add(observed(1)));
    expect(() => history.get(ids[0] ?? '')).toThrow(failure);
    expect(history.get('o2').actions).toHaveLength(1);
  });

  it('stores fewer observations of large pages', () => {
    const history = new ObservationHistory();
    const [first = '', second = ''] = [history.add(observed(3_000)), history.add(observed(3_000))];
    expect(() => history.get(first)).toThrow(failure);
    expect(history.get(second).actions).toHaveLength(3_000);
  });

  it('does not store an observation above the limit, and keeps the earlier ones', () => {
    const history = new ObservationHistory();
    const before = history.add(observed(1));
    const huge = history.add(observed(5_001));
    expect(() => history.get(huge)).toThrow(failure);
    expect(history.diff(before, null)).toBeNull();
    expect(history.get(before).actions).toHaveLength(1);
  });
});
