import { Failure } from '../../../domain/failures.ts';
import { invalidValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** `B4`, or `B4 300`: a region, and the number of pixels to scroll it. */
const REGION = /^([LBI]\d+)(?:[\s,]+(\d+)(?:px)?)?$/i;

type ScrollResult = 'scrolled' | 'at its end' | 'not scrollable';

/**
 * Scrolls the element, else the nearest box around it that scrolls; one that only scrolls sideways goes sideways. Without
 * an element the page, or where that stands still what is in its middle, as a wheel would. A form hides its members behind
 * inputs of their names, in every world: they are read past it.
 */
const SCROLL = `(key, direction, pixels) => {
  const reader = (type, name) => { const { get } = Object.getOwnPropertyDescriptor(type.prototype, name); return e => get.call(e); };
  const [parent, height, width, shownHeight, shownWidth, top, left] = [[Node, 'parentElement'], [Element, 'scrollHeight'],
    [Element, 'scrollWidth'], [Element, 'clientHeight'], [Element, 'clientWidth'], [Element, 'scrollTop'], [Element, 'scrollLeft']]
    .map(([type, name]) => reader(type, name));
  const page = reader(Document, 'scrollingElement')(document) || reader(Document, 'documentElement')(document);
  const still = height(page) <= innerHeight + 1;
  const middle = () => Document.prototype.elementFromPoint.call(document, innerWidth / 2, innerHeight / 2);
  const region = key !== null ? __pagespace.element(key) : still ? middle() : page;
  let target = page;
  let way = 'top';
  for (let e = region; e && e !== page; e = parent(e)) {
    const style = getComputedStyle(e);
    if (height(e) > shownHeight(e) + 1 && /auto|scroll|overlay/.test(style.overflowY)) { target = e; break; }
    if (width(e) > shownWidth(e) + 1 && /auto|scroll|overlay/.test(style.overflowX)) { target = e; way = 'left'; break; }
  }
  const at = way === 'top' ? top : left;
  const size = target === page ? innerHeight : (way === 'top' ? shownHeight : shownWidth)(target);
  const step = pixels === null ? Math.max(40, size * 0.85) : pixels;
  const before = at(target);
  Element.prototype.scrollBy.call(target, { [way]: direction * step, behavior: 'instant' });
  if (at(target) !== before) return 'scrolled';
  return target === page && still ? 'not scrollable' : 'at its end';
}`;

/**
 * Scrolls the page, or the region with the given id, by a number of pixels or by 85 % of its height.
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED when neither the region nor the page can be scrolled
 */
export const scroll =
  (direction: 'down' | 'up'): PerformSpecialAction =>
  async ({ id, command, topWorld, resolveElement }) => {
    const sign = direction === 'down' ? 1 : -1;
    const value = (command.params.pixels ?? command.value ?? '').trim();
    const [, regionId, regionPixels] = REGION.exec(value) ?? [];
    if (regionId !== undefined) {
      const { world, listed } = await resolveElement(regionId.toUpperCase());
      const pixels = regionPixels === undefined ? null : Number(regionPixels);
      const result = await world.call<ScrollResult>(SCROLL, listed.key, sign, pixels);
      if (result === 'not scrollable')
        throw new Failure(
          'ACTION_BLOCKED',
          `${id}: neither ${listed.id} (${listed.description}) nor the page scrolls.`,
        );
      return;
    }
    const pixels = value === '' ? null : Number(value.replace(/px$/i, ''));
    if (pixels !== null && (!Number.isFinite(pixels) || pixels < 0))
      throw invalidValue(id, 'must be a number of pixels, or the id of a scrollable region', value);
    await (await topWorld()).call(SCROLL, null, sign, pixels);
  };
