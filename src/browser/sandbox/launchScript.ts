/** The shell script that starts one browser inside of the outer sandbox. Playwright runs it in place of the browser. */
import type { NetworkNamespace } from './networkNamespace.ts';

/** Options of `launchScript`. The script leaves out a layer that is null. */
export interface LaunchScriptOptions {
  /** Absolute path of the Chromium executable. */
  readonly executablePath: string;
  /** Folders that the browser may read, besides the system's programs, libraries and fonts. */
  readonly readableFolders: readonly string[];
  /** Folder of this browser, in which it may write. */
  readonly folder: string;
  /** Path of the seccomp filter. */
  readonly seccompFile: string | null;
  readonly network: Pick<NetworkNamespace, 'userFile' | 'networkFile'> | null;
  /** Number of the user and of the group under which the browser runs. */
  readonly userId: number | null;
  /** Path of the file `cgroup.procs` of the browser's cgroup. */
  readonly cgroupProcsFile: string | null;
}

/** Parts of the file system that a browser reads. `--ro-bind-try` ignores those that this system does not have. */
const SYSTEM_PATHS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt'],
  ...[
    '/etc/alternatives',
    '/etc/chromium',
    '/etc/chromium.d',
    '/etc/fonts',
    '/etc/ld.so.cache',
    '/etc/localtime',
  ],
  ...['/etc/mime.types', '/etc/os-release', '/etc/ssl', '/etc/passwd', '/etc/group', '/etc/nsswitch.conf'],
  ...['/var/cache/fontconfig', '/sys/devices/system/cpu'],
];

/** Environment variables that the browser inherits: language and time zone. The others may contain secrets. */
const INHERITED_VARIABLES = ['LANG', 'LC_ALL', 'TZ'];

/** Returns the command prefix that runs a program as another user, without rights of root and with no way to get them. */
export const asUser = (userId: number | null): string[] =>
  userId === null
    ? []
    : [
        'setpriv',
        `--reuid=${userId}`,
        `--regid=${userId}`,
        ...['--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'],
      ];

/** Returns the text of the script. The arguments of the script are those of the browser. */
export function launchScript(options: LaunchScriptOptions): string {
  const { folder, seccompFile, network, userId, cgroupProcsFile, executablePath } = options;
  const bubblewrap = [
    'bwrap',
    ...SYSTEM_PATHS.flatMap(path => ['--ro-bind-try', path, path]),
    // Chromium writes the user and group maps of its own sandbox to /proc.
    ...['--dev', '/dev', '--bind', '/proc', '/proc', '--tmpfs', '/tmp'],
    ...options.readableFolders.flatMap(path => ['--ro-bind', path, path]),
    ...['--bind', folder, folder],
    ...['--die-with-parent', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HOME', '/tmp'],
  ];
  return [
    '#!/bin/sh',
    `for argument in "$@"; do case "$argument" in --user-data-dir=*) profile=\${argument#--user-data-dir=};; esac; done`,
    ...(cgroupProcsFile === null ? [] : [`echo $$ > ${quote(cgroupProcsFile)} || exit 1`]),
    ...(userId === null
      ? []
      : [`chown -R ${userId}:${userId} \${profile:+"$profile"} ${quote(folder)} || exit 1`]),
    ...(network === null ? [] : [`exec 7< ${quote(network.userFile)} 8< ${quote(network.networkFile)}`]),
    ...(seccompFile === null ? [] : [`exec 9< ${quote(seccompFile)}`]),
    [
      'exec',
      ...asUser(userId),
      ...(network === null
        ? []
        : ['nsenter', '--preserve-credentials', '--user=/proc/self/fd/7', '--net=/proc/self/fd/8', '--']),
      ...bubblewrap.map(quote),
      ...INHERITED_VARIABLES.map(name => `\${${name}:+--setenv ${name} "$${name}"}`),
      `\${profile:+--bind "$profile" "$profile"}`,
      ...(seccompFile === null ? [] : ['--seccomp', '9']),
      '--',
      quote(executablePath),
      '"$@"',
    ].join(' '),
    '',
  ].join('\n');
}

/** Quotes a text for a shell. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
