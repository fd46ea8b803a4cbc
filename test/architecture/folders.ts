/** Which folder may import which. Type-only imports count like all others. */

export interface FolderRule {
  /** A folder or file, relative to src/. A path belongs to the longest rule that matches it. */
  readonly path: string;
  /** Folders (without the folders inside them that have a rule of their own) or single files, beside the folder itself. */
  readonly mayImport: readonly string[];
  /** Folders or files of which only types may be imported. */
  readonly mayImportTypesOf?: readonly string[];
}

const SERVICE_INTERFACE = 'service/pagespace.ts';
const PAGE_TEXT = 'domain/pageText.ts';

/** Every folder of src/. docs/architecture.md describes them. */
export const FOLDERS: readonly FolderRule[] = [
  { path: 'async', mayImport: [] },
  { path: 'domain', mayImport: [] },
  { path: 'config', mayImport: [] },
  { path: 'log.ts', mayImport: ['config'] },
  { path: 'telemetry', mayImport: ['domain'] },

  // Code that runs inside pages. It is bundled and cannot load anything of the host.
  { path: 'browser/injected/dom', mayImport: [], mayImportTypesOf: ['domain'] },
  { path: 'browser/injected/tab', mayImport: ['browser/injected/dom'], mayImportTypesOf: ['domain'] },
  {
    path: 'browser/injected/perceive',
    // The encoder of page texts is one for both sides: a pure function, bundled into the page.
    mayImport: ['browser/injected/dom', 'browser/injected/tab', PAGE_TEXT],
    mayImportTypesOf: ['domain'],
  },
  {
    path: 'browser/injected/act',
    mayImport: ['browser/injected/dom', 'browser/injected/perceive', PAGE_TEXT],
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
    mayImport: ['browser/injected/dom', PAGE_TEXT],
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
    mayImport: ['async', 'domain', 'browser/injected/scrape', 'browser/scrape', 'browser/tab'],
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

  { path: 'store', mayImport: ['domain'] },
  { path: 'bus', mayImport: ['async', 'domain'] },
  { path: 'limiter', mayImport: ['domain'] },
  { path: 'wallet', mayImport: ['domain'] },

  {
    path: SERVICE_INTERFACE,
    mayImport: ['domain', 'service/accounts', 'service/billing', 'service/sessions'],
  },
  { path: 'service/billing', mayImport: ['async', 'domain'] },
  { path: 'service/accounts', mayImport: ['async', 'domain'] },
  { path: 'service/sessions', mayImport: ['async', 'domain', 'service/billing'] },
  { path: 'service/cluster', mayImport: ['async', 'domain', 'service/sessions', SERVICE_INTERFACE] },
  {
    path: 'service',
    mayImport: [
      'async',
      'domain',
      'service/accounts',
      'service/billing',
      'service/cluster',
      'service/sessions',
      SERVICE_INTERFACE,
    ],
  },

  // The API knows only the types of the service's interface.
  { path: 'api/http', mayImport: ['async', 'domain'] },
  { path: 'api/auth', mayImport: ['domain', 'api/http'], mayImportTypesOf: [SERVICE_INTERFACE] },
  {
    path: 'api/monitoring',
    mayImport: ['domain', 'telemetry', 'api/auth', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  { path: 'api/graphql/generated', mayImport: [] },
  {
    path: 'api/graphql',
    mayImport: ['async', 'domain', 'api/auth', 'api/graphql/subscriptions', 'api/graphql/types', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/graphql/types',
    mayImport: ['async', 'domain', 'api/graphql', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/graphql/subscriptions',
    mayImport: ['async', 'domain', 'api/graphql', 'api/graphql/types'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/graphql/plugins',
    mayImport: ['async', 'domain', 'api/graphql', 'api/graphql/generated', 'api/http', 'client'],
  },
  {
    path: 'api/graphql/transport',
    mayImport: ['async', 'domain', 'api/auth', 'api/graphql', 'api/graphql/plugins', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/rest/bodies',
    mayImport: ['domain', 'api/graphql/generated', 'api/http'],
  },
  {
    path: 'api/rest/routes',
    mayImport: [
      'domain',
      'api/graphql',
      'api/graphql/generated',
      'api/graphql/types',
      'api/http',
      'api/rest/bodies',
    ],
  },
  {
    path: 'api/rest',
    mayImport: [
      'async',
      'domain',
      'api/auth',
      'api/graphql',
      'api/graphql/plugins',
      'api/http',
      'api/rest/bodies',
      'api/rest/routes',
    ],
  },
  {
    path: 'api/mcp',
    mayImport: [
      'async',
      'domain',
      'api/auth',
      'api/graphql',
      'api/graphql/generated',
      'api/graphql/plugins',
      'api/graphql/transport',
      'api/graphql/types',
      'api/http',
      'api/mcp/resources',
      'api/mcp/tools',
      'api/rest',
    ],
  },
  {
    path: 'api/mcp/tools',
    mayImport: ['domain', 'api/graphql/generated', 'api/mcp', 'api/mcp/resources'],
  },
  { path: 'api/mcp/resources', mayImport: ['domain', 'api/graphql/generated', 'api/mcp'] },
  {
    path: 'api/pages',
    mayImport: ['domain', 'api/http', 'api/rest', 'api/rest/routes'],
  },
  {
    path: 'api',
    mayImport: [
      'async',
      'domain',
      'api/auth',
      'api/graphql',
      'api/graphql/plugins',
      'api/graphql/transport',
      'api/http',
      'api/mcp',
      'api/monitoring',
      'api/pages',
      'api/rest',
      'api/rest/routes',
    ],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },

  { path: 'web', mayImport: [] },
  // The client of the service runs anywhere and imports nothing of the service.
  { path: 'client', mayImport: [] },
  // The commands that call a running service: they know its client, and the text that MCP tools return.
  { path: 'cli', mayImport: ['domain', 'client', 'api/mcp'] },
  {
    path: 'setup',
    mayImport: [
      'cli',
      'domain',
      'config',
      'browser/launch/findChromium.ts',
      'api/graphql',
      'api/rest',
      'api/rest/routes',
    ],
  },
  { path: 'demo', mayImport: ['api/graphql/generated'] },
  // The only code that wires the folders together.
  { path: 'main', mayImport: ['*'] },
  { path: 'main.ts', mayImport: ['main', 'cli', 'domain'] },
];
