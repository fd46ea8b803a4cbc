import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { joinWrites } from '../../../src/browser/launch/pipeFilter.ts';

it('joinWrites writes the chunks of one turn with one call, in order, and those of the next turn with another', async () => {
  const calls: string[] = [];
  const pipe = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      calls.push(String(chunk));
      done();
    },
    writev(chunks, done) {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  joinWrites(pipe);
  pipe.write('a');
  pipe.write('\0');
  await Promise.resolve().then(() => pipe.write('b'));
  await new Promise(setImmediate);
  pipe.write('c');
  await new Promise(setImmediate);
  expect(calls).toEqual(['a\0b', 'c']);
});
