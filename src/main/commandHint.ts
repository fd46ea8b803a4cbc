/**
 * Returns how a person runs a command: by the name of the program in the image, with npm in a clone, by the name of the command in the npm package.
 * @param program the name that the image gives the program; undefined elsewhere
 */
export function commandHint(command: string, args = '', program = process.env.PAGESPACE_PROGRAM): string {
  const after = args === '' ? '' : ` ${args}`;
  if (program !== undefined) return `${program} ${command}${after}`;
  if (import.meta.url.endsWith('.ts')) return `npm run ${command}${args === '' ? '' : ` -- ${args}`}`;
  return `pagespace ${command}${after}`;
}
