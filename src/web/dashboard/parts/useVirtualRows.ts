/** Shows only the rows of a long list that are on the screen. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

/** The rows to draw, the height of all of them in pixels, and a way to one of them. */
export interface VirtualRows {
  readonly rows: readonly VirtualItem[];
  readonly height: number;
  readonly scrollTo: (index: number) => void;
}

/** @param rowHeight height of each row in pixels; `keyOf` gives a row the same key wherever it stands */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  keyOf: (index: number) => string | number,
): VirtualRows {
  const [, redraw] = useReducer<number, null>(drawn => drawn + 1, 0);
  const keys = useRef(keyOf);
  keys.current = keyOf;
  const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: index => keys.current(index),
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 8,
    onChange: () => redraw(null),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    rows: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollTo: index => virtualizer.scrollToIndex(index),
  };
}
