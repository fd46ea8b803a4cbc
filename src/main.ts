/** The command line. Each command loads its own modules when it is called. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { KEY_SCOPES, type KeyScope, TIERS } from './domain/account.ts';
import { readVersion } from './main/readVersion.ts';

// Compiling takes half of the start. The cache is not in the system's temporary folder, which other users can write to.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const program = new Command('pagespace')
  .description('Opens web pages in browser sessions, lists the actions on each page, and performs them.')
  .version(readVersion());

program
  .command('serve')
  .description('start the service')
  .action(async () => (await import('./main/serve.ts')).serve());

program
  .command('demo')
  .description('show the complete flow in the terminal: start, observe, step, scrape, close')
  .argument('[url]', 'the page to open (default: a small shop that comes with the demo)')
  .action(async (url: string | undefined) => (await import('./main/demoCommand.ts')).runDemoCommand(url));

const keys = program.command('keys').description('create, list and revoke API keys (default account: local)');
keys
  .command('create')
  .description('create an API key and print it; it is shown only once')
  .option('--name <name>', 'name of the key', 'created on the command line')
  .addOption(
    new Option('--scopes <scopes>', `scopes of the key, separated by commas: ${KEY_SCOPES.join(',')}`)
      .argParser(parseScopes)
      .default([...KEY_SCOPES], 'all'),
  )
  .addOption(
    new Option('--expires-in-days <days>', 'days until the key expires')
      .argParser(parseDays)
      .default(null, 'never'),
  )
  .addOption(
    new Option('--spend-cap <micros>', 'maximum total charge of the key, in micro-units')
      .argParser(parseMicros)
      .default(null, 'no limit'),
  )
  .addOption(accountOption())
  .action(async options =>
    (await import('./main/keyCommands.ts')).createKey({ ...options, spendCapMicros: options.spendCap }),
  );
keys
  .command('list')
  .description('list the keys, without the keys themselves')
  .addOption(accountOption())
  .action(async options => (await import('./main/keyCommands.ts')).listKeys(options));
keys
  .command('revoke')
  .description('revoke a key; a running service rejects it within five seconds')
  .argument('<id>', 'the first column of `list`')
  .addOption(accountOption())
  .action(async (id: string, options) => (await import('./main/keyCommands.ts')).revokeKey(id, options));

const accounts = program.command('accounts').description('create, list and credit accounts');
accounts
  .command('create')
  .description('create an account and print its id')
  .argument('<name>', 'name of the account')
  .addOption(new Option('--tier <tier>', 'limits and prices of the account').choices(TIERS).default('free'))
  .action(async (name: string, { tier }) =>
    (await import('./main/accountCommands.ts')).createAccount(name, tier),
  );
accounts
  .command('list')
  .description('list the accounts with tier and balance (in micro-units)')
  .action(async () => (await import('./main/accountCommands.ts')).listAccounts());
accounts
  .command('credit')
  .description('add an amount to the balance, once per reference; changes a free account to pay_as_you_go')
  .argument('<id>', 'the first column of `list`')
  .requiredOption(
    '--amount <micros>',
    'amount in micro-units (millionths of the unit of account), above 0',
    parseMicros,
  )
  .requiredOption('--reference <text>', 'an invoice or transaction number')
  .action(async (id: string, { amount, reference }) =>
    (await import('./main/accountCommands.ts')).creditAccount(id, amount, reference),
  );

program
  .command('ledger')
  .description('check the ledger')
  .command('audit')
  .description('check that sessions, operations, ledger and balances agree; exit code 1 if they do not')
  .option('--json', 'print the result as JSON', false)
  .action(async options => (await import('./main/auditLedgerCommand.ts')).auditLedgerCommand(options));

function accountOption(): Option {
  return new Option('--account <id>', 'id of the account').default(null, 'the local account');
}

function parseMicros(given: string): number {
  if (!/^\d{1,15}$/.test(given) || Number(given) === 0)
    throw new InvalidArgumentError('It must be a whole number above 0, of at most 15 digits.');
  return Number(given);
}

function parseScopes(text: string): KeyScope[] {
  const named = text.split(',').map(part => part.trim());
  const unknown = named.filter(name => !KEY_SCOPES.some(scope => scope === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`The scopes are ${KEY_SCOPES.join(', ')}.`);
  return KEY_SCOPES.filter(scope => named.includes(scope));
}

function parseDays(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('It must be a whole number above 0, of at most 5 digits.');
  return Number(text);
}

try {
  await program.parseAsync();
} catch (error) {
  const isVerbose = ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '');
  const message =
    error instanceof Error ? ((isVerbose ? error.stack : null) ?? error.message) : String(error);
  process.stderr.write(`pagespace: ${message}\n`);
  if (isVerbose && error instanceof Error && error.cause !== undefined) console.error(error.cause);
  process.exit(1);
}
