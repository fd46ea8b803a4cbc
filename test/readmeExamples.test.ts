import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, NODE_COMPILE_CACHE, type RunningProgram, runProgram } from './main/runProgram.ts';
import { callApi } from './support/callApi.ts';
import { freePort } from './support/freePort.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const run = promisify(execFile);

/** The code blocks of a document in a language. */
const blocksOf = (path: string, language: string): string[] =>
  [...textOf(path).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code);

/** Stands in for curl on a machine without it: the options -H and -d of the examples. */
const CURL = `#!/usr/bin/env node
const options = process.argv.slice(2).filter(each => each !== '-sS');
const url = options.find(each => each.startsWith('http'));
const headers = options.filter((_, at) => options[at - 1] === '-H').map(line => line.split(/: (.*)/s).slice(0, 2));
const body = options.find((_, at) => options[at - 1] === '-d');
const response = await fetch(url, { method: 'POST', headers, body });
process.stdout.write(await response.text());
`;

let service: RunningProgram;
let url: string;
let shopUrl: string;
/** The working directory of the examples: the data folder is in it, as in a clone. */
let folder: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  shopUrl = `http://127.0.0.1:${port + 1}`;
  folder = mkdtempSync(join(tmpdir(), 'pagespace-readme-'));
  mkdirSync(join(folder, 'programs'));
  writeFileSync(join(folder, 'programs', 'curl'), CURL);
  writeFileSync(
    join(folder, 'programs', 'pagespace'),
    `#!/bin/sh\nNODE_COMPILE_CACHE='${NODE_COMPILE_CACHE}' exec '${process.execPath}' '${MAIN}' "$@"\n`,
  );
  for (const name of ['curl', 'pagespace']) chmodSync(join(folder, 'programs', name), 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  service = runProgram(['serve'], {
    PORT: String(port),
    PAGESPACE_DATA_DIR: join(folder, 'data'),
    PAGESPACE_WARM_CONTEXTS: '1',
    ...(process.getuid?.() === 0 && { PAGESPACE_CHROMIUM_SANDBOX: 'off' }),
  });
  await service.waitForOutput(/\ncurl .*\n/);
});
afterAll(async () => {
  service.child.kill('SIGKILL');
  await service.result;
  rmSync(folder, { recursive: true, force: true });
});

/** An example as it is, with the addresses of the test in place of those of a default start. */
const here = (code: string): string =>
  code.replaceAll('http://127.0.0.1:4000', url).replaceAll('http://127.0.0.1:4001', shopUrl);

const environment = () => ({
  ...process.env,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, '.config'),
  PAGESPACE_DATA_DIR: join(folder, 'data'),
  PATH: `${process.env.PATH}${delimiter}${join(folder, 'programs')}`,
});
const shell = async (code: string, program = 'sh'): Promise<string> =>
  (await run(program, ['-ec', here(code)], { env: environment(), cwd: folder })).stdout;

const hasPython = spawnSync('python3', ['-c', 'import requests']).status === 0;

describe('README.md', () => {
  it('has at most 130 lines, and the picture first', () => {
    const lines = textOf('README.md').split('\n');
    expect(lines.length).toBeLessThanOrEqual(131);
    expect(lines[2]).toMatch(/^!\[.*\]\(docs\/pictures\//);
  });

  it('has figures that docs/benchmarks.md has', () => {
    const figures = textOf('README.md').match(/\b\d\.\d+\b(?= of)|\d+ of \d+ pages/g) ?? [];
    expect(figures).toHaveLength(4);
    const benchmarks = textOf('docs/benchmarks.md');
    expect(figures.filter(figure => !benchmarks.includes(figure))).toEqual([]);
  });

  it('has a flow over REST that works as it is', async () => {
    const [flow = ''] = blocksOf('README.md', 'sh').filter(code => code.includes('/env/step'));
    const answers = (await shell(flow))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers).toHaveLength(5);
    expect(answers[0].space.markdown).toContain('B2 "Add to basket"');
    expect(answers[2].space.diff.markdown).toContain('1 paper in your basket.');
    expect(answers[3].data.markdown).toContain('Handmade papers');
    expect(answers[4].status).toBe('closed');
  });

  it('has a call over GraphQL that works as it is', async () => {
    const [call = ''] = blocksOf('README.md', 'sh').filter(code => code.includes('/graphql'));
    expect(JSON.parse(await shell(call)).data.observe.space.actions[0].id).toBe('L1');
  });

  it.skipIf(!hasPython)(
    'has a program in Python that works as it is (needs Python with requests)',
    async () => {
      const [program = ''] = blocksOf('README.md', 'python');
      const { stdout } = await run('python3', ['-c', here(program)], { env: environment(), cwd: folder });
      expect(stdout).toBe('1 in the basket · The Paper Shop\n');
    },
  );

  it('has a configuration for MCP hosts that starts a server', async () => {
    const [config = ''] = blocksOf('README.md', 'json');
    const { command, args } = JSON.parse(config).mcpServers.pagespace;
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const out = execFileSync(command.replace('/path/to/pagespace', root.replace(/\/$/, '')), args, {
      env: environment(),
      cwd: folder,
      input: `${JSON.stringify(initialize)}\n`,
      encoding: 'utf8',
    });
    expect(JSON.parse(out.split('\n')[0] ?? '').result.serverInfo.name).toBe('pagespace');
  });

  it("has an agent's loop of twenty lines that reaches its goal with a model", async () => {
    const [loop = ''] = blocksOf('README.md', 'js');
    expect(loop.trim().split('\n').length).toBeLessThanOrEqual(22);
    // Chooses what the list offers; first an action that does not exist, to be told.
    const model = `export const ask = async text => text.includes('in your basket') ? 'DONE'
      : text.includes('B99 was never listed') ? /(B\\d+) "Add to basket"/.exec(text)[1] : 'B99';`;
    writeFileSync(join(folder, 'model.mjs'), model);
    const client = new URL('../src/client/main.ts', import.meta.url).href;
    writeFileSync(
      join(folder, 'agent.mjs'),
      here(loop).replace("'@pagespace/client'", `'${client}'`).replace('/path/to/pagespace/', ''),
    );
    const { stdout } = await run(process.execPath, ['agent.mjs'], { env: environment(), cwd: folder });
    expect(stdout).toContain('1 paper in your basket.');
  });
});

describe('The home page', () => {
  it('has calls that work as they are', async () => {
    const { text } = await callApi(url, 'GET', '/');
    const [, calls = ''] = /<pre data-copy[^>]*><code>([\s\S]*?)<\/code>/.exec(text) ?? [];
    const plain = calls.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const out = await shell(plain.replace('KEY=psk_…', 'KEY=$(cat data/key)'));
    const lines = out
      .trim()
      .split('\n')
      .slice(1)
      .map(line => JSON.parse(line));
    expect(lines.map(({ code }) => code ?? 'ok')).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(lines.at(-1).status).toBe('closed');
  });
});

describe('/docs', () => {
  const codeIn = (html: string): string[] =>
    [...html.matchAll(/<pre data-copy[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, code = '']) =>
      code.replaceAll(/&#(\d+);/g, (_, digits) => String.fromCharCode(Number(digits))),
    );

  it('has how-tos that work as they are', async () => {
    const { text } = await callApi(url, 'GET', '/docs');
    const blocks = codeIn(text);
    const setup = (blocks.find(code => code.startsWith('KEY=')) ?? '').replace(
      'KEY=psk_…',
      'KEY=$(cat data/key)',
    );
    const howTos = [...text.matchAll(/<details class="howto" id="(\w+)">([\s\S]*?)<\/details>/g)];
    const outputs = new Map<string, string>();
    for (const [, id = '', html = ''] of howTos)
      outputs.set(id, await shell(`${setup}\n${codeIn(html).join('\n')}`));
    expect([...outputs.keys()]).toEqual(['wait', 'differences', 'lists', 'files', 'login']);
    for (const [id, output] of outputs) expect(output, id).not.toMatch(/"code":"[A-Z_]+"/);
    expect(outputs.get('wait')).toContain('The mill has 40 sheets.');
    expect(outputs.get('differences')).toContain('1 paper in your basket.');
    expect(outputs.get('lists')).toContain('Add to basket');
    expect(outputs.get('files')).toContain('Flax,90,1.10');
    expect(outputs.get('files')).toContain('Received drawing.txt, 9 bytes.');
    expect(outputs.get('login')).toContain('Your orders, ada');
  });

  it('has examples of requests that the service answers', async () => {
    const { text } = await callApi(url, 'GET', '/docs');
    const start =
      "ID=$(curl -sS \"$SERVICE/session/start\" -H \"Authorization: Bearer $KEY\" -H 'Content-Type: application/json' -d '{}' | cut -d '\"' -f 4)";
    const calls = [
      ...text.matchAll(
        /<details class="op" id="(startSession|observe|step|scrape|closeSession|getSession|listSessions)">([\s\S]*?<\/pre>)/g,
      ),
    ].map(([, id = '', html = '']) => ({ id, code: codeIn(html)[0] ?? '' }));
    expect(calls.map(({ id }) => id)).toContain('scrape');
    const before = `KEY=$(cat data/key)\nSERVICE=${url}\n${start}`;
    const script = calls.map(({ code }) => `${code.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, `'$ID'`)}; echo`);
    const out = await shell([before, ...script].join('\n'));
    expect(out).not.toMatch(/"code":"[A-Z_]+"/);
  });

  it('has a call over GraphQL and a configuration for MCP hosts that work as they are', async () => {
    const { text } = await callApi(url, 'GET', '/docs');
    const blocks = codeIn(text);
    const call = blocks.find(code => code.includes('/graphql')) ?? '';
    expect(JSON.parse(await shell(`KEY=$(cat data/key)\n${call}`)).data.observe.space.actions[0].id).toBe(
      'L1',
    );
    const config = JSON.parse(blocks.find(code => code.startsWith('{"mcpServers"')) ?? '').mcpServers
      .pagespace;
    const key = readFileSync(join(folder, 'data/key'), 'utf8').trim();
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: { Authorization: config.headers.Authorization.replace('psk_…', key) } },
    });
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain('observe');
  });
});

describe('docs/clients.md', () => {
  it('has commands that work as they are, one after another', async () => {
    const [commands = ''] = blocksOf('docs/clients.md', 'sh').filter(code => code.includes('pagespace do'));
    const out = await shell(commands.replace(/^ln -s.*$/m, ''), 'bash');
    expect(out).toContain('1 paper in your basket.');
    expect(out).toContain('page.png, ');
    expect(out).toContain(', closed\n');
    expect(out).toContain('Handmade papers');
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

describe('No text', () => {
  it('tells anybody to install a package that is not in the registry', () => {
    const documents = [
      'README.md',
      'CONTRIBUTING.md',
      'docs/clients.md',
      'docs/agents.md',
      'docs/operating.md',
    ];
    const told = documents.flatMap(
      path => textOf(path).match(/npx pagespace|npm i(nstall)? (@pagespace|pagespace)\b.*/g) ?? [],
    );
    expect(told).toEqual([]);
  });
});

describe('GET /llms.txt', () => {
  it('names the ways in, with absolute URLs that exist', async () => {
    const { status, headers, text } = await callApi(url, 'GET', '/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# pagespace\n\n> /);
    const urls = [...text.matchAll(/\]\((\S+)\)/g)].map(([, each = '']) => each);
    expect(urls.length).toBeGreaterThan(3);
    const statuses = await Promise.all(urls.map(async each => (await fetch(each)).status));
    expect(statuses.filter(found => found === 404)).toEqual([]);
  });
});
