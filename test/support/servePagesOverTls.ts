import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Signed by itself for a name that is nobody's, and kept nowhere else: a certificate that no browser takes. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjDCCATOgAwIBAgIUakLwubwgx4Tf4XnVEEu+wbv3higwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQc2VsZi1zaWduZWQudGVzdDAgFw0yNjExMjExNDUzMDZaGA8y
MTI2MTAyODE0NTMwNlowGzEZMBcGA1UEAwwQc2VsZi1zaWduZWQudGVzdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABLBhtE1dGy5hXL9mEXSYzd4Pg+P/h7i/VJVf
VcqOR0k5gkcpa5DjhALYcD8jvwSxovJfyLJ1CYbqM0xNVCuaeMyjUzBRMB0GA1Ud
DgQWBBQjLiF8PPGtvc4bLDdGw/X0hLu+nDAfBgNVHSMEGDAWgBQjLiF8PPGtvc4b
LDdGw/X0hLu+nDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIGIR
fyT8laP4sKIdtd1MTamvBavLa8urGuyWhBeNw69bAiAeVRCEp7ZxxaIoxYC4wERK
Ng4GgdxkPmPa6FX4aULO7g==
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbvq0d7d50Lvh/j4S
U3VH/QiiYqRSfyVbbDKxfxpAIByhRANCAASwYbRNXRsuYVy/ZhF0mM3eD4Pj/4e4
v1SVX1XKjkdJOYJHKWuQ44QC2HA/I78EsaLyX8iydQmG6jNMTVQrmnjM
-----END PRIVATE KEY-----`;

/** One page over TLS on loopback, with a certificate that no browser takes. */
export async function servePageOverTls(html: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (_request, response) => response.end(html));
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
