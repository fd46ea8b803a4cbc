/** Finds the candidates that are rendered in the slots of candidates of shadow trees: the tabs in the box of a tab group. */
import {
  checkVisibility,
  getRootNode,
  isShadowRoot,
  localName,
  queryIn,
  renderedParent,
} from '../../dom/domGetters.ts';
import { type Candidate, isExplicit } from '../candidate.ts';
import { hasShadowTrees } from '../element/shadowRootOf.ts';

/** Maximum number of levels in the rendered tree from a candidate up to the box around its slot. */
const MAX_LEVELS = 24;

/**
 * Returns, for each candidate of a shadow tree around a slot, the candidates whose nearest candidate box it is; for a control of a shadow
 * tree only the boxes that the cursor over them makes candidates, which is that of the control.
 */
export function slottedCandidates(
  candidates: readonly Candidate[],
): ReadonlyMap<Candidate, readonly Candidate[]> {
  const boxes = new Map<Element, Candidate>();
  const slotted = new Map<Candidate, Candidate[]>();
  if (!hasShadowTrees()) return slotted;
  for (const candidate of candidates)
    if (holdsSlot(candidate.element)) boxes.set(candidate.element, candidate);
  if (boxes.size === 0) return slotted;
  for (const candidate of candidates) {
    const box = boxAround(candidate, boxes);
    if (box === null || (isExplicit(box) && candidate.basis !== 'cursor')) continue;
    if (!checkVisibility(candidate.element)) continue;
    const known = slotted.get(box);
    if (known === undefined) slotted.set(box, [candidate]);
    else known.push(candidate);
  }
  return slotted;
}

const holdsSlot = (element: Element): boolean =>
  isShadowRoot(getRootNode(element)) && (localName(element) === 'slot' || queryIn(element, 'slot') !== null);

function boxAround(
  { element, ancestor }: Candidate,
  boxes: ReadonlyMap<Element, Candidate>,
): Candidate | null {
  let at = renderedParent(element);
  for (
    let up = 0;
    at !== null && at !== ancestor?.element && up < MAX_LEVELS;
    up++, at = renderedParent(at)
  ) {
    const box = boxes.get(at);
    if (box !== undefined) return box;
  }
  return null;
}
