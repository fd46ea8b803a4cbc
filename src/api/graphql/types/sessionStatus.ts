/** Where in its life a session is. */
import { domainEnum } from './domainEnum.ts';

export const SessionStatus = domainEnum(
  'SessionStatus',
  'Where in its life a session is. All but ACTIVE are final.',
  {
    active: 'Can be operated on.',
    closed: 'Ended because it was asked to, or because the service shut down.',
    timed_out: 'Ended because nothing was done in it for its timeout.',
    error: 'Ended because its browser was lost or its page died beyond recovery; `error` says how.',
  },
);
