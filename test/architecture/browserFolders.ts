import type { FolderRule } from './folderRule.ts';

const SETTLE_POLICY = 'browser/settle/policy.ts';
const PAGE_TEXT = 'domain/space/pageText.ts';
const PAGE_BASE = ['browser/injected/dom', 'browser/injected/signals', 'browser/injected/settle'];
const CONTENT_BASE = ['browser/injected/dom', 'browser/injected/signals', PAGE_TEXT];
/** The folders of perceiving: each may import those after it. */
const PERCEIVE = [
  'browser/injected/perceive',
  'browser/injected/perceive/find',
  'browser/injected/perceive/name',
  'browser/injected/perceive/reach',
  'browser/injected/perceive/element',
];
const ACT = ['browser/act/element', 'browser/act/ready', 'browser/act/pointer', 'browser/act/values'];
const PERCEIVED = ['domain', 'browser/injected/perceive'];

/** The folders of src/browser. */
export const BROWSER_FOLDERS: readonly FolderRule[] = [
  // Code that runs inside pages. It is bundled and cannot load anything of the host.
  // The encoder of page texts is one for both sides: a pure function, bundled into the page.
  { path: 'browser/injected/dom', mayImport: [PAGE_TEXT], mayImportTypesOf: ['domain'] },
  // The numbers of the waits are one table for both sides: constants, bundled into the page.
  {
    path: 'browser/injected/settle',
    mayImport: [PAGE_TEXT, 'browser/injected/dom', SETTLE_POLICY],
    mayImportTypesOf: ['domain'],
  },
  { path: 'browser/injected/signals', mayImport: ['browser/injected/dom'], mayImportTypesOf: ['domain'] },
  {
    path: 'browser/injected/perceive/element',
    mayImport: [...PAGE_BASE, PAGE_TEXT],
    mayImportTypesOf: PERCEIVED,
  },
  {
    path: 'browser/injected/perceive/reach',
    mayImport: [...PAGE_BASE, PAGE_TEXT, 'browser/injected/perceive', 'browser/injected/perceive/element'],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/perceive/name',
    mayImport: [
      ...PAGE_BASE,
      PAGE_TEXT,
      'browser/injected/perceive/element',
      'browser/injected/perceive/reach',
    ],
    mayImportTypesOf: PERCEIVED,
  },
  {
    path: 'browser/injected/perceive/find',
    mayImport: [
      ...[...PAGE_BASE, PAGE_TEXT, 'browser/injected/perceive', 'browser/injected/perceive/element'],
      ...['browser/injected/perceive/name', 'browser/injected/perceive/reach'],
    ],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/perceive',
    mayImport: [...PAGE_BASE, PAGE_TEXT, ...PERCEIVE],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/act',
    mayImport: [...PAGE_BASE, PAGE_TEXT, SETTLE_POLICY, ...PERCEIVE],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/messages',
    mayImport: [...PAGE_BASE, PAGE_TEXT, ...PERCEIVE],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/agent',
    mayImport: [
      'browser/injected/act',
      'browser/injected/dom',
      'browser/injected/messages',
      'browser/injected/settle',
      ...PERCEIVE,
    ],
    mayImportTypesOf: ['domain', 'browser/injected/scrape'],
  },
  { path: 'browser/injected/scrape/clean', mayImport: CONTENT_BASE, mayImportTypesOf: ['domain'] },
  {
    path: 'browser/injected/scrape/snapshot',
    mayImport: [...CONTENT_BASE, 'browser/injected/scrape/clean'],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/scrape/structured',
    mayImport: [...CONTENT_BASE, 'browser/injected/scrape/snapshot'],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/scrape/article',
    mayImport: [...CONTENT_BASE, 'browser/injected/scrape/snapshot'],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/scrape/blocks',
    mayImport: CONTENT_BASE,
    mayImportTypesOf: ['domain', 'browser/injected/scrape', 'browser/injected/scrape/article'],
  },
  {
    path: 'browser/injected/scrape',
    mayImport: [
      ...CONTENT_BASE,
      ...['article', 'blocks', 'clean', 'snapshot', 'structured'].map(
        folder => `browser/injected/scrape/${folder}`,
      ),
    ],
    mayImportTypesOf: ['domain'],
  },

  // The host's side, from the bottom to the top.
  { path: 'browser/egress', mayImport: ['async', 'domain'] },
  {
    path: 'browser/cdp',
    mayImport: ['async', 'domain', 'browser/injected/agent', 'browser/injected/perceive'],
    mayImportTypesOf: ['browser/egress'],
  },
  { path: 'browser/limits', mayImport: ['async', 'domain', 'browser/cdp', 'browser/egress'] },
  {
    path: 'browser/launch',
    mayImport: ['async', 'domain', 'browser/cdp', 'browser/egress', 'browser/limits', 'browser/sandbox'],
  },
  { path: 'browser/sandbox', mayImport: ['async', 'domain', 'browser/egress'] },
  {
    path: 'browser/tab',
    mayImport: [
      ...['async', 'domain', 'browser/cdp', 'browser/egress', 'browser/limits'],
      ...['browser/injected/act', 'browser/injected/dom', SETTLE_POLICY],
    ],
  },
  // When a page has settled, and what it has begun.
  {
    path: 'browser/settle',
    mayImport: ['async', 'domain', 'browser/cdp', 'browser/injected/settle', 'browser/tab'],
  },
  {
    path: 'browser/perceive',
    mayImport: [
      ...['async', 'domain', 'browser/cdp', 'browser/settle', 'browser/tab'],
      'browser/injected/perceive',
    ],
  },
  // An action on an element, from its inputs at the bottom to the order of a step at the top.
  {
    path: 'browser/act/element',
    mayImport: ['domain'],
    mayImportTypesOf: [
      'browser/cdp',
      'browser/injected/act',
      'browser/injected/perceive',
      'browser/perceive',
      'browser/tab',
    ],
  },
  {
    path: 'browser/act/ready',
    mayImport: ['async', 'domain', 'browser/cdp'],
    mayImportTypesOf: ['browser/act/element', 'browser/tab'],
  },
  {
    path: 'browser/act/pointer',
    mayImport: ['domain', 'browser/act/element', 'browser/act/ready', 'browser/cdp', 'browser/tab'],
    mayImportTypesOf: ['browser/injected/act'],
  },
  {
    path: 'browser/act/values',
    mayImport: [
      'domain',
      'browser/act/element',
      'browser/act/pointer',
      'browser/act/ready',
      'browser/cdp',
      'browser/injected/perceive/element',
      'browser/tab',
    ],
    mayImportTypesOf: ['browser/injected/act', 'browser/perceive'],
  },
  {
    path: 'browser/act/special',
    mayImport: ['async', 'domain', ...ACT, 'browser/cdp', 'browser/tab'],
    mayImportTypesOf: ['browser/act'],
  },
  {
    path: 'browser/act',
    mayImport: [
      'async',
      'domain',
      ...ACT,
      'browser/act/special',
      'browser/cdp',
      'browser/settle',
      'browser/tab',
    ],
    mayImportTypesOf: ['browser/injected/act', 'browser/injected/perceive', 'browser/perceive'],
  },
  {
    path: 'browser/scrape',
    mayImport: [
      'async',
      'domain',
      'browser/cdp',
      'browser/injected/scrape',
      'browser/scrape/extract',
      'browser/scrape/resource',
      'browser/tab',
    ],
  },
  {
    path: 'browser/scrape/extract',
    mayImport: ['async', 'domain', 'browser/cdp', 'browser/injected/scrape', 'browser/scrape'],
  },
  {
    path: 'browser/scrape/resource',
    mayImport: [
      'async',
      'domain',
      'browser/injected/scrape',
      'browser/injected/signals',
      'browser/scrape',
      'browser/tab',
    ],
  },
  {
    path: 'browser/lease',
    mayImport: [
      'async',
      'domain',
      'browser/act',
      'browser/act/element',
      'browser/act/pointer',
      'browser/act/values/refusedValue.ts',
      'browser/cdp',
      'browser/egress',
      'browser/limits',
      'browser/perceive',
      'browser/scrape',
      'browser/scrape/resource',
      'browser/settle',
      'browser/tab',
    ],
  },
  {
    path: 'browser/pool',
    mayImport: [
      'async',
      'domain',
      'browser/act/element',
      'browser/cdp',
      'browser/egress',
      'browser/launch',
      'browser/lease',
      'browser/limits',
      'browser/sandbox',
      'browser/settle',
      'browser/tab',
    ],
  },
];
