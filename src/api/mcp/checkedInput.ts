/** The standard input of an MCP server over stdio, without the lines that the server would not answer. */
import { Transform, type TransformCallback } from 'node:stream';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';
import { lineError, longLineError } from './mcpMessages.ts';

const NEWLINE = 0x0a;

/**
 * Passes the lines that are JSON-RPC messages with valid params on to the MCP server, and answers every other one with an error.
 * @param answer sends an answer to the client
 */
export class CheckedInput extends Transform {
  readonly #answer: (error: object) => void;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(answer: (error: object) => void) {
    super();
    this.#answer = answer;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end === -1) break;
      this.#add(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    done();
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length < STDIO_DEFAULT_MAX_BUFFER_SIZE) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #endLine(): void {
    const isTooLong = this.#length >= STDIO_DEFAULT_MAX_BUFFER_SIZE;
    const line = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#length = 0;
    if (!isTooLong && line.trim() === '') return;
    const error = isTooLong ? longLineError() : lineError(line);
    if (error === null) this.push(`${line}\n`);
    else this.#answer(error);
  }
}
