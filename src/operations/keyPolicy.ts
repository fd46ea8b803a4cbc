import { z } from 'zod';
import {
  DEFAULT_APPROVAL_MINUTES,
  type KeyPolicy,
  MAX_APPROVAL_MINUTES,
  parseHostPattern,
  STEP_KINDS,
  type StepKind,
} from '../domain/account/keyPolicy.ts';
import { VAULT_NAME } from '../domain/vault.ts';
import { enumTable, field, nullable, type RequestOf, requestFields } from './field.ts';
import { shape } from './results/shape.ts';

export const stepKind = enumTable<StepKind>('StepKind', 'A kind of steps that a policy can name.', {
  write: 'Every step that acts on a page: all except those that open, read, scroll, wait or change tabs.',
  submit: 'Pressing the button of a form, and Enter. Requests have methods that change nothing, too.',
  upload: 'Uploads, and steps that put files into a page.',
  download: 'Downloads: none is kept.',
  vault: 'Filling a value of the vault.',
});

const hosts = (description: string) =>
  ({
    type: ['String'],
    description: `${description} A host name or an IP address, in which \`*\` stands for any characters: \`*.example.com\` is every subdomain, not \`example.com\`. At most 200.`,
    check: z
      .array(
        z
          .string()
          .max(255, 'must be at most 255 characters')
          .refine(
            pattern => parseHostPattern(pattern) !== null,
            'must be a host such as *.example.com, without scheme, port or path, and without * in its last part',
          ),
      )
      .max(200, 'must be at most 200 patterns'),
    examples: [['example.com', '*.example.com']],
  }) as const;

const names = (description: string, check: z.ZodString) =>
  ({ type: ['String'], description, check: z.array(check).max(200, 'must be at most 200 names') }) as const;

/** The fields of a policy. An absent one allows everything. */
export const keyPolicyFields = requestFields({
  allowHosts: hosts('The hosts that the sessions of the key may reach. Default: all.'),
  denyHosts: hosts(
    'Hosts that they may not reach, although `allowHosts` has them. An address of such a host is another host: prefer `allowHosts`.',
  ),
  methods: field(
    ['String'],
    'The methods that requests may have; GET includes HEAD and OPTIONS. WebSockets have none. Default: all.',
    {
      check: z
        .array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'must be GET, POST, PUT, PATCH or DELETE'))
        .min(1, 'must name a method'),
      examples: [['GET']],
    },
  ),
  denySteps: field([stepKind], 'Kinds of steps that the key may not perform. Default: none.'),
  requireApproval: field(
    [stepKind],
    'Kinds of steps that wait for a person, who calls `approveStep` or `denyStep`; DOWNLOAD is none of them. Default: none.',
    { check: z.array(z.enum(STEP_KINDS).exclude(['download'], 'must be write, submit, upload or vault')) },
  ),
  approvalMinutes: field('Int', 'Time for which a step waits for a person.', {
    check: z.int('must be a whole number').min(1).max(MAX_APPROVAL_MINUTES),
    default: DEFAULT_APPROVAL_MINUTES,
  }),
  profiles: names('The profiles that the key may use. Default: all.', z.string().min(1).max(100)),
  vaultEntries: names(
    'The vault entries whose values its steps may fill. Default: all.',
    z.string().regex(VAULT_NAME, 'must be the name of a vault entry'),
  ),
  minutesPerDay: field('Int', 'Browser minutes a day (UTC), then QUOTA_EXHAUSTED. Default: no limit.', {
    check: z.int('must be a whole number').min(1).max(100_000),
  }),
  microsPerDay: field(
    'SafeInt',
    'Charges a day (UTC), in micro-units, then QUOTA_EXHAUSTED. Default: no limit.',
    { check: z.int('must be a whole number').min(1) },
  ),
});

/** Converts a policy; null without a rule. */
export function toKeyPolicy(request: RequestOf<typeof keyPolicyFields>): KeyPolicy | null {
  const { allowHosts, denyHosts, methods, denySteps, profiles, vaultEntries } = request;
  const { minutesPerDay, microsPerDay, requireApproval, approvalMinutes } = request;
  const parsed = (patterns: readonly string[]): readonly string[] => [
    ...new Set(patterns.map(parseHostPattern).filter(pattern => pattern !== null)),
  ];
  const policy: KeyPolicy = {
    ...(allowHosts != null && { allowHosts: parsed(allowHosts) }),
    ...(denyHosts != null && { denyHosts: parsed(denyHosts) }),
    ...(methods != null && { methods: [...new Set(methods)] }),
    ...(denySteps != null && { denySteps: [...new Set(denySteps)] }),
    ...(requireApproval != null && {
      requireApproval: [...new Set(requireApproval)],
      approvalMinutes: approvalMinutes ?? DEFAULT_APPROVAL_MINUTES,
    }),
    ...(profiles != null && { profiles: [...new Set(profiles)] }),
    ...(vaultEntries != null && { vaultEntries: [...new Set(vaultEntries)] }),
    ...(minutesPerDay != null && { minutesPerDay }),
    ...(microsPerDay != null && { microsPerDay }),
  };
  return Object.keys(policy).length === 0 ? null : policy;
}

export const keyPolicyShape = shape<KeyPolicy>()({
  name: 'KeyPolicy',
  description: 'The policy of an API key. A field that is null allows everything.',
  fields: {
    allowHosts: nullable(['String'], 'The hosts that may be reached.'),
    denyHosts: nullable(['String'], 'The hosts that may not.'),
    methods: nullable(['String'], 'The methods that requests may have.'),
    denySteps: nullable([stepKind], 'The kinds of steps that are refused.'),
    requireApproval: nullable([stepKind], 'The kinds of steps that wait for a person.'),
    approvalMinutes: nullable('Int', 'Time for which they wait.'),
    profiles: nullable(['String'], 'The profiles that may be used.'),
    vaultEntries: nullable(['String'], 'The vault entries that may be used.'),
    minutesPerDay: nullable('Int', 'Browser minutes a day (UTC).'),
    microsPerDay: nullable('SafeInt', 'Charges a day (UTC), in micro-units.'),
  },
});
