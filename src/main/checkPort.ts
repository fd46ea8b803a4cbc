/** The check of the port before anything is started, and the message for one that cannot be used. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Listens on a port for a moment, so that a start reports a port in use before it starts a browser.
 * @throws Error when the service cannot listen there
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    throw listenError(host, port, cause);
  }
  server.close();
  await once(server, 'close');
}

/** Returns the error of a start whose port cannot be used. */
export function listenError(host: string, port: number, cause: unknown): Error {
  return new Error(messageOf(host, port, cause), { cause });
}

function messageOf(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use. Set PORT to another port.`;
  const message = cause instanceof Error ? cause.message : String(cause);
  return `The service cannot listen on ${host}, port ${port}: ${message}`;
}
