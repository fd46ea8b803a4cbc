/** The scopes of API keys. */
import type { KeyScope } from '../../../domain/account/account.ts';
import { domainEnum } from '../inputType.ts';

export const KeyScopeEnum = domainEnum<KeyScope>('KeyScope', 'A permission of an API key.', {
  read: 'Queries and subscriptions.',
  operate: 'READ, and the operations: start, observe, step, scrape, close.',
  admin: 'OPERATE, and managing the API keys of the account.',
});
