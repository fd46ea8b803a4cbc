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
  inViewport: true,
  box: [0, 0, 1, 1],
  fingerprint: `button|Button ${key}`,
});

/** A page that has a thousand new elements at each look, beside the one that stays. */
function looks(count: number): ElementRegistry {
  const registry = new ElementRegistry();
  for (let look = 0; look < count; look++) {
    registry.startObservation('document');
    registry.idFor('document', [], element(1));
    for (let nth = 0; nth < 1_000; nth++) registry.idFor('document', [], element(2 + look * 1_000 + nth));
  }
  return registry;
}

describe('a page whose elements are new at each look', () => {
  it('has those of the last look remembered, and what stays', () => {
    const registry = looks(20);
    expect(registry.lookup('B1').state).toBe('listed');
    expect(registry.lookup('B20001').state).toBe('listed');
  });

  it('has those that are gone for long forgotten, but not taken for what never was', () => {
    const registry = looks(20);
    expect(registry.findId('document', 2)).toBeNull();
    expect(registry.lookup('B2')).toMatchObject({
      state: 'past',
      was: { description: 'of an earlier list' },
    });
    expect(registry.lookup('B20002').state).toBe('never');
  });

  it('has no id given twice', () => {
    const registry = looks(20);
    registry.startObservation('document');
    expect(registry.idFor('document', [], element(99_999))).toBe('B20002');
  });

  it('has its elements told as gone in the next document', () => {
    const registry = looks(2);
    registry.startObservation('next');
    expect(registry.lookup('B7')).toMatchObject({ state: 'past', was: { name: 'Button 7' } });
  });
});
