/** Decides whether a change of the document is one that a reader would notice, or only decoration such as a ripple. */
import { MAX_SEARCHED_TEXT } from '../../settle/policy.ts';
import { CONTROLS, FIELDS } from '../dom/vocabulary.ts';

/** Attributes, beside those of ARIA, whose change shows, hides or alters what a reader sees. */
const STATE_ATTRIBUTES = new Set('hidden open value src href checked selected readonly'.split(' '));
/** Elements that are content even without text. */
const CONTENT_ELEMENTS = 'a,button,input,select,textarea,img,svg,canvas,video,iframe,dialog,progress,[role]';
/** Controls, whose class and style change while they are pressed or focused. */
const PRESSED = `a, button, label, ${FIELDS}, [role=button], [role=tab], [role=menuitem]`;

/** Returns true if the change is to text, to elements with content, or to the state of an element. That a control is disabled shows nothing yet. */
export function isContentChange(change: MutationRecord): boolean {
  const { type, target, addedNodes, removedNodes, attributeName } = change;
  if (type === 'characterData') return true;
  if (type === 'childList') return [...addedNodes, ...removedNodes].some(isContent);
  const name = attributeName ?? '';
  if (name === 'disabled' || name === 'aria-disabled')
    return target instanceof Element && !target.matches('[disabled], [aria-disabled="true"]');
  if (name.startsWith('aria-') || STATE_ATTRIBUTES.has(name)) return true;
  if ((name !== 'class' && name !== 'style') || !(target instanceof Element)) return false;
  return !target.matches(PRESSED) && isContent(target);
}

const has = (node: Node, selector: string): boolean =>
  node instanceof Element && (node.matches(selector) || node.querySelector(selector) !== null);
export const hasControl = (node: Node): boolean => has(node, CONTROLS);

function isContent(node: Node): boolean {
  if (node instanceof Element && (node.localName === 'style' || node.localName === 'script')) return false;
  if (node instanceof HTMLIFrameElement && (node.hidden || node.style.display === 'none')) return false;
  const text: unknown = node.textContent;
  if (typeof text === 'string' && text.slice(0, MAX_SEARCHED_TEXT).trim() !== '') return true;
  return has(node, CONTENT_ELEMENTS);
}
