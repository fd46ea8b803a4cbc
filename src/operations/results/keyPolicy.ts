import type { KeyPolicy } from '../../domain/account/keyPolicy.ts';
import { stepKind } from '../keyPolicy.ts';
import { shape } from './shape.ts';

export const keyPolicyShape = shape<KeyPolicy>()({
  name: 'KeyPolicy',
  description: 'The policy of an API key. A field that is null allows everything.',
  fields: {
    allowHosts: { type: ['String'], nullable: true, description: 'The hosts that may be reached.' },
    denyHosts: { type: ['String'], nullable: true, description: 'The hosts that may not.' },
    methods: { type: ['String'], nullable: true, description: 'The methods that requests may have.' },
    denySteps: { type: [stepKind], nullable: true, description: 'The kinds of steps that are refused.' },
    requireApproval: {
      type: [stepKind],
      nullable: true,
      description: 'The kinds of steps that wait for a person.',
    },
    approvalMinutes: { type: 'Int', nullable: true, description: 'Time for which they wait.' },
    profiles: { type: ['String'], nullable: true, description: 'The profiles that may be used.' },
    vaultEntries: { type: ['String'], nullable: true, description: 'The vault entries that may be used.' },
    minutesPerDay: { type: 'Int', nullable: true, description: 'Browser minutes a day (UTC).' },
    microsPerDay: { type: 'SafeInt', nullable: true, description: 'Charges a day (UTC), in micro-units.' },
  },
});
