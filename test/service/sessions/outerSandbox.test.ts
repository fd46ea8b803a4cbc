import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startOuterSandbox } from '../../../src/browser/sandbox/outerSandbox.ts';
import { type AgentDriver, startAgentDriver } from '../../support/agentDriver.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';
import { testChromium } from '../../support/testChromium.ts';

const { sandbox, summary } = await startOuterSandbox({
  setting: 'auto',
  executablePath: testChromium(),
  cgroupLimits: { memoryBytes: null, threads: 4_000 },
});

let started: StartedService;
let pages: ServedPages;
let agent: AgentDriver;

// A system without bubblewrap or without user namespaces has no outer sandbox: the line in the title says what is missing.
describe.skipIf(sandbox === null)(`A session in the outer sandbox (${summary})`, () => {
  beforeAll(async () => {
    [started, pages] = await Promise.all([
      startService({ outerSandbox: sandbox }),
      servePages({
        '/': '<title>Start</title><h1>Hello</h1><a href="/file">Get the file</a><label>Photo <input type="file" onchange="this.files[0].text().then(t => document.querySelector(`h1`).textContent = t)"></label>',
        '/file': (_request, response) => {
          response.writeHead(200, { 'content-disposition': 'attachment; filename=report.txt' }).end('12345');
        },
      }),
    ]);
  });
  afterAll(async () => {
    await started[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    agent = await startAgentDriver(started);
    return () => agent.close();
  });

  test('opens a page through its session proxy', async () => {
    const { metadata } = await agent.observe(`${pages.url}/`);
    expect(metadata.title).toBe('Start');
  });

  test('stores a download', async () => {
    await agent.observe(`${pages.url}/`);
    await agent.step(/Get the file/);
    const list = () => started.files.list(agent.sessionId, 'download');
    await expect.poll(list).toMatchObject([{ name: 'report.txt', bytes: 5 }]);
  });

  test('reads an uploaded file', async () => {
    const bytes = (async function* () {
      yield Buffer.from('the uploaded text');
    })();
    const { id } = await started.files.save(
      { sessionId: agent.sessionId, accountId: started.account.id },
      'upload',
      'photo of me.txt',
      bytes,
    );
    await agent.observe(`${pages.url}/`);
    await agent.step(/Photo/, id);
    expect(await agent.text()).toContain('the uploaded text');
  });

  test('cannot open a private address', async () => {
    await expect(agent.observe('http://10.0.0.1/')).rejects.toMatchObject({ code: 'URL_BLOCKED' });
  });
});
