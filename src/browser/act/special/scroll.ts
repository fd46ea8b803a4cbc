/** S9 and S10: scrolling, of the page or of a region by its id. */
import { Failure } from '../../../domain/failures.ts';
import type { StepRequest } from '../../../domain/ports/browserHost.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { ResolveElement } from '../elementContext.ts';

/** `B4`, or `B4 300`: a region, and how many pixels of it. */
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
 * S9 (direction 1) and S10 (-1): by pixels, the id of a region with or without pixels, or a page's height.
 * @throws Failure VALIDATION_ERROR; ACTION_BLOCKED where neither the region nor the page scrolls
 */
export async function scroll(
  command: StepRequest,
  direction: 1 | -1,
  topWorld: IsolatedWorld,
  resolveElement: ResolveElement,
): Promise<void> {
  const value = (command.params.pixels ?? command.value ?? '').trim();
  const region = REGION.exec(value);
  if (region?.[1] !== undefined) {
    const element = await resolveElement(region[1].toUpperCase());
    const pixelsOfRegion = region[2] === undefined ? null : Number(region[2]);
    const scrolled = await element.world.call<ScrollResult>(
      SCROLL,
      element.listed.key,
      direction,
      pixelsOfRegion,
    );
    if (scrolled === 'not scrollable')
      throw new Failure(
        'ACTION_BLOCKED',
        `${command.actionId}: neither ${element.listed.id} (${element.listed.description}) nor the page scrolls.`,
      );
    return;
  }
  const pixels = value === '' ? null : Number(value.replace(/px$/i, ''));
  if (pixels !== null && (!Number.isFinite(pixels) || pixels < 0))
    throw new Failure(
      'VALIDATION_ERROR',
      `${command.actionId} takes pixels or the id of a region; got "${value.slice(0, 100)}".`,
      {
        errors: [{ path: 'value', message: 'must be a number of pixels, or the id of a scrollable region' }],
      },
    );
  await topWorld.call(SCROLL, null, direction, pixels);
}
