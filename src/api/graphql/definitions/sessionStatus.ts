/** The status of a session. */
import { domainEnum } from './domainEnum.ts';

export const SessionStatus = domainEnum(
  'SessionStatus',
  'The status of a session. All except ACTIVE are final.',
  {
    active: 'Accepts operations.',
    closed:
      'Ended by `closeSession`, by an operation that closes the session, by the step S8, or by an orderly shutdown of the service.',
    timed_out: 'Ended by its idle timeout, or by the maximum lifetime that the service sets.',
    error:
      'Ended because its browser or page was lost, because it exceeded a limit of the service (pages, requests, traffic, memory, processor time), or because the service was killed; `error` says which.',
  },
);
