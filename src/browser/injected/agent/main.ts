/** Entry of the in-page observer. */

import { armClickGuard, wasClickIntercepted, watchInterceptedClicks } from '../act/clickGuard.ts';
import { findText } from '../act/findText.ts';
import { toCompact } from '../perceive/compactWire.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { closedHost, frameElement, observeDocument, resolveElement } from '../perceive/observeDocument.ts';
import type { PageAgent } from '../perceive/wireFormat.ts';
import { mark, settle, watchDocument } from '../tab/documentSettle.ts';

const look: PageAgent['look'] = (options, nodes) => toCompact(observeDocument(options, nodes));

const agent: PageAgent = {
  look,
  observe: observeDocument,
  element: elementByKey,
  resolve: resolveElement,
  closedHost,
  frameElement,
  findWords: findText,
  awaitPress: armClickGuard,
  wasHeldBack: wasClickIntercepted,
  mark,
  settle,
};

if (!('__pagespace' in globalThis)) {
  Object.defineProperty(globalThis, '__pagespace', { value: agent, configurable: true });
  watchDocument();
  watchInterceptedClicks();
}
