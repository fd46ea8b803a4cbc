/** The upstream proxy of a session: input and validation. */
import {
  PASSWORD_WITHOUT_USERNAME,
  proxyPasswordField,
  proxyServerField,
  proxyUserField,
} from '../../../domain/inputFields.ts';
import { parseProxyUrl, type UpstreamProxy } from '../../../domain/session/upstreamProxy.ts';
import { builder } from '../builder.ts';

interface ProxyCredentials {
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
}

export const ProxyInput = builder.inputType('ProxyInput', {
  description:
    'A proxy for the requests of a session. The proxy receives IP addresses; host names are resolved here. Blocked addresses stay blocked, and the proxy itself must have an allowed address.',
  validate: {
    refine: [
      ({ username, password }: ProxyCredentials) => password == null || username != null,
      { message: PASSWORD_WITHOUT_USERNAME, path: ['password'] },
    ],
  },
  fields: t => ({
    server: t.string({
      required: true,
      description:
        'The URL of the proxy: `http://proxy.example:3128`, `https://…` or `socks5://…`. The proxy must allow CONNECT to the ports of the pages, port 80 included.',
      validate: { type: 'string', schema: proxyServerField },
    }),
    username: t.string({
      description: 'The user name for the proxy, up to 255 bytes, without a colon. Never returned.',
      validate: { type: 'string', schema: proxyUserField },
    }),
    password: t.string({
      description: 'The password of that user, up to 255 bytes. Requires `username`. Never returned.',
      validate: { type: 'string', schema: proxyPasswordField },
    }),
  }),
});

/** Converts the validated GraphQL input to the upstream proxy of a session; null without a proxy. */
export function toUpstreamProxy(
  input: (ProxyCredentials & { readonly server: string }) | null | undefined,
): UpstreamProxy | null {
  const server = input == null ? null : parseProxyUrl(input.server);
  if (input == null || server === null) return null;
  const { username, password } = input;
  return { ...server, credentials: username == null ? null : { username, password: password ?? '' } };
}
