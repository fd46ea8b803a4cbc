/** Code for pages that does not stand in src/browser/injected, where it is typed and bundled. */
import { parseSync, Visitor } from 'vite';
import type { Sources } from './imports.ts';

/** Methods of Playwright and of our worlds that run their first argument in a page. */
const RUNNERS = new Set([
  '$eval',
  '$$eval',
  'addInitScript',
  'evaluate',
  'evaluateAll',
  'evaluateHandle',
  'waitForFunction',
]);
const CODE = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'TemplateLiteral']);

/** `path: method` for every call that hands a function or a template string to a page. */
export function inlinePageCode(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => !path.startsWith('browser/injected/'))
    .flatMap(([path, text]) => inlineCalls(path, text));
}

function inlineCalls(path: string, text: string): string[] {
  const found: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const method = callee.property.name;
      if (RUNNERS.has(method) && first !== undefined && CODE.has(first.type))
        found.push(`${path}: ${method}`);
    },
  }).visit(parseSync(path, text, { sourceType: 'module' }).program);
  return found;
}
