import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Contestant, found, literal } from './contestant.ts';

const SERVER = fileURLToPath(new URL('../../../node_modules/@playwright/mcp/cli.js', import.meta.url));
/** The whole page as HTML: the server has no tool for content. */
const CONTENT = '() => document.documentElement.outerHTML';

/** Playwright MCP as its README starts it, over stdin and stdout. */
export async function mcpContestant(executablePath: string): Promise<Contestant> {
  const client = new Client({ name: 'pagespace-bench', version: '1.0.0' });
  const args = [SERVER, '--headless', '--isolated', '--no-sandbox', '--viewport-size', '1280x720'];
  const folder = await mkdtemp(join(tmpdir(), 'pagespace-bench-'));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args, '--executable-path', executablePath, '--output-dir', folder],
      stderr: 'ignore',
    }),
  );
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
    const result = await client.callTool({ name, arguments: input });
    const text = result.content.map(part => (part.type === 'text' ? part.text : '')).join('\n');
    if (result.isError === true) throw new Error(`${name}: ${text}`);
    return text;
  };
  let snapshot = '';
  // Most tools answer with a snapshot; the text entry does not.
  const withSnapshot = async (answer: string): Promise<string> => {
    snapshot = answer.includes('[ref=') ? answer : await call('browser_snapshot');
    return snapshot;
  };
  const ref = (role: string, name: string): string =>
    found(snapshot, new RegExp(`${role} "${literal(name)}"[^\\n]*?\\[ref=(\\w+)\\]`));
  return {
    name: 'Playwright MCP',
    start: async () => {},
    open: async url => withSnapshot(await call('browser_navigate', { url })),
    list: async () => withSnapshot(await call('browser_snapshot')),
    click: async name =>
      withSnapshot(await call('browser_click', { element: name, target: ref('button', name) })),
    type: async (name, text) =>
      withSnapshot(await call('browser_type', { element: name, target: ref('textbox', name), text })),
    content: () => call('browser_evaluate', { function: CONTENT }),
    async end() {
      await call('browser_close');
    },
    async stop() {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
