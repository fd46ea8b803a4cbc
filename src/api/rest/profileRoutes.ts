import { z } from 'zod';
import type { KeyScope } from '../../domain/account/account.ts';
import type { ProfileVersion } from '../../domain/ports/accountStore.ts';
import { toStorageState } from '../../domain/session/storageState.ts';
import { profileName } from '../../operations/browserOptions.ts';
import { assertScope } from '../../operations/operation.ts';
import { jsonResponse } from '../http/httpResponse.ts';
import { fileRoute, type RestContext, type RestRoute, readRoute } from './route.ts';

const name = z.string().min(1).max(100).meta({ description: 'The name of the profile.' });

const ProfileBody = z
  .object({
    name,
    version: z.int().meta({ description: 'The number of the version.' }),
    saved_at: z.iso.datetime({ precision: 3 }).meta({ description: 'When it was written last.' }),
    bytes: z.int().meta({ description: 'Size of the encrypted contents.' }),
    origins: z
      .array(z.string())
      .meta({ description: 'The origins with storage, and the hosts with cookies, at most 200.' }),
  })
  .meta({ id: 'ProfileVersion', description: 'A version of a profile, without its contents.' });

const toBody = ({ savedAt, origins, ...version }: ProfileVersion) => ({
  ...version,
  saved_at: new Date(savedAt).toISOString(),
  origins: [...origins],
});

const ProfilesBody = z
  .object({ profiles: z.array(ProfileBody) })
  .meta({ id: 'Profiles', description: 'The versions of profiles.' });

const version = z.int().min(1).meta({ description: 'The number of the version.' });
const state = z.unknown().meta({
  description: "Cookies, localStorage and IndexedDB in the form of Playwright's `storageState`, up to 4 MB.",
});

const profileRoute = <Request extends z.ZodType>({
  scope,
  act,
  ...route
}: Pick<RestRoute, 'path' | 'title' | 'description' | 'graphql'> & {
  readonly scope: KeyScope;
  readonly request: Request;
  readonly example: z.input<Request>;
  readonly response: z.ZodType;
  readonly act: (body: z.output<Request>, context: RestContext) => Promise<unknown>;
}): RestRoute =>
  fileRoute({
    ...route,
    method: 'POST',
    bodyType: 'json',
    respond: async (body, { context }) => {
      assertScope(context.viewer, scope, route.title);
      return jsonResponse(200, await act(body, context));
    },
  });

export const profileRoutes: readonly RestRoute[] = [
  readRoute({
    path: '/profiles',
    title: 'List profiles',
    description: 'Lists the versions of all profiles of the account, the newest first, without contents.',
    graphql: 'profiles',
    request: z.strictObject({}),
    response: ProfilesBody,
    read: async (_query, { service, viewer }) => {
      assertScope(viewer, 'read', 'profiles');
      return { profiles: (await service.listProfiles(viewer)).map(toBody) };
    },
  }),
  profileRoute({
    path: '/profile/rename',
    title: 'Rename a profile',
    description: 'Gives a profile another name, with all its versions.',
    graphql: 'renameProfile(name)',
    scope: 'operate',
    request: z
      .strictObject({ name, new_name: profileName.meta({ description: 'Its new name.' }) })
      .meta({ id: 'RenameProfileRequest', description: 'The profile, and its new name.' }),
    example: { name: 'shop', new_name: 'shop of Ann' },
    response: ProfilesBody,
    act: async (body, { service, viewer }) => ({
      profiles: (await service.renameProfile(viewer, body.name, body.new_name)).map(toBody),
    }),
  }),
  profileRoute({
    path: '/profile/restore',
    title: 'Restore a profile',
    description: 'Makes the contents of a version those of a new one, with which sessions begin from now on.',
    graphql: 'restoreProfile(name)',
    scope: 'operate',
    request: z
      .strictObject({ name, version })
      .meta({ id: 'RestoreProfileRequest', description: 'The profile, and the version.' }),
    example: { name: 'shop', version: 1 },
    response: ProfileBody,
    act: async (body, { service, viewer }) =>
      toBody(await service.restoreProfile(viewer, body.name, body.version)),
  }),
  profileRoute({
    path: '/profile/export',
    title: 'Export a profile',
    description:
      "Returns the contents of a profile in the form of Playwright's `storageState`, with all values. Requires the scope `admin`, and is a row of the audit log.",
    graphql: 'exportProfile(name)',
    scope: 'admin',
    request: z
      .strictObject({ name, version: version.optional() })
      .meta({ id: 'ExportProfileRequest', description: 'The profile; without a version, its newest.' }),
    example: { name: 'shop' },
    response: z
      .object({ storage_state: state })
      .meta({ id: 'ExportedProfile', description: 'The contents of a profile.' }),
    act: async (body, { service, viewer }) => ({
      storage_state: await service.exportProfile(viewer, body.name, body.version ?? null),
    }),
  }),
  profileRoute({
    path: '/profile/import',
    title: 'Import a profile',
    description: 'Makes a storage state the newest version of a profile, which can be a new one.',
    graphql: 'importProfile(name)',
    scope: 'operate',
    request: z
      .strictObject({
        name: profileName.meta({ description: 'The name of the profile.' }),
        storage_state: state,
      })
      .meta({ id: 'ImportProfileRequest', description: 'The profile, and its new contents.' }),
    example: { name: 'shop', storage_state: { cookies: [], origins: [] } },
    response: ProfileBody,
    act: async (body, { service, viewer }) =>
      toBody(
        await service.importProfile(viewer, body.name, toStorageState(body.storage_state, 'storage_state')),
      ),
  }),
  profileRoute({
    path: '/profile/delete',
    title: 'Delete a profile',
    description: 'Deletes a profile with all its versions.',
    graphql: 'deleteProfile(name)',
    scope: 'operate',
    request: z
      .strictObject({ name })
      .meta({ id: 'DeleteProfileRequest', description: 'The profile to delete.' }),
    example: { name: 'shop' },
    response: z.object({ name }).meta({ id: 'DeletedProfile', description: 'The profile that was deleted.' }),
    act: async (body, { service, viewer }) => {
      await service.removeProfile(viewer, body.name);
      return { name: body.name };
    },
  }),
];
