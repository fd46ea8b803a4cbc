/** Generates typed documents from schema.graphql and the .graphql files. `npm run codegen -- --check` fails when they are stale. */
import type { CodegenConfig } from '@graphql-codegen/cli';

// Node runs the output by stripping types: no enums, and imports with file extensions.
const TYPESCRIPT = {
  enumsAsTypes: true,
  enumType: 'string-literal',
  importExtension: '.ts',
  emitLegacyCommonJSImports: false,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    DateTime: 'string',
    URL: 'string',
    JSON: 'unknown',
    Base64: 'string',
    SafeInt: 'number',
    Params: '{ readonly [name: string]: string | number | boolean }',
  },
};

/** The fragments that the client and REST share. */
const FRAGMENTS = 'src/api/rest/documents/{fragments,dataFields}.graphql';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/api/graphql/generated/': {
      documents: ['src/**/*.graphql', '!src/client/**'],
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: TYPESCRIPT,
    },
    // The client sends texts and depends on no package, so its documents are strings.
    'src/client/generated/operations.ts': {
      documents: ['src/client/**/*.graphql', FRAGMENTS],
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { ...TYPESCRIPT, documentMode: 'string' },
    },
  },
};

export default config;
