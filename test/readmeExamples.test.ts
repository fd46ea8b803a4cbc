import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PracticeShop, startPracticeShop } from '../src/demo/practiceShop.ts';
import { callApi } from './support/callApi.ts';
import { startTestProduct, type TestProduct } from './support/startServer.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Stands in for curl on a machine without it: the options -H and -d of the examples. */
const CURL = `#!/usr/bin/env node
const [url, ...options] = process.argv.slice(2);
const headers = options.filter((_, at) => options[at - 1] === '-H').map(line => line.split(/: (.*)/s).slice(0, 2));
const body = options.find((_, at) => options[at - 1] === '-d');
const response = await fetch(url, { method: 'POST', headers, body });
process.stdout.write(await response.text());
`;

let product: TestProduct;
let shop: PracticeShop;
let folder: string;

beforeAll(async () => {
  product = await startTestProduct({ browser: 'fake' });
  shop = await startPracticeShop();
  folder = mkdtempSync(join(tmpdir(), 'pagespace-readme-'));
  writeFileSync(join(folder, 'curl'), CURL);
  chmodSync(join(folder, 'curl'), 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const examples = [
  ...textOf('README.md').matchAll(/^\| \[(REST|GraphQL|MCP|TypeScript client)\]\S+ \| `(.*)` \|$/gm),
].map(([, name = '', code = '']) => ({ name, code }));

describe('The examples of the four ways in (README.md)', () => {
  it('are four', () => {
    expect(examples.map(({ name }) => name)).toEqual(['REST', 'GraphQL', 'MCP', 'TypeScript client']);
  });

  it.each(examples)('$name returns the page', async ({ name, code }) => {
    const here = code
      .replaceAll('http://127.0.0.1:4000', product.url)
      .replaceAll('https://example.com/', shop.url);
    const env = { ...process.env, KEY: product.key, PATH: `${process.env.PATH}${delimiter}${folder}` };
    const client = JSON.stringify(new URL('../src/client/main.ts', import.meta.url).href);
    const [command, args] = name.startsWith('TypeScript')
      ? [process.execPath, ['--input-type=module', '-e', here.replace("'pagespace/client'", client)]]
      : ['sh', ['-c', here]];
    const { stdout } = await promisify(execFile)(command, args, { env, cwd: folder });
    expect(stdout).toContain('Handmade papers');
  });
});

describe('docs/agents.md', () => {
  it('has at most 2,048 bytes, and names only commands that exist', () => {
    const text = textOf('docs/agents.md');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
    const commands = [...text.matchAll(/^pagespace (\w+)/gm)].map(([, command = '']) => command);
    const program = textOf('src/main.ts');
    expect(commands.filter(command => !program.includes(`command('${command}')`))).toEqual([]);
    expect(commands.length).toBeGreaterThan(4);
  });
});

describe('GET /llms.txt', () => {
  it('names the ways in, with absolute URLs that exist', async () => {
    const { status, headers, text } = await callApi(product.url, 'GET', '/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# pagespace\n\n> /);
    const urls = [...text.matchAll(/\]\((\S+)\)/g)].map(([, url = '']) => url);
    expect(urls.length).toBeGreaterThan(3);
    const statuses = await Promise.all(urls.map(async url => (await fetch(url)).status));
    expect(statuses.filter(found => found === 404)).toEqual([]);
  });
});
