/** A session's own proxy, as callers give it. */
import {
  PASSWORD_WITHOUT_USERNAME,
  proxyPasswordField,
  proxyServerField,
  proxyUserField,
} from '../../../domain/inputFields.ts';
import { parseProxyUrl, type UpstreamProxy } from '../../../domain/upstreamProxy.ts';
import { builder } from '../builder.ts';

interface ProxyCredentials {
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
}

export const ProxyInput = builder.inputType('ProxyInput', {
  description:
    'A proxy of your own, through which the pages of a session reach the web. It is told addresses, not names. What pages may reach stays the same, and the proxy must itself be at an address that pages may reach.',
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
        'Its address: `http://proxy.example:3128`, `https://…` or `socks5://…`. It must let connections through (CONNECT) to the ports of the pages, 80 too.',
      validate: { type: 'string', schema: proxyServerField },
    }),
    username: t.string({
      description: 'The user name, where the proxy asks for one. Never told again.',
      validate: { type: 'string', schema: proxyUserField },
    }),
    password: t.string({
      description: 'The password of that user. Never told again.',
      validate: { type: 'string', schema: proxyPasswordField },
    }),
  }),
});

/** The input, checked before, as the service takes it. */
export function toUpstreamProxy(
  input: (ProxyCredentials & { readonly server: string }) | null | undefined,
): UpstreamProxy | null {
  const server = input == null ? null : parseProxyUrl(input.server);
  if (input == null || server === null) return null;
  const { username, password } = input;
  return { ...server, credentials: username == null ? null : { username, password: password ?? '' } };
}
