/** The routes of profiles. `/session/start` opens and writes them. */
import { z } from 'zod';
import { assertScope } from '../../operations/operation.ts';
import { jsonResponse } from '../http/httpResponse.ts';
import { fileRoute, type RestRoute, readRoute } from './route.ts';

const name = z.string().min(1).max(100).meta({ description: 'The name of the profile.' });

const ProfileBody = z
  .object({
    name,
    version: z.int().meta({ description: 'The number of the version.' }),
    saved_at: z.iso.datetime({ precision: 3 }).meta({ description: 'When it was written last.' }),
    bytes: z.int().meta({ description: 'Size of the encrypted contents.' }),
  })
  .meta({ id: 'ProfileVersion', description: 'A version of a profile, without its contents.' });

/** The routes that list and delete profiles. */
export const profileRoutes: readonly RestRoute[] = [
  readRoute({
    path: '/profiles',
    title: 'List profiles',
    description: 'Lists the versions of all profiles of the account, the newest first, without contents.',
    graphql: 'profiles',
    request: z.strictObject({}),
    response: z
      .object({ profiles: z.array(ProfileBody) })
      .meta({ id: 'Profiles', description: 'The versions of the profiles of the account.' }),
    read: async (_query, { service, viewer }) => {
      assertScope(viewer, 'read', 'profiles');
      const versions = await service.listProfiles(viewer.account.id);
      return {
        profiles: versions.map(({ savedAt, ...version }) => ({
          ...version,
          saved_at: new Date(savedAt).toISOString(),
        })),
      };
    },
  }),
  fileRoute({
    method: 'POST',
    path: '/profile/delete',
    title: 'Delete a profile',
    description: 'Deletes a profile with all its versions.',
    bodyType: 'json',
    graphql: 'deleteProfile(name)',
    request: z
      .strictObject({ name })
      .meta({ id: 'DeleteProfileRequest', description: 'The profile to delete.' }),
    example: { name: 'shop' },
    response: z.object({ name }).meta({ id: 'DeletedProfile', description: 'The profile that was deleted.' }),
    respond: async (body, { context: { service, viewer } }) => {
      assertScope(viewer, 'operate', 'deleteProfile');
      await service.removeProfile(viewer, body.name);
      return jsonResponse(200, { name: body.name });
    },
  }),
];
