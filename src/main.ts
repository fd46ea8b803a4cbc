/** The command line. What a command needs is loaded when it is called. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { KEY_SCOPES, type KeyScope, TIERS } from './domain/account.ts';
import { readVersion } from './main/readVersion.ts';

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
  .action(async (url: string | undefined) => (await import('./main/demoCommand.ts')).runDemoCommand(url));

const keys = program.command('keys').description("API keys, the local account's unless another is named");
keys
  .command('create')
  .description('make a key and show it, this once')
  .option('--name <name>', 'what to call it', 'made on the command line')
  .option('--scopes <scopes>', `some of ${KEY_SCOPES.join(',')}`, scopes, [...KEY_SCOPES])
  .option('--expires-in-days <days>', 'when it ends; never unless given', days, null)
  .option('--spend-cap <micros>', 'what may be charged to it in all; any amount unless given', micros, null)
  .option('--account <id>', 'whose it is; the local account unless given', text, null)
  .action(async options =>
    (await import('./main/keyCommands.ts')).createKey({ ...options, spendCapMicros: options.spendCap }),
  );
keys
  .command('list')
  .description('show what is kept of every key')
  .option('--account <id>', 'whose; the local account unless given', text, null)
  .action(async options => (await import('./main/keyCommands.ts')).listKeys(options));
keys
  .command('revoke')
  .description('refuse a key from now on')
  .argument('<id>', 'as list shows it')
  .option('--account <id>', 'whose it is; the local account unless given', text, null)
  .action(async (id: string, options) => (await import('./main/keyCommands.ts')).revokeKey(id, options));

const accounts = program.command('accounts').description('the accounts of this service');
accounts
  .command('create')
  .description('make an account and show its id')
  .argument('<name>', 'what to call it')
  .addOption(new Option('--tier <tier>', 'what it may do and what it pays').choices(TIERS).default('free'))
  .action(async (name: string, { tier }) =>
    (await import('./main/accountCommands.ts')).createAccount(name, tier),
  );
accounts
  .command('list')
  .description('show every account with its tier and balance')
  .action(async () => (await import('./main/accountCommands.ts')).listAccounts());
accounts
  .command('credit')
  .description('add to a balance, once for a reference; a free account pays as it goes from then on')
  .argument('<id>', 'as list shows it')
  .requiredOption('--amount <micros>', 'micro-units: a millionth of the unit of account each', micros)
  .requiredOption('--reference <text>', 'what it is for, such as the number of an invoice')
  .action(async (id: string, { amount, reference }) =>
    (await import('./main/accountCommands.ts')).creditAccount(id, amount, reference),
  );

function text(given: string): string {
  return given;
}

function micros(given: string): number {
  if (!/^\d{1,15}$/.test(given) || Number(given) === 0)
    throw new InvalidArgumentError('A whole number of micro-units above 0.');
  return Number(given);
}

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
