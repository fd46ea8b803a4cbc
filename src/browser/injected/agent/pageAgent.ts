/** The interface of `globalThis.__pagespace`, the object that the injected script offers to the service. */

import type { armClickGuard, clickResult, gaveWay } from '../act/clickGuard.ts';
import type { paste, pasteText, preparePaste } from '../act/clipboard.ts';
import type { areSortableSiblings, dragHandlePoint, hoverHostPoint } from '../act/dragHandle.ts';
import type { fillSecret, secretProblem } from '../act/fillSecret.ts';
import type { findInField, findText, selectInField } from '../act/findText.ts';
import type { waitForContent, waitForFirstEffect } from '../act/firstEffect.ts';
import type {
  differsFrom,
  isChecked,
  isOpenList,
  offeredOptions,
  readOptions,
  submitsForm,
  timePoint,
  valueProblem,
} from '../act/formControls.ts';
import type { focusTaker } from '../act/keyGuard.ts';
import type { isTouchedOnly } from '../act/listenedEvents.ts';
import type { answerPicker, openPicker } from '../act/openPicker.ts';
import type { changeSince, elementBox, movedBy, rememberState } from '../act/pageState.ts';
import type { findBySelector, prepareAction, reveal } from '../act/prepareAction.ts';
import type { runMediaCommand } from '../act/runMediaCommand.ts';
import type { readSlider, shownNumbers, sliderPosition, sliderTrack } from '../act/sliderReadings.ts';
import type {
  beginSecretTyping,
  beginTextEntry,
  clickElement,
  fixedPart,
  focusElement,
  isInPopupOfFocus,
  isPresent,
  keptAffix,
  refusedValue,
  setInputValue,
} from '../act/textEntry.ts';
import type { waitForRest, waitUntilStill } from '../act/waitForRest.ts';
import type { scrollRegion, wheelTurn } from '../act/wheelTurn.ts';
import type { secretBoxes, secretValues } from '../dom/secretFields.ts';
import type { statedHost } from '../perceive/element/customElement.ts';
import type { hasFocusedElement } from '../perceive/element/shadowRootOf.ts';
import type { elementByKey } from '../perceive/elementKeys.ts';
import type { framePlace, framePlaceOf, isFrameAt, windowPlace } from '../perceive/framePlace.ts';
import type { closedHost, frameElement } from '../perceive/lastObservation.ts';
import type { resolveKey } from '../perceive/resolveKey.ts';
import type { isNamedAsListed } from '../perceive/sameMeaning.ts';
import type { ObserveOptions } from '../perceive/wireFormat.ts';
import type { endStep, markStep, settle, waitWhileBusy } from '../settle/quiet.ts';
import type { nextChange, pictureText, showsText } from '../settle/shownText.ts';
import type { waitWhileHeld } from '../settle/stepInput.ts';

/**
 * The functions that the service calls in the isolated world of a frame. Every frame that the service has observed has
 * its own object. Each parameter `key` is the key of a listed element.
 */
export interface PageAgent {
  /**
   * Lists the interactive elements and the iframes of the document.
   * @param nodes the nodes that have event listeners, in the order of `options.listenerTypes`, then the roots of closed
   *   shadow trees; values that are not nodes of this document are skipped
   * @returns JSON of a `CompactFrameObservation`
   */
  observe(options: ObserveOptions, ...nodes: unknown[]): string;
  readonly element: typeof elementByKey;
  readonly resolve: typeof resolveKey;
  readonly prepareAction: typeof prepareAction;
  readonly reveal: typeof reveal;
  /**
   * Returns the custom element with this index in the last observation, which may have a closed shadow tree. The service
   * passes the closed root to the next `observe`.
   */
  readonly closedHost: typeof closedHost;
  /**
   * Returns the custom element with this index among the `statedHosts` of the last observation. The service passes what it states to
   * the next `observe`.
   */
  readonly statedHost: typeof statedHost;
  readonly frameElement: typeof frameElement;
  readonly framePlace: typeof framePlace;
  readonly framePlaceOf: typeof framePlaceOf;
  readonly windowPlace: typeof windowPlace;
  readonly isFrameAt: typeof isFrameAt;
  readonly elementBox: typeof elementBox;

  readonly findBySelector: typeof findBySelector;
  readonly isPresent: typeof isPresent;
  readonly hasFocusedElement: typeof hasFocusedElement;
  readonly clickElement: typeof clickElement;
  readonly focusElement: typeof focusElement;
  readonly scrollRegion: typeof scrollRegion;
  readonly isOpenList: typeof isOpenList;
  readonly readOptions: typeof readOptions;
  readonly isChecked: typeof isChecked;
  readonly differsFrom: typeof differsFrom;
  readonly valueProblem: typeof valueProblem;
  readonly readSlider: typeof readSlider;
  readonly shownNumbers: typeof shownNumbers;
  readonly sliderPosition: typeof sliderPosition;
  readonly sliderTrack: typeof sliderTrack;
  readonly runMediaCommand: typeof runMediaCommand;
  readonly areSortableSiblings: typeof areSortableSiblings;
  readonly rememberState: typeof rememberState;
  readonly changeSince: typeof changeSince;
  readonly movedBy: typeof movedBy;
  readonly setInputValue: typeof setInputValue;
  readonly isInPopupOfFocus: typeof isInPopupOfFocus;
  readonly dragHandlePoint: typeof dragHandlePoint;
  readonly gaveWay: typeof gaveWay;
  readonly hoverHostPoint: typeof hoverHostPoint;
  readonly timePoint: typeof timePoint;
  readonly beginTextEntry: typeof beginTextEntry;
  readonly beginSecretTyping: typeof beginSecretTyping;
  readonly isNamedAsListed: typeof isNamedAsListed;
  readonly submitsForm: typeof submitsForm;
  readonly secretProblem: typeof secretProblem;
  readonly fillSecret: typeof fillSecret;
  readonly secretValues: typeof secretValues;
  readonly keptAffix: typeof keptAffix;
  readonly fixedPart: typeof fixedPart;
  readonly refusedValue: typeof refusedValue;
  readonly focusTaker: typeof focusTaker;
  readonly offeredOptions: typeof offeredOptions;
  readonly openPicker: typeof openPicker;
  readonly answerPicker: typeof answerPicker;
  readonly waitForRest: typeof waitForRest;
  readonly waitUntilStill: typeof waitUntilStill;
  readonly wheelTurn: typeof wheelTurn;
  readonly isTouchedOnly: typeof isTouchedOnly;
  readonly findText: typeof findText;
  readonly findInField: typeof findInField;
  readonly selectInField: typeof selectInField;
  readonly armClickGuard: typeof armClickGuard;
  readonly clickResult: typeof clickResult;

  readonly preparePaste: typeof preparePaste;
  readonly paste: typeof paste;
  readonly pasteText: typeof pasteText;

  readonly markStep: typeof markStep;
  readonly settle: typeof settle;
  readonly waitWhileHeld: typeof waitWhileHeld;
  readonly waitWhileBusy: typeof waitWhileBusy;
  readonly waitForFirstEffect: typeof waitForFirstEffect;
  readonly waitForContent: typeof waitForContent;
  readonly endStep: typeof endStep;
  readonly showsText: typeof showsText;
  pictureText(): ReturnType<typeof pictureText>;
  readonly secretBoxes: typeof secretBoxes;
  readonly nextChange: typeof nextChange;
}
