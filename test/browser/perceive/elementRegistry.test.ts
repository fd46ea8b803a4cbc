import { describe, expect, it } from 'vitest';
import type { ObservedElement } from '../../../src/browser/injected/perceive/wireFormat.ts';
import { ElementRegistry } from '../../../src/browser/perceive/elementRegistry.ts';

const element = (key: number): ObservedElement => ({
  key,
  letter: 'B',
  control: 'click',
  role: 'button',
  name: `Button ${key}`,
  description: `button "Button ${key}"`,
  category: 'Page',
  status: 'valid',
  params: [],
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  gesture: null,
  inViewport: true,
  layer: null,
  box: [0, 0, 1, 1],
  fingerprint: `button|Button ${key}`,
});

/** A registry after observations of a page with a thousand new elements each time, and one that stays. */
function afterObservations(count: number): ElementRegistry {
  const registry = new ElementRegistry();
  for (let round = 0; round < count; round++) {
    registry.startObservation('document');
    registry.idFor('document', [], element(1));
    for (let nth = 0; nth < 1_000; nth++) registry.idFor('document', [], element(2 + round * 1_000 + nth));
  }
  return registry;
}

describe('ElementRegistry, for a page with new elements in each observation', () => {
  it('looks up the elements of the last observation and the one that stays', () => {
    const registry = afterObservations(20);
    expect(registry.lookup('B1').state).toBe('listed');
    expect(registry.lookup('B20001').state).toBe('listed');
  });

  it('forgets old elements but still knows that their ids were assigned', () => {
    const registry = afterObservations(20);
    expect(registry.findId('document', 2)).toBeNull();
    expect(registry.lookup('B2')).toMatchObject({
      state: 'past',
      was: { description: 'of an earlier list' },
    });
    expect(registry.lookup('B20002').state).toBe('never');
  });

  it('never assigns an id twice', () => {
    const registry = afterObservations(20);
    registry.startObservation('document');
    expect(registry.idFor('document', [], element(99_999))).toBe('B20002');
  });

  it('looks up the elements of the previous document as past', () => {
    const registry = afterObservations(2);
    registry.startObservation('next');
    expect(registry.lookup('B7')).toMatchObject({ state: 'past', was: { name: 'Button 7' } });
  });
});

it('a copy of an ElementRegistry knows its elements, and what it reads of another page leaves the ids of the original as they are', () => {
  const registry = afterObservations(1);
  const copy = registry.copy();
  expect(copy.idFor('document', [], element(1))).toBe('B1');
  copy.startObservation('another');
  copy.idFor('another', [], element(9));
  expect(registry.lookup('B1')).toMatchObject({ state: 'listed', listed: { document: 'document', key: 1 } });
});
