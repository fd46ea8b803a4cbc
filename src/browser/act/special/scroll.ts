import { Failure } from '../../../domain/failure/failures.ts';
import { invalidValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Value that scrolls a region of the page: the id of its element, and optionally the number of pixels: `B4`, or `B4 300`. */
const REGION = /^([LBI]\d+)(?:[\s,]+(\d+)(?:px)?)?$/i;

/**
 * Returns a function that scrolls the page, or the region whose id is in the value, by the number of pixels in the value.
 * Without a number it scrolls by 85 % of the height.
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
      const result = await world.callAgent('scrollRegion', listed.key, sign, pixels);
      if (result === 'not scrollable')
        throw new Failure(
          'ACTION_BLOCKED',
          `${id}: neither ${listed.id} (${listed.description}) nor the page scrolls.`,
          { retryable: false },
        );
      return;
    }
    const pixels = value === '' ? null : Number(value.replace(/px$/i, ''));
    if (pixels !== null && (!Number.isFinite(pixels) || pixels < 0))
      throw invalidValue(id, 'must be a number of pixels, or the id of a scrollable region', value);
    await (await topWorld()).callAgent('scrollRegion', null, sign, pixels);
  };
