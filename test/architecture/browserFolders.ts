import type { FolderRule } from './folderRule.ts';

const PAGE_TEXT = 'domain/pageText.ts';

/** The folders of src/browser. */
export const BROWSER_FOLDERS: readonly FolderRule[] = [
  // Code that runs inside pages. It is bundled and cannot load anything of the host.
  { path: 'browser/injected/dom', mayImport: [], mayImportTypesOf: ['domain'] },
  { path: 'browser/injected/tab', mayImport: ['browser/injected/dom'], mayImportTypesOf: ['domain'] },
  { path: 'browser/injected/signals', mayImport: ['browser/injected/dom'], mayImportTypesOf: ['domain'] },
  {
    path: 'browser/injected/perceive',
    // The encoder of page texts is one for both sides: a pure function, bundled into the page.
    mayImport: ['browser/injected/dom', 'browser/injected/signals', 'browser/injected/tab', PAGE_TEXT],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/act',
    mayImport: ['browser/injected/dom', 'browser/injected/perceive', 'browser/injected/tab', PAGE_TEXT],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/messages',
    mayImport: ['browser/injected/dom', 'browser/injected/perceive', 'browser/injected/tab', PAGE_TEXT],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/agent',
    mayImport: [
      'browser/injected/act',
      'browser/injected/dom',
      'browser/injected/messages',
      'browser/injected/perceive',
      'browser/injected/tab',
    ],
    mayImportTypesOf: ['domain', 'browser/injected/scrape'],
  },
  {
    path: 'browser/injected/scrape',
    mayImport: ['browser/injected/dom', 'browser/injected/signals', PAGE_TEXT],
    mayImportTypesOf: ['domain'],
  },

  // The host's side, from the bottom to the top.
  { path: 'browser/egress', mayImport: ['async', 'domain'] },
  {
    path: 'browser/cdp',
    mayImport: ['async', 'domain', 'browser/injected/agent', 'browser/injected/perceive'],
  },
  { path: 'browser/limits', mayImport: ['async', 'domain', 'browser/cdp', 'browser/egress'] },
  {
    path: 'browser/launch',
    mayImport: ['async', 'domain', 'browser/cdp', 'browser/egress', 'browser/limits', 'browser/sandbox'],
  },
  { path: 'browser/sandbox', mayImport: ['async', 'domain', 'browser/egress'] },
  {
    path: 'browser/tab',
    mayImport: ['async', 'domain', 'browser/cdp', 'browser/egress', 'browser/injected/act', 'browser/limits'],
    mayImportTypesOf: ['browser/injected/tab'],
  },
  {
    path: 'browser/perceive',
    mayImport: ['async', 'domain', 'browser/cdp', 'browser/tab', 'browser/injected/perceive'],
  },
  {
    path: 'browser/act',
    mayImport: [
      'async',
      'domain',
      'browser/act/special',
      'browser/cdp',
      'browser/injected/act',
      'browser/injected/perceive',
      'browser/perceive',
      'browser/tab',
    ],
  },
  {
    path: 'browser/act/special',
    mayImport: ['async', 'domain', 'browser/act', 'browser/cdp', 'browser/tab'],
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
      'browser/cdp',
      'browser/egress',
      'browser/limits',
      'browser/perceive',
      'browser/scrape',
      'browser/scrape/resource',
      'browser/tab',
    ],
  },
  {
    path: 'browser/pool',
    mayImport: [
      'async',
      'domain',
      'browser/act',
      'browser/cdp',
      'browser/egress',
      'browser/launch',
      'browser/lease',
      'browser/limits',
      'browser/sandbox',
      'browser/tab',
    ],
  },
];
