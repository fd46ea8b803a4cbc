/** What an API key may be used for. */
import type { KeyScope } from '../../domain/account.ts';
import { wordEnum } from './wordEnum.ts';

export const KeyScopeEnum = wordEnum<KeyScope>('KeyScope', 'What an API key may be used for.', {
  read: 'Queries and subscriptions.',
  operate: 'Also the operations: start, observe, step, scrape, close.',
  admin: 'Everything, the keys of the account too.',
});
