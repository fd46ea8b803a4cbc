/** What an API key may be used for. */
import type { KeyScope } from '../../../domain/account.ts';
import { domainEnum } from './domainEnum.ts';

export const KeyScopeEnum = domainEnum<KeyScope>('KeyScope', 'What an API key may be used for.', {
  read: 'Queries and subscriptions.',
  operate: 'Also the operations: start, observe, step, scrape, close.',
  admin: 'Everything, the keys of the account too.',
});
