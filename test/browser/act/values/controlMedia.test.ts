import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

/** A WAV file of silence: 8,000 bytes for each second. */
function silence(seconds: number): Buffer {
  const head = Buffer.alloc(44);
  const size = seconds * 8_000;
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size, 128)]);
}

const PAGES = {
  '/': '<title>Song</title><audio controls src="/song.wav" aria-label="Song"></audio>',
  '/missing': '<title>Missing</title><audio controls src="/nothing.wav" aria-label="Song"></audio>',
  '/song.wav': (request: IncomingMessage, response: ServerResponse) => {
    const song = silence(60);
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(206, {
      'content-type': 'audio/wav',
      'content-length': song.length - from,
      'accept-ranges': 'bytes',
      'content-range': `bytes ${from}-${song.length - 1}/${song.length}`,
    });
    response.end(song.subarray(from));
  },
};

describe('A step on a media player', () => {
  const { pages, agent } = pageHarness(PAGES);

  const song = () => agent.find(/Song/).description;

  it('plays and pauses it, with the command or without a value', async () => {
    await agent.observe(`${pages.url}/`);
    expect(song()).toContain('paused');
    await agent.step(/Song/, 'play');
    expect(song()).toContain('playing');
    await agent.step(/Song/);
    expect(song()).toContain('paused');
  });

  it('seeks to a second, and mutes it', async () => {
    await agent.observe(`${pages.url}/`);
    await agent.step(/Song/, 'mute');
    await agent.step(/Song/, 'seek 30');
    expect(song()).toMatch(/muted, at 30 of 60 seconds/);
  });

  it('lists the commands as values, and answers VALIDATION_ERROR for any other value', async () => {
    await agent.observe(`${pages.url}/`);
    expect(agent.find(/Song/).params[0]?.values).toContain('play');
    await expect(agent.step(/Song/, 'dance')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(agent.step(/Song/, 'seek')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('answers ACTION_BLOCKED with the reason if the media cannot be played', async () => {
    await agent.observe(`${pages.url}/missing`);
    await expect(agent.step(/Song/, 'play')).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
  });
});
