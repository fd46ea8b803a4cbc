import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderFileStore } from '../../../src/store/files/folderFileStore.ts';
import { callApi } from '../../support/callApi.ts';
import { manualClock } from '../../support/manualClock.ts';
import { mountSmallDisk } from '../../support/smallDisk.ts';
import { startTestProduct } from '../../support/startServer.ts';

using probe = mountSmallDisk(1);

describe.runIf(probe !== null)('a service on a small disk', () => {
  async function startOnSmallDisk(megabytes: number) {
    const disk = mountSmallDisk(megabytes);
    if (disk === null) throw new Error('no file system can be mounted');
    const clock = manualClock();
    const path = join(disk.path, 'store.sqlite');
    const product = await startTestProduct({ browser: 'fake', clock, path });
    const call = async (method: string, route: string, body?: object) => {
      const { key, url } = product;
      const response = await callApi(url, method, route, { key, ...(body !== undefined && { body }) });
      return { status: response.status, body: response.body };
    };
    const stop = async () => {
      disk.free();
      await product[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    };
    return { disk, clock, product, call, [Symbol.asyncDispose]: stop };
  }

  it('closes sessions, says at /ready that it refuses starts, and works again once there is space', async () => {
    await using service = await startOnSmallDisk(12);
    const { disk, clock, call, product } = service;
    const { body: session } = await call('POST', '/session/start', {});
    disk.fill();
    // The log of SQLite has some pages left; the starts use them up.
    await expect.poll(async () => (await call('POST', '/session/start', {})).body.code).toBe('STORAGE_FULL');
    expect(await call('GET', '/ready')).toMatchObject({ status: 503, body: { status: 'storage_full' } });
    expect(await call('POST', '/session/close', { session_id: session.session_id })).toMatchObject({
      status: 200,
      body: { status: 'closed' },
    });
    expect(await call('GET', `/session/${session.session_id}`)).toMatchObject({ body: { status: 'closed' } });
    disk.free();
    clock.advance(5_000);
    await expect.poll(async () => (await call('GET', '/ready')).status).toBe(200);
    await expect
      .poll(async () => (await product.started.store.sessions.activeSessions()).map(({ id }) => id))
      .not.toContain(session.session_id);
    expect((await call('POST', '/session/start', {})).status).toBe(200);
  });

  it('stores no more files when a twentieth of the disk is left, so that the files of one account do not stop the sessions of others', async () => {
    await using service = await startOnSmallDisk(12);
    const files = folderFileStore(join(service.disk.path, 'sessions'), { sessionBytes: 1_000_000 });
    const save = () =>
      files
        .save(
          { sessionId: randomUUID(), accountId: 'a' },
          'upload',
          'a',
          new Blob([new Uint8Array(900_000)]).stream(),
        )
        .then(({ id }) => id, String);
    const saved: string[] = [];
    while (saved.length < 20 && !saved.at(-1)?.includes('full')) saved.push(await save());
    expect(saved.slice(0, 2)).toEqual(['U1', 'U1']);
    expect(saved.at(-1)).toContain('disk of the service is full');
    expect((await service.call('POST', '/session/start', {})).status).toBe(200);
  });

  it('recovers without a restart when its own write-ahead log has filled the disk', async () => {
    await using service = await startOnSmallDisk(8);
    const { sessions } = service.product.started.store;
    // Each write puts the same pages into the log again.
    const write = () => sessions.assertWritable();
    const fillLog = async (): Promise<string> => {
      for (let n = 0; n < 200; n++)
        try {
          await write();
        } catch (error) {
          return String(error);
        }
      return 'never full';
    };
    expect(await fillLog()).toContain('disk of the service is full');
    await expect.poll(() => write().then(() => 'written', String)).toBe('written');
    expect((await service.call('POST', '/session/start', {})).status).toBe(200);
  });

  it('stops the record of a session when the disk is full and says so in an event; the session continues', async () => {
    using disk = mountSmallDisk(1);
    if (disk === null) throw new Error('no file system can be mounted');
    await using product = await startTestProduct({
      browser: 'fake',
      recordsPath: join(disk.path, 'records'),
    });
    const call = (path: string, body: object) =>
      callApi(product.url, 'POST', path, { key: product.key, body });
    const { session_id } = (await call('/session/start', { record: 'steps' })).body;
    const observe = () => call('/env/observe', { session_id, url: 'about:blank' });
    const events = async () =>
      (await callApi(product.url, 'GET', `/session/${session_id}/events`, { key: product.key })).body.events;
    const observation = () =>
      callApi(product.url, 'GET', `/session/${session_id}/observations/O1`, { key: product.key });
    await observe();
    const before = (await observation()).body;
    disk.fill();
    // The last block of the file has some room left; the lists use it up.
    await expect
      .poll(async () => {
        await observe();
        return (await events()).find(({ type }: { type: string }) => type === 'record_stopped')?.reason;
      })
      .toContain('disk of the service is full');
    expect((await observe()).status).toBe(200);
    expect((await observation()).body).toEqual(before);
  });
});
