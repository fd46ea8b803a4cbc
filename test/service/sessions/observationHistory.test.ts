import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/domain/action.ts';
import { SPECIAL_ACTIONS } from '../../../src/domain/specialActions.ts';
import { ObservationHistory } from '../../../src/service/sessions/observationHistory.ts';

const url = 'https://site.example/';
const actions = (count: number): Action[] =>
  SPECIAL_ACTIONS.slice(0, 1).flatMap(one => Array(count).fill(one));
const refusal = expect.objectContaining({ code: 'VALIDATION_ERROR' });

describe('observations that can be named again', () => {
  it('are the last eight', () => {
    const seen = new ObservationHistory();
    const ids = Array.from({ length: 9 }, () => seen.add(url, actions(1)));
    expect(() => seen.get(ids[0] ?? '')).toThrow(refusal);
    expect(seen.get('o2').actions).toHaveLength(1);
  });

  it('are fewer where their pages are large', () => {
    const seen = new ObservationHistory();
    const [first = '', second = ''] = [seen.add(url, actions(3_000)), seen.add(url, actions(3_000))];
    expect(() => seen.get(first)).toThrow(refusal);
    expect(seen.get(second).actions).toHaveLength(3_000);
  });

  it('are none where a page is beyond all bounds, and those before it stay', () => {
    const seen = new ObservationHistory();
    const before = seen.add(url, actions(1));
    const huge = seen.add(url, actions(5_001));
    expect(() => seen.get(huge)).toThrow(refusal);
    expect(() => seen.diff(before, null)).toThrow(refusal);
    expect(seen.get(before).actions).toHaveLength(1);
  });
});
