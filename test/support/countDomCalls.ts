/** Counts how often scripts in an isolated world call the DOM: the work of a script, which no other load changes. */
import type { IsolatedWorld } from '../../src/browser/cdp/isolatedWorld.ts';

/** Counts the calls of all DOM methods and getters in the world, by name, and as `searched` the elements that `querySelectorAll` visits. */
const COUNT_CALLS = `(() => {
  const calls = globalThis.__calls = Object.create(null);
  const count = (name, times) => { calls[name] = (calls[name] ?? 0) + times; };
  const counted = (name, own) => function (...args) { count(name, 1); return own.apply(this, args); };
  const { getElementsByTagName, querySelectorAll } = Element.prototype;
  Element.prototype.querySelectorAll = function (selector) {
    count('searched', getElementsByTagName.call(this, '*').length);
    return querySelectorAll.call(this, selector);
  };
  for (const { prototype } of [Node, Element, HTMLElement, CharacterData, Document, Range, NodeList, HTMLCollection])
    for (const [name, found] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || !found.configurable) continue;
      for (const key of ['get', 'value']) if (typeof found[key] === 'function') found[key] = counted(name, found[key]);
      Object.defineProperty(prototype, name, found);
    }
  globalThis.getComputedStyle = counted('getComputedStyle', globalThis.getComputedStyle);
})()`;

/** Begins to count. Call it before the script to count is in the world: scripts of the service keep the functions that they find. */
export const countDomCalls = (world: IsolatedWorld): Promise<undefined> => world.evaluate(COUNT_CALLS);

/** Returns the number of calls since `countDomCalls` by the name of the method or getter. */
export const domCalls = (world: IsolatedWorld): Promise<Record<string, number>> =>
  world.evaluate('({ ...globalThis.__calls })');

/** Returns the number of all calls. */
export const totalOf = (calls: Readonly<Record<string, number>>): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);
