/** Generates typed documents from schema.graphql and the .graphql files. `npm run codegen -- --check` fails when they are stale. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/**/*.graphql'],
  generates: {
    'src/api/graphql/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        // Node runs the output by stripping types: no enums, and imports with file extensions.
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
      },
    },
  },
};

export default config;
