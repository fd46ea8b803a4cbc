import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const AUDIT = fileURLToPath(new URL('../../src/setup/audit.ts', import.meta.url));

let registry: Server;
/** npm caches advisories by their id: each test has a cache of its own. */
let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'pagespace-audit-'));
});
afterEach(() => {
  rmSync(cache, { recursive: true, force: true });
  registry.closeAllConnections();
  registry.close();
});

/** Starts a registry with these advisories, by package; null for a registry without an advisories API. */
async function registryWith(advisories: object | null): Promise<string> {
  registry = createServer((request, response) => {
    request.resume();
    const isAudit = request.url?.includes('/-/npm/v1/security/') ?? false;
    if (isAudit && advisories === null) response.writeHead(405).end();
    else if (isAudit) response.end(JSON.stringify(advisories));
    else response.writeHead(404).end('{}');
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  // Sound: a listening TCP server has an AddressInfo.
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}

async function audit(advisories: object | null): Promise<{ code: number | null; output: string }> {
  const env = {
    ...process.env,
    npm_config_registry: await registryWith(advisories),
    npm_config_cache: cache,
  };
  return new Promise(resolve => {
    const child = execFile(process.execPath, [AUDIT], { env }, (_, out, err) =>
      resolve({ code: child.exitCode, output: out + err }),
    );
  });
}

const advisory = (severity: string) => ({
  ws: [
    {
      id: 1,
      url: 'https://github.com/advisories/GHSA-made-up',
      title: 'Made up',
      severity,
      vulnerable_versions: '>=0',
      cwe: [],
      cvss: { score: 0, vectorString: null },
    },
  ],
});

describe('npm run audit', () => {
  it('exits with code 1 for a high advisory, and names it', async () => {
    const { code, output } = await audit(advisory('high'));
    expect(code).toBe(1);
    expect(output).toContain('GHSA-made-up');
    expect(output).not.toContain('Nothing was audited');
  });

  it('exits with code 0 for a moderate advisory, and names it', async () => {
    const { code, output } = await audit(advisory('moderate'));
    expect(code).toBe(0);
    expect(output).toContain('GHSA-made-up');
  });

  it('exits with code 1 and a message when the registry has no advisories API', async () => {
    const { code, output } = await audit(null);
    expect(code).toBe(1);
    expect(output).toContain('Nothing was audited');
  });
});
