/** The table of folders and the folders that each may import. Type-only imports count like all others. */

import { API_FOLDERS } from './apiFolders.ts';
import { BROWSER_FOLDERS } from './browserFolders.ts';
import { type FolderRule, SERVICE_INTERFACE } from './folderRule.ts';

const DASHBOARD_ROOT = 'web/dashboard';
/** The views of the dashboard, which know its connection, its parts and the types of its documents, and not each other. */
const DASHBOARD_VIEWS = ['sessions', 'session', 'account'].map(name => `${DASHBOARD_ROOT}/${name}`);
const DASHBOARD_SHARED = ['connection', 'parts', 'generated'].map(name => `${DASHBOARD_ROOT}/${name}`);
const DASHBOARD_FOLDERS: readonly FolderRule[] = [
  { path: DASHBOARD_ROOT, mayImport: [...DASHBOARD_VIEWS, ...DASHBOARD_SHARED] },
  ...DASHBOARD_VIEWS.map(path => ({ path, mayImport: DASHBOARD_SHARED })),
  { path: `${DASHBOARD_ROOT}/parts`, mayImport: [`${DASHBOARD_ROOT}/generated`] },
  { path: `${DASHBOARD_ROOT}/connection`, mayImport: [`${DASHBOARD_ROOT}/generated`] },
  { path: `${DASHBOARD_ROOT}/generated`, mayImport: [] },
];

/** Every folder of src/. docs/architecture.md describes them. */
export const FOLDERS: readonly FolderRule[] = [
  { path: 'async', mayImport: [] },
  { path: 'domain', mayImport: [] },
  { path: 'config', mayImport: [] },
  { path: 'log.ts', mayImport: ['config', 'domain'] },
  { path: 'version.ts', mayImport: [] },
  { path: 'telemetry', mayImport: ['domain'] },

  ...BROWSER_FOLDERS,
  { path: 'store', mayImport: ['async', 'domain'] },
  { path: 'store/files', mayImport: ['domain', 'store'] },
  { path: 'store/migrations', mayImport: ['async', 'domain', 'store'] },
  { path: 'store/postgres', mayImport: ['async', 'domain', 'store', 'store/migrations'] },
  { path: 'store/sqlite', mayImport: ['async', 'domain', 'store', 'store/files', 'store/migrations'] },
  { path: 'bus', mayImport: ['async', 'domain'] },
  { path: 'wallet', mayImport: ['domain'] },

  {
    path: SERVICE_INTERFACE,
    mayImport: ['domain', 'service/accounts', 'service/billing', 'service/secrets', 'service/sessions'],
  },
  { path: 'service/billing', mayImport: ['async', 'domain'] },
  { path: 'service/accounts', mayImport: ['async', 'domain'] },
  { path: 'service/secrets', mayImport: ['async', 'domain'] },
  { path: 'service/sessions', mayImport: ['async', 'domain', 'service/billing', 'service/secrets'] },
  { path: 'service/cluster', mayImport: ['async', 'domain', 'service/sessions', SERVICE_INTERFACE] },
  {
    path: 'service',
    mayImport: [
      'async',
      'domain',
      'service/accounts',
      'service/billing',
      'service/cluster',
      'service/secrets',
      'service/sessions',
      SERVICE_INTERFACE,
    ],
  },

  // What each operation is and does, without any interface.
  {
    path: 'operations/results',
    mayImport: ['domain', 'operations'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  { path: 'operations', mayImport: ['domain', 'operations/results'], mayImportTypesOf: [SERVICE_INTERFACE] },
  ...API_FOLDERS,
  { path: 'web', mayImport: [] },
  ...DASHBOARD_FOLDERS,
  // The client of the service runs anywhere and imports nothing of the service.
  { path: 'client', mayImport: [] },
  // The commands that call a running service: they know its client, the text that MCP tools return, and the fields of REST.
  {
    path: 'cli',
    mayImport: ['domain', 'operations', 'client', 'api/graphql', 'api/http', 'api/mcp', 'api/rest'],
  },
  {
    path: 'setup',
    mayImport: [
      'cli',
      'domain',
      'config',
      'browser/launch/findChromium.ts',
      'api/graphql',
      'api/rest',
      'operations',
      'operations/results',
    ],
  },
  { path: 'demo', mayImport: ['client'] },
  // The only code that wires the folders together.
  { path: 'main', mayImport: ['*'] },
  { path: 'main.ts', mayImport: ['main', 'cli', 'domain', 'operations', 'version.ts'] },
];
