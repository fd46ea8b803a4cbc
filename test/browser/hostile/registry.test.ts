import { describe, expect, it } from 'vitest';
import type { RawElement } from '../../../src/browser/perceive/raw.ts';
import { Registry } from '../../../src/browser/perceive/registry.ts';

const element = (key: number): RawElement => ({
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
function looks(count: number): Registry {
  const registry = new Registry();
  for (let look = 0; look < count; look++) {
    registry.begin('document');
    registry.id('document', [], element(1));
    for (let nth = 0; nth < 1_000; nth++) registry.id('document', [], element(2 + look * 1_000 + nth));
  }
  return registry;
}

describe('a page whose elements are new at each look', () => {
  it('has those of the last look remembered, and what stays', () => {
    const registry = looks(20);
    expect(registry.look('B1').state).toBe('listed');
    expect(registry.look('B20001').state).toBe('listed');
  });

  it('has those that are gone for long forgotten, but not taken for what never was', () => {
    const registry = looks(20);
    expect(registry.idOf('document', 2)).toBeNull();
    expect(registry.look('B2')).toMatchObject({ state: 'past', was: { description: 'of an earlier list' } });
    expect(registry.look('B20002').state).toBe('never');
  });

  it('has no id given twice', () => {
    const registry = looks(20);
    registry.begin('document');
    expect(registry.id('document', [], element(99_999))).toBe('B20002');
  });

  it('has its elements told as gone in the next document', () => {
    const registry = looks(2);
    registry.begin('next');
    expect(registry.look('B7')).toMatchObject({ state: 'past', was: { name: 'Button 7' } });
  });
});
