/** Entry point of the bundle `agent`: installs `globalThis.__pagespace` once in each document. */

import { armClickGuard, clickResult, gaveWay, watchInterceptedClicks } from '../act/clickGuard.ts';
import { paste, pasteText, preparePaste, watchClipboard } from '../act/clipboard.ts';
import { areSortableSiblings, dragHandlePoint, hoverHostPoint } from '../act/dragHandle.ts';
import { takesFileDrag, watchFileDrag } from '../act/fileDrag.ts';
import { fillSecret, secretProblem } from '../act/fillSecret.ts';
import { findInField, findText, selectInField } from '../act/findText.ts';
import {
  differsFrom,
  isChecked,
  isOpenList,
  offeredOptions,
  readOptions,
  submitsForm,
  timePoint,
  valueProblem,
} from '../act/formControls.ts';
import { focusTaker } from '../act/keyGuard.ts';
import { isTouchedOnly, setListeners } from '../act/listenedEvents.ts';
import { answerPicker, isPickerDrawn, openPicker, reopenPicker } from '../act/openPicker.ts';
import { changeSince, elementBox, movedBy, rememberState } from '../act/pageState.ts';
import { findBySelector, prepareAction, reveal } from '../act/prepareAction.ts';
import { runMediaCommand } from '../act/runMediaCommand.ts';
import { readSlider, shownNumbers, sliderPosition, sliderTrack } from '../act/sliderReadings.ts';
import {
  beginSecretTyping,
  beginTextEntry,
  clickElement,
  fixedPart,
  focusElement,
  goToBlankLine,
  isInPopupOfFocus,
  isMixedUp,
  isPresent,
  keptAffix,
  refusedValue,
  setInputValue,
  watchSecretEntry,
} from '../act/textEntry.ts';
import { waitForFrames, waitForRest, waitUntilStill } from '../act/waitForRest.ts';
import { scrollRegion, wheelTurn } from '../act/wheelTurn.ts';
import { listing, observation, reading } from '../dom/lifetimes.ts';
import { secretBoxes, secretFields, secretValues } from '../dom/secretFields.ts';
import { orSkipped, skippedParts } from '../dom/skipped.ts';
import { collectMessages, watchInvalidFields } from '../messages/collectMessages.ts';
import { watchTexts, watchUnloadMessages } from '../messages/passingTexts.ts';
import { readTextBlocks } from '../messages/textBlocks.ts';
import { ownTexts } from '../messages/textChanges.ts';
import { noteAttributeChange, unlistedChanges } from '../messages/unlistedChanges.ts';
import { showsNewLook, withLooks } from '../perceive/controlLooks.ts';
import { statedHost } from '../perceive/element/customElement.ts';
import { drawnPlace } from '../perceive/element/drawnPlace.ts';
import { hasFocusedElement } from '../perceive/element/shadowRootOf.ts';
import { elementByKey, keyOfElement } from '../perceive/elementKeys.ts';
import { withFocusAndPictures } from '../perceive/focusAndPictures.ts';
import { framePlace, isFrameAt, windowPlace } from '../perceive/framePlace.ts';
import { busyClassed, closedHost, frameElement } from '../perceive/lastObservation.ts';
import { briefLabel } from '../perceive/name/identifierWords.ts';
import { observeDocument } from '../perceive/observeDocument.ts';
import { resolveKey } from '../perceive/resolveKey.ts';
import { isNamedAsListed } from '../perceive/sameMeaning.ts';
import { nextChange, pictureText, showsText } from '../perceive/shownText.ts';
import { type ObservedSecrets, type ObserveOptions, toCompact } from '../perceive/wireFormat.ts';
import { busyNow } from '../settle/busy.ts';
import { endStep, markStep, settle, waitWhile, watchDocument } from '../settle/quiet.ts';
import { watchStepInput } from '../settle/stepInput.ts';

function observedSecrets(): { readonly secrets?: ObservedSecrets } {
  const values = secretValues();
  const keys = secretFields()
    .map(keyOfElement)
    .filter(key => key !== null);
  return values.length + keys.length === 0 ? {} : { secrets: { values, keys } };
}

const agent = {
  /**
   * Lists the interactive elements and the iframes of the document.
   * @param nodes the nodes that have event listeners, in the order of `options.listenerTypes`, then the roots of closed shadow trees; values
   *   that are not nodes of this document are skipped
   * @returns JSON of a `CompactFrameObservation`
   */
  observe(options: ObserveOptions, ...nodes: unknown[]): string {
    for (const lifetime of [reading, observation, listing]) lifetime.begin();
    setListeners(options.listenerTypes, nodes);
    try {
      const observation = observeDocument(options, nodes);
      const elements = withLooks(withFocusAndPictures(observation.elements));
      const messages = collectMessages(options, elements);
      const textBlocks = options.text === true ? orSkipped(readTextBlocks) : null;
      const busy = options.top
        ? orSkipped(() => busyNow(busyClassed(), ownTexts(), elements.length > 0, briefLabel))
        : null;
      const changes = orSkipped(() => unlistedChanges(options.repeats === true)) ?? '';
      const parts = {
        ...{ busy: busy ?? [], textBlocks: textBlocks ?? [] },
        ...(changes !== '' && { unlistedChanges: changes }),
        ...observedSecrets(),
      };
      return toCompact({ ...observation, elements, ...messages, ...parts, ...skippedParts() });
    } finally {
      listing.end();
    }
  },
  element: elementByKey,
  resolve: resolveKey,
  prepareAction,
  reveal,
  closedHost,
  statedHost,
  frameElement,
  framePlace,
  drawnPlace,
  windowPlace,
  isFrameAt,
  elementBox,
  findBySelector,
  findText,
  findInField,
  selectInField,
  dragHandlePoint,
  gaveWay,
  hoverHostPoint,
  timePoint,
  rememberState,
  changeSince,
  movedBy,
  setInputValue,
  isInPopupOfFocus,
  beginTextEntry,
  beginSecretTyping,
  secretProblem,
  fillSecret,
  secretValues,
  isNamedAsListed,
  submitsForm,
  keptAffix,
  fixedPart,
  goToBlankLine,
  isMixedUp,
  refusedValue,
  focusTaker,
  offeredOptions,
  openPicker,
  isPickerDrawn,
  reopenPicker,
  answerPicker,
  waitForFrames,
  waitForRest,
  waitUntilStill,
  wheelTurn,
  isTouchedOnly,
  hasFocusedElement,
  isPresent,
  watchFileDrag,
  takesFileDrag,
  clickElement,
  focusElement,
  scrollRegion,
  isOpenList,
  readOptions,
  isChecked,
  differsFrom,
  valueProblem,
  readSlider,
  shownNumbers,
  sliderPosition,
  sliderTrack,
  runMediaCommand,
  areSortableSiblings,
  armClickGuard,
  clickResult,
  preparePaste,
  paste,
  pasteText,
  markStep,
  settle,
  waitWhile,
  endStep,
  showsText,
  pictureText: () => pictureText(),
  secretBoxes,
  nextChange,
};

/**
 * The functions that the service calls in the isolated world of a frame. Every frame that the service has observed has an object of its own. Each
 * parameter `key` is the key of a listed element.
 */
export type PageAgent = typeof agent;

if (!Object.hasOwn(globalThis, '__pagespace')) {
  Object.defineProperty(globalThis, '__pagespace', { value: agent, configurable: true });
  watchDocument({ changed: watchTexts, attributeChanged: noteAttributeChange, hasNewLook: showsNewLook });
  watchStepInput();
  watchInvalidFields();
  if (window === top) watchUnloadMessages();
  watchInterceptedClicks();
  watchClipboard();
  watchSecretEntry();
}
