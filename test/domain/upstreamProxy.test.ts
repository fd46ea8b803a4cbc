import { describe, expect, test } from 'vitest';
import { parseProxyUrl } from '../../src/domain/session/upstreamProxy.ts';
import { proxyFields } from '../../src/operations/start.ts';

describe('The user name and the password of a proxy', () => {
  test.each([proxyFields.username.check, proxyFields.password.check])(
    'allow 255 bytes, not characters',
    field => {
      expect(field.safeParse('é'.repeat(127)).success).toBe(true);
      expect(field.safeParse('é'.repeat(128)).error?.issues[0]?.message).toMatch(/255 bytes/);
    },
  );
});

describe('parseProxyUrl()', () => {
  test.each([
    ['http://proxy.example:3128', 'http', 'proxy.example', 3128],
    ['HTTP://Proxy.Example', 'http', 'proxy.example', 80],
    ['https://proxy.example/', 'https', 'proxy.example', 443],
    ['https://proxy.example:80', 'https', 'proxy.example', 80],
    ['socks5://[2606:2800::1]', 'socks5', '2606:2800::1', 1080],
    ['socks5://0x7f.1:9', 'socks5', '127.0.0.1', 9],
  ])('%s is read', (server, protocol, host, port) => {
    expect(parseProxyUrl(server)).toEqual({ protocol, host, port });
  });

  test.each([
    'proxy.example:3128',
    'ftp://proxy.example',
    'socks4://proxy.example',
    'http://',
    'http://ann:pw@proxy.example',
    'http://proxy.example/path',
    'http://proxy.example?x',
    'http://proxy.example:0',
    'http://proxy.example:99999',
    'http://a b',
    'file:///etc/passwd',
  ])('%s is none', server => expect(parseProxyUrl(server)).toBeNull());
});
