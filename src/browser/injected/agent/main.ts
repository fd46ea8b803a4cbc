/** Entry point of the bundle `perceive`: installs `globalThis.__pagespace` once in each document. */
import { armClickGuard, wasClickIntercepted, watchInterceptedClicks } from '../act/clickGuard.ts';
import { findText } from '../act/findText.ts';
import { toCompact } from '../perceive/compactWire.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { closedHost, frameElement } from '../perceive/lastObservation.ts';
import { observeDocument } from '../perceive/observeDocument.ts';
import { resolveKey } from '../perceive/resolveKey.ts';
import { markStep, settle, watchDocument } from '../tab/documentSettle.ts';
import type { PageAgent } from './pageAgent.ts';

const agent: PageAgent = {
  observe: (options, ...nodes) => JSON.stringify(toCompact(observeDocument(options, nodes))),
  element: elementByKey,
  resolve: resolveKey,
  closedHost,
  frameElement,
  findText,
  armClickGuard,
  wasClickIntercepted,
  markStep,
  settle,
};

if (!('__pagespace' in globalThis)) {
  Object.defineProperty(globalThis, '__pagespace', { value: agent, configurable: true });
  watchDocument();
  watchInterceptedClicks();
}
