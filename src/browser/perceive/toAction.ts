/** Makes the action of a listed element. */
import type { Action, ActionKind, ActionLayer, Rect } from '../../domain/space/action.ts';
import { normalizeText } from '../../domain/space/pageText.ts';
import { type Placement, toPage } from '../../domain/space/placement.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { ObservedElement } from '../injected/perceive/wireFormat.ts';
import type { ElementRegistry } from './elementRegistry.ts';

const KIND_BY_LETTER: Readonly<Record<ObservedElement['letter'], ActionKind>> = {
  L: 'link',
  B: 'button',
  I: 'input',
};
/** The position of a frame in the page. */
export interface FramePosition {
  /** Indexes of the iframes around the frame's document, from the outermost to the innermost; empty for the top frame. */
  readonly path: readonly number[];
  /** The place of the frame's document on the page. */
  readonly placement: Placement;
  /** URL of the frame; null for the top frame. */
  readonly url: string | null;
  /** The layer of the page that contains the frame; null for the normal one. */
  readonly layer: ActionLayer | null;
  /** The category for elements of the frame that are in no section of their own; null for the top frame, which uses `Page`. */
  readonly category: string | null;
}

/** Converts a box in a document to one of the page. Rounds to tenths of pixels. */
function onPage([left, top, width, height]: ObservedElement['box'], placement: Placement): Rect {
  const { x, y } = toPage(placement, { x: left, y: top });
  const { scaleX, scaleY } = placement;
  return { x: round(x), y: round(y), width: round(width * scaleX), height: round(height * scaleY) };
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Returns the action of an element in its frame, with the id that the registry gives it. */
export function toAction(
  registry: ElementRegistry,
  world: IsolatedWorld,
  element: ObservedElement,
  position: FramePosition,
): Action {
  const layer = position.layer ?? element.layer;
  const isBelow = layer === 'below' && element.status === 'valid';
  const hasOwnCategory = element.category !== '' && element.category !== 'Page';
  return {
    id: registry.idFor(world.context.uniqueId, position.path, element),
    kind: KIND_BY_LETTER[element.letter],
    description: element.description,
    category: hasOwnCategory ? element.category : (position.category ?? 'Page'),
    status: isBelow ? 'covered' : element.status,
    params: element.params,
    role: element.role,
    name: element.name,
    value: element.value,
    checked: element.checked,
    disabled: element.disabled,
    expanded: element.expanded,
    inViewport: element.inViewport,
    bounds: onPage(element.box, position.placement),
    frame: position.url,
    fingerprint: normalizeText(element.fingerprint),
    ...(element.focus !== undefined && { focus: element.focus }),
    ...(element.picture !== undefined && { picture: element.picture }),
    ...(element.look !== undefined && {
      look: {
        ...element.look,
        words: normalizeText(element.look.words),
        ...(element.look.lost !== undefined && { lost: normalizeText(element.look.lost) }),
      },
    }),
    ...(layer !== null && { layer }),
  };
}
