import { type FolderRule, SERVICE_INTERFACE } from './folderRule.ts';

/** The folders of src/api. */
export const API_FOLDERS: readonly FolderRule[] = [
  // The API knows only the types of the service's interface.
  { path: 'api/http', mayImport: ['async', 'domain'], mayImportTypesOf: [SERVICE_INTERFACE] },
  { path: 'api/auth', mayImport: ['domain', 'api/http'], mayImportTypesOf: [SERVICE_INTERFACE] },
  {
    path: 'api/monitoring',
    mayImport: ['domain', 'telemetry', 'api/auth', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  { path: 'api/graphql/generated', mayImport: [] },
  {
    path: 'api/graphql',
    mayImport: [
      'async',
      'domain',
      'operations',
      'operations/results',
      'api',
      'api/auth',
      'api/graphql/definitions',
      'api/http',
    ],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/graphql/definitions',
    mayImport: ['async', 'domain', 'operations', 'operations/results', 'api/graphql', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/graphql/plugins',
    mayImport: [
      'async',
      'domain',
      'operations',
      'operations/results',
      'api/graphql',
      'api/graphql/generated',
      'api/http',
      'client',
    ],
  },
  {
    path: 'api/graphql/transport',
    mayImport: ['async', 'domain', 'api/auth', 'api/graphql', 'api/graphql/plugins', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/rest',
    mayImport: ['async', 'domain', 'operations', 'operations/results', 'api', 'api/auth', 'api/http'],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/mcp',
    mayImport: [
      'async',
      'domain',
      'operations',
      'api',
      'api/auth',
      'api/graphql',
      'api/graphql/transport',
      'api/http',
      'api/rest',
    ],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
  {
    path: 'api/pages',
    mayImport: ['domain', 'api/http', 'api/rest'],
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
    ],
    mayImportTypesOf: [SERVICE_INTERFACE],
  },
];
