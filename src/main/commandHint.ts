/** Returns how a person runs a command: with npm in a clone, with npx from the npm package. */
export function commandHint(command: string, args = ''): string {
  if (import.meta.url.endsWith('.ts')) return `npm run ${command}${args === '' ? '' : ` -- ${args}`}`;
  return `npx pagespace ${command}${args === '' ? '' : ` ${args}`}`;
}
