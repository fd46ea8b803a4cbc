/** The command line. What a command needs is loaded when it is called. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { KEY_SCOPES, type KeyScope } from './domain/account.ts';
import { readVersion } from './main/version.ts';

// Half of a start is compiling. The cache is our own: the system's folder for temporary files is everybody's.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const program = new Command('pagespace')
  .description('Opens browser sessions, shows web pages as short lists of actions, acts on them.')
  .version(readVersion());

program
  .command('serve')
  .description('run the service')
  .action(async () => (await import('./main/serve.ts')).serve());

program
  .command('demo')
  .description('show the whole flow: start, observe, one step, scrape, close')
  .argument('[url]', 'the page to show; a small site of its own unless given')
  .action(async (url: string | undefined) => (await import('./main/demo.ts')).demo(url));

const keys = program.command('keys').description("the local account's API keys");
keys
  .command('create')
  .description('make a key and show it, this once')
  .option('--name <name>', 'what to call it', 'made on the command line')
  .option('--scopes <scopes>', `some of ${KEY_SCOPES.join(',')}`, scopes, [...KEY_SCOPES])
  .option('--expires-in-days <days>', 'when it ends; never unless given', days, null)
  .action(async options => (await import('./main/keys.ts')).createKey(options));
keys
  .command('list')
  .description('show what is kept of every key')
  .action(async () => (await import('./main/keys.ts')).listKeys());
keys
  .command('revoke')
  .description('refuse a key from now on')
  .argument('<id>', 'as list shows it')
  .action(async (id: string) => (await import('./main/keys.ts')).revokeKey(id));

function scopes(text: string): KeyScope[] {
  const named = text.split(',').map(part => part.trim());
  const unknown = named.filter(name => !KEY_SCOPES.some(scope => scope === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Known are ${KEY_SCOPES.join(', ')}.`);
  return KEY_SCOPES.filter(scope => named.includes(scope));
}

function days(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('A whole number above 0.');
  return Number(text);
}

try {
  await program.parseAsync();
} catch (error) {
  const inDetail = ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '');
  const said = error instanceof Error ? ((inDetail ? error.stack : null) ?? error.message) : String(error);
  process.stderr.write(`pagespace: ${said}\n`);
  if (inDetail && error instanceof Error && error.cause !== undefined) console.error(error.cause);
  process.exit(1);
}
