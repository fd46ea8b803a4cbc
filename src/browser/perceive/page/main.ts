/** Entry of the in-page observer. */
import { pack } from '../packed.ts';
import type { PageAgent } from '../raw.ts';
import { elementOf } from './keys.ts';
import { closedHost, frameElement, observe, resolve } from './observe.ts';
import { awaitPress, wasHeldBack, watchHeldBack } from './press.ts';
import { mark, settle, watchDocument } from './settle.ts';
import { findWords } from './words.ts';

const look: PageAgent['look'] = (options, nodes) => pack(observe(options, nodes));

const agent: PageAgent = {
  look,
  observe,
  element: elementOf,
  resolve,
  closedHost,
  frameElement,
  findWords,
  awaitPress,
  wasHeldBack,
  mark,
  settle,
};

if (!('__pagespace' in globalThis)) {
  Object.defineProperty(globalThis, '__pagespace', { value: agent, configurable: true });
  watchDocument();
  watchHeldBack();
}
