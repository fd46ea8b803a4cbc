/** Names that the code must not have: pictures that a reader cannot look up, and one file name for different things. */
import { basename } from 'node:path/posix';
import { type ESTree, parseSync, Visitor } from 'vite';
import type { Sources } from './imports.ts';

/** Words that the code used as pictures for things with a standard name; each with that name. */
const METAPHORS: Readonly<Record<string, string>> = {
  admission: 'rateLimit',
  booth: 'reusableContext',
  bury: 'fail',
  census: 'collector',
  curtain: 'modalOverlay',
  desk: 'service',
  door: 'handler or proxy',
  facts: 'details',
  furniture: 'boilerplate',
  heard: 'received',
  heirs: 'rekeyedElements',
  house: 'browserInstance',
  houses: 'browserInstances',
  judge: 'check, classify or validate',
  judged: 'checked, classified or validated',
  patience: 'timeout',
  purse: 'balance',
  ration: 'rateLimit',
  rig: 'harness',
  room: 'pooledContext, folder or width',
  rooms: 'pooledContexts or folders',
  said: 'output or message',
  sightings: 'observationHistory',
  speech: 'protocolRate',
  surroundings: 'deps',
  tell: 'report, send or write',
  tells: 'reports, sends or writes',
  tenancy: 'openContextOptions',
  till: 'billing',
  told: 'reported, sent or redacted',
  twins: 'disambiguation',
  whose: 'the role of the owner',
  wish: 'options',
};

/** `path: beginning` for every docstring that begins with a question word instead of the thing that it describes. */
export const headlessDocstrings = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/\/\*\*\s*(?:\* )?((?:What|Where|Who|Whether)\b.{0,60})/g)].map(
      ([, beginning]) => `${path}: ${beginning}`,
    ),
  );

/** `path name` for every declared name, and every file name, that contains a metaphor. */
export const metaphors = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    const names = new Set([basename(path).replace(/\..*/, ''), ...declaredNames(path, text)]);
    const isMetaphor = (name: string) => wordsOf(name).some(word => Object.hasOwn(METAPHORS, word));
    return [...names].filter(isMetaphor).map(name => `${path} ${name}`);
  });

/** `maxBodyBytes` and `MAX_BODY_BYTES` → `max`, `body`, `bytes`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/);

/** The names of variables, parameters, functions, classes, types and members. */
function declaredNames(path: string, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const bind = (pattern: ESTree.ParamPattern): void => {
    if (pattern.type === 'Identifier') names.add(pattern.name);
    else if (pattern.type === 'AssignmentPattern') bind(pattern.left);
    else if (pattern.type === 'RestElement') bind(pattern.argument);
    else if (pattern.type === 'ArrayPattern')
      for (const element of pattern.elements) element !== null && bind(element);
    else if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties)
        bind(property.type === 'Property' ? property.value : property);
  };
  const declare = ({ id }: { readonly id: ESTree.BindingIdentifier | null }): void => {
    if (id !== null) names.add(id.name);
  };
  const declareMember = ({
    key,
    computed,
  }: {
    readonly key: ESTree.PropertyKey;
    readonly computed: boolean;
  }): void => {
    if (!computed && (key.type === 'Identifier' || key.type === 'PrivateIdentifier')) names.add(key.name);
  };
  const declareFunction = (node: ESTree.Function): void => {
    declare(node);
    node.params.forEach(bind);
  };
  new Visitor({
    VariableDeclarator: node => bind(node.id),
    FunctionDeclaration: declareFunction,
    FunctionExpression: declareFunction,
    ArrowFunctionExpression: node => node.params.forEach(bind),
    ClassDeclaration: declare,
    MethodDefinition: declareMember,
    PropertyDefinition: declareMember,
    TSInterfaceDeclaration: declare,
    TSTypeAliasDeclaration: declare,
    TSPropertySignature: declareMember,
    TSMethodSignature: declareMember,
  }).visit(parseSync(path, text, { sourceType: 'module' }).program);
  return names;
}

/**
 * Files of one name in different folders. A GraphQL type is named like the domain type that it shows, code that runs in pages
 * like the host's side of it, and the entry point of a program or a bundle is `main.ts`.
 */
export function sharedFileNames(paths: Iterable<string>): string[] {
  const unpaired = [...paths].filter(
    path => !/^(api\/graphql\/definitions|browser\/injected)\/|(^|\/)main\.ts$/.test(path),
  );
  return [...Map.groupBy(unpaired, path => basename(path)).values()]
    .filter(({ length }) => length > 1)
    .map(same => same.toSorted().join(', '));
}
