import type { ProfileVersion } from '../../../domain/ports/accountStore.ts';
import { toStorageState } from '../../../domain/session/storageState.ts';
import { profileName } from '../../../operations/browserOptions.ts';
import { field } from '../../../operations/field.ts';
import { shape } from '../../../operations/results/shape.ts';
import { builder, ROW_COST } from '../builder.ts';
import { resultType } from '../operationTypes.ts';

const ProfileVersionType = resultType(
  shape<ProfileVersion>()({
    name: 'ProfileVersion',
    description: 'A version of a profile, without its contents. The last five of each profile are kept.',
    fields: {
      name: field('String', 'The name of the profile.'),
      version: field('Int', 'The number of the version: each session that changes the profile adds one.'),
      savedAt: field('DateTime', 'When it was written last.'),
      bytes: field('Int', 'Size of the encrypted contents.'),
      origins: field(
        ['String'],
        'The origins with storage, and the hosts with cookies, at most 200. No answer but an export has the values.',
      ),
    },
  }),
);

builder.queryField('profiles', t =>
  t.field({
    type: [ProfileVersionType],
    authScopes: { read: true },
    complexity: { field: 10, multiplier: ROW_COST },
    description: 'The versions of all profiles of the account, the newest first.',
    resolve: (_root, _args, { service, viewer }) => service.listProfiles(viewer),
  }),
);

builder.mutationField('restoreProfile', t =>
  t.field({
    type: ProfileVersionType,
    authScopes: { operate: true },
    complexity: 20,
    description:
      'Makes the contents of a version those of a new one, with which sessions begin from now on. Errors: PROFILE_NOT_FOUND, and PROFILE_IN_USE while a session writes the profile.',
    args: {
      name: t.arg.string({ required: true, description: 'The name of the profile.' }),
      version: t.arg.int({ required: true, description: 'The version to restore.' }),
    },
    resolve: (_root, { name, version }, { service, viewer }) => service.restoreProfile(viewer, name, version),
  }),
);

builder.mutationField('renameProfile', t =>
  t.field({
    type: [ProfileVersionType],
    authScopes: { operate: true },
    complexity: 20,
    description:
      'Gives a profile another name, with all its versions, and returns them. Errors: PROFILE_NOT_FOUND, PROFILE_IN_USE while a session writes it, and VALIDATION_ERROR if the new name is taken.',
    args: {
      name: t.arg.string({ required: true, description: 'The name of the profile.' }),
      newName: t.arg.string({
        required: true,
        description: 'Its new name.',
        validate: { type: 'string', schema: profileName },
      }),
    },
    resolve: async (_root, { name, newName }, { service, viewer }) => [
      ...(await service.renameProfile(viewer, name, newName)),
    ],
  }),
);

builder.mutationField('exportProfile', t =>
  t.field({
    type: 'JSON',
    authScopes: { admin: true },
    complexity: 20,
    description:
      "Returns the contents of a profile in the form of Playwright's `storageState`: cookies and storage with their values. Requires the scope ADMIN, and is a row of the audit log. Error: PROFILE_NOT_FOUND.",
    args: {
      name: t.arg.string({ required: true, description: 'The name of the profile.' }),
      version: t.arg.int({ description: 'The version. Default: the newest.' }),
    },
    resolve: (_root, { name, version }, { service, viewer }) =>
      service.exportProfile(viewer, name, version ?? null),
  }),
);

builder.mutationField('importProfile', t =>
  t.field({
    type: ProfileVersionType,
    authScopes: { operate: true },
    complexity: 20,
    description:
      "Makes a state in the form of Playwright's `storageState`, up to 4 MB, the newest version of a profile, which can be a new one. Errors: VALIDATION_ERROR, and PROFILE_IN_USE while a session writes the profile.",
    args: {
      name: t.arg.string({
        required: true,
        description: 'The name of the profile.',
        validate: { type: 'string', schema: profileName },
      }),
      storageState: t.arg({ type: 'JSON', required: true, description: 'The state.' }),
    },
    resolve: (_root, { name, storageState }, { service, viewer }) =>
      service.importProfile(viewer, name, toStorageState(storageState)),
  }),
);

builder.mutationField('deleteProfile', t =>
  t.field({
    type: 'String',
    authScopes: { operate: true },
    complexity: 20,
    description:
      'Deletes a profile with all its versions, and returns its name. A session that writes it creates it again at its next change. Error: PROFILE_NOT_FOUND.',
    args: { name: t.arg.string({ required: true, description: 'The name of the profile.' }) },
    resolve: async (_root, { name }, { service, viewer }) => {
      await service.removeProfile(viewer, name);
      return name;
    },
  }),
);
