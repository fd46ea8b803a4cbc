/** The command line. Each command loads its own modules when it is called. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';
import { KEY_SCOPES, type KeyScope, TIERS } from './domain/account/account.ts';
import { EXPORT_FORMATS } from './domain/session/pageLog.ts';
import { ACTION_STATUSES, type ActionStatus } from './domain/space/action.ts';
import { WAIT_FOR_GRAMMAR } from './domain/specialActions/specialActionDefinition.ts';
import { firstSentence, type RequestField, restWords } from './operations/field.ts';
import { actionList, timeoutFields } from './operations/page.ts';
import { step } from './operations/step.ts';
import { readVersion } from './version.ts';

// Compiling takes half of the start. The cache is not in the system's temporary folder, which other users can write to.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

// Commands inherit this: errors in arguments are thrown, and exit with the code of exitCodeFor.
const program = new Command('pagespace')
  .exitOverride()
  .description('Opens web pages in browser sessions, lists the actions on each page, and performs them.')
  .version(readVersion())
  // Commander leaves the colours out where the output is no terminal.
  .configureHelp({ styleTitle: pc.bold, styleCommandText: pc.cyan, styleSubcommandText: pc.cyan })
  .addHelpText(
    'after',
    examples(
      ['open http://127.0.0.1:4001/', 'open a page of the practice shop, and list its actions'],
      ['do B2', 'perform an action: what changed'],
      ['do I1 cotton --enter', 'type into a field, then press Enter'],
      ['read', 'the content of the page as Markdown'],
      ['close', 'close the session'],
      ['scrape https://example.com/', 'one page, without a session'],
      ['complete bash', 'completion for bash, zsh, fish or powershell'],
    ),
  );

program
  .command('serve')
  .description('start the service')
  .action(async () => (await import('./main/serve.ts')).serve());

program
  .command('drain')
  .description('let the running service take no new sessions, wait for the running ones, then stop')
  .option('--node <id>', 'a node of the cluster (default: the service that uses PAGESPACE_DATA_DIR)')
  .action(async ({ node = null }: { node?: string | null }) =>
    (await import('./main/storeCommands.ts')).drainCommand(node),
  );

program
  .command('demo')
  .description('show the complete flow in the terminal: start, observe, step, scrape, close')
  .argument('[url]', 'the page to open (default: the practice shop)')
  .action(async (url: string | undefined) => (await import('./main/serve.ts')).runDemoCommand(url));

const optionWords = ({ description }: RequestField): string =>
  restWords(firstSentence(description)).replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase());

const service = (command: Command): Command =>
  command
    .option(
      '--url <url>',
      'address of the service (default: PAGESPACE_URL, config.json, or http://127.0.0.1:4000)',
    )
    .option(
      '--key <key>',
      'API key (default: PAGESPACE_API_KEY, config.json in ~/.config/pagespace, or the one of `npm start`)',
    );
const page = (command: Command): Command =>
  service(command)
    .option('--session <id>', 'session (default: PAGESPACE_SESSION, or the one of the last `open`)')
    .option('--json', 'print JSON');
const listing = (command: Command): Command =>
  page(command)
    .option('--search <text>', optionWords(actionList.fields.search))
    .addOption(
      new Option(
        '--status <states>',
        `${optionWords(actionList.fields.status)}: ${ACTION_STATUSES.join(',')}`,
      ).argParser(parseStatuses),
    )
    .option('--text', optionWords(actionList.fields.text))
    .addOption(waitForOption())
    .option('--screenshot <file>', 'write a PNG of the page');

listing(program.command('open'))
  .description('open a page in a new session, and list its actions')
  .argument('<url>', 'the page to open')
  .option('--timeout-minutes <minutes>', optionWords(timeoutFields.sessionTimeoutMinutes), Number)
  .option(
    '--options <json>',
    'options of the session, as in POST /session/start: \'{"device":"iPhone 15"}\', or @file',
  )
  .action(async (url: string, options) => (await import('./cli/pageCommands.ts')).openPage(url, options));
listing(program.command('list'))
  .description('list the actions of the current page')
  .action(async options => (await import('./cli/pageCommands.ts')).listActions(options));
listing(program.command('do'))
  .description('perform an action: click, type, choose, press, go')
  .argument('<id>', 'the id of an action: L1, B2, I3, S4')
  .argument('[value]', 'the value for an input or a special action')
  .option('--enter', optionWords(step.fields.enter))
  .option('--list', 'the whole list too, not only what changed')
  .addHelpText('after', examples(['do B2', 'click'], ['do I1 cotton --enter', 'type'], ['do S4', 'go back']))
  .action(async (id: string, value: string | undefined, options) =>
    (await import('./cli/pageCommands.ts')).doAction(id, value, options),
  );
const content = (command: Command): Command =>
  command
    .option('--text', 'plain text')
    .option('--links', 'the links')
    .option('--full', 'the whole visible page, not only its main content')
    .addOption(waitForOption());
content(page(program.command('read')))
  .description('print the content of the current page as Markdown')
  .action(async options => (await import('./cli/pageCommands.ts')).readPage(options));
page(program.command('close'))
  .description('close the session')
  .action(async options => (await import('./cli/pageCommands.ts')).closeSession(options));
content(service(program.command('scrape')).option('--json', 'print JSON'))
  .description('print the content of one page, without a session to close')
  .argument('<url>', 'the page to read')
  .action(async (url: string, options) => (await import('./cli/pageCommands.ts')).scrapePage(url, options));
service(program.command('sessions'))
  .description('list the active sessions')
  .option('--all', 'the ended ones too')
  .option('--json', 'print JSON')
  .action(async options => (await import('./cli/sessionCommands.ts')).listSessions(options));
page(program.command('events'))
  .description('print what happened in the session')
  .option('--follow', 'go on until the session ends')
  .action(async options => (await import('./cli/sessionCommands.ts')).showEvents(options));
for (const [name, what] of [
  ['console', 'the console of the pages'],
  ['network', 'the requests of the pages'],
] as const)
  page(program.command(name))
    .description(`print ${what}`)
    .option('--follow', 'go on until the session ends')
    .action(async options => (await import('./cli/sessionCommands.ts')).showPageLog(name, options));
page(program.command('export'))
  .description('write what happened in the session, for a report')
  .argument('[file]', 'the file to write (default: standard output)')
  .addOption(new Option('--format <format>', 'the format').choices([...EXPORT_FORMATS]).default('markdown'))
  .action(async (file: string | undefined, options) =>
    (await import('./cli/sessionCommands.ts')).exportSession(file, options),
  );
page(program.command('screenshot'))
  .description('write a PNG of the page')
  .argument('[file]', 'the file to write', 'page.png')
  .option('--full-page', 'the whole page, not only what is in the window')
  .action(async (file: string, options) =>
    (await import('./cli/sessionCommands.ts')).takeScreenshot(file, options),
  );
page(program.command('download'))
  .description('list the files that the page downloaded, or write one of them')
  .argument('[id]', 'the id of a download: D1')
  .option('--output <file>', 'the file to write (default: the name that the page gave it)')
  .action(async (id: string | undefined, options) =>
    (await import('./cli/sessionCommands.ts')).downloadFile(id, options),
  );
page(program.command('upload'))
  .description('upload a file, and print its id: the value for a file input')
  .argument('<file>', 'the file to upload')
  .action(async (file: string, options) =>
    (await import('./cli/sessionCommands.ts')).uploadFile(file, options),
  );
service(program.command('mcp'))
  .description('serve MCP over standard input and output; without a key, with a service of its own')
  .action(async options => (await import('./main/mcpCommand.ts')).serveMcp(options));

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
    (await import('./main/storeCommands.ts')).createKey({ ...options, spendCapMicros: options.spendCap }),
  );
keys
  .command('list')
  .description('list the keys, without the keys themselves')
  .option('--json', 'print JSON', false)
  .addOption(accountOption())
  .action(async options => (await import('./main/storeCommands.ts')).listKeys(options));
keys
  .command('revoke')
  .description('revoke a key; a running service rejects it within five seconds')
  .argument('<id>', 'the first column of `list`')
  .addOption(accountOption())
  .action(async (id: string, options) => (await import('./main/storeCommands.ts')).revokeKey(id, options));

const accounts = program.command('accounts').description('create, list and credit accounts');
accounts
  .command('create')
  .description('create an account and print its id')
  .argument('<name>', 'name of the account')
  .addOption(new Option('--tier <tier>', 'limits and prices of the account').choices(TIERS).default('free'))
  .action(async (name: string, { tier }) =>
    (await import('./main/storeCommands.ts')).createAccount(name, tier),
  );
accounts
  .command('list')
  .description('list the accounts with tier and balance (in micro-units)')
  .option('--json', 'print JSON', false)
  .action(async options => (await import('./main/storeCommands.ts')).listAccounts(options));
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
    (await import('./main/storeCommands.ts')).creditAccount(id, amount, reference),
  );

program
  .command('ledger')
  .description('check the ledger')
  .command('audit')
  .description('check that sessions, operations, ledger and balances agree; exit code 1 if they do not')
  .option('--json', 'print the result as JSON', false)
  .action(async options => (await import('./main/storeCommands.ts')).auditLedgerCommand(options));

program
  .command('log')
  .description('check the audit log')
  .command('audit')
  .description(
    'check that each row of the audit log follows from the one before; exit code 1 if one does not',
  )
  .option('--json', 'print the result as JSON', false)
  .action(async options => (await import('./main/storeCommands.ts')).auditLogCommand(options));

program
  .command('secrets')
  .description('the keys of profiles and of the vault')
  .command('rotate')
  .description(
    'encrypt all profiles and vault entries with the first key of PAGESPACE_SECRETS_KEY; without it, with a new one in the data folder (no service may use it)',
  )
  .action(async () => (await import('./main/storeCommands.ts')).rotateSecretsCommand());

program
  .command('backup')
  .description('copy the data folder, also while the service runs; a restore uses the copy as data folder')
  .argument('[folder]', 'the folder to write (default: backup-<time> beside the data folder)')
  .action(async (folder: string | undefined) =>
    (await import('./main/storeCommands.ts')).backupCommand(folder),
  );

program
  .command('migrate')
  .description('bring the schema of the store up to date (a service does so itself when it starts)')
  .action(async () => (await import('./main/storeCommands.ts')).migrateCommand());

function examples(...rows: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...rows.map(([command]) => command.length)) + 2;
  const lines = rows.map(([command, meaning]) => `  pagespace ${command.padEnd(width)}${meaning}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

function waitForOption(): Option {
  return new Option(
    '--wait-for <condition>',
    `wait first, up to 10 seconds, for ${WAIT_FOR_GRAMMAR.replaceAll('`', "'")}`,
  );
}

function parseStatuses(text: string): ActionStatus[] {
  const named = text.split(',').map(part => part.trim());
  const unknown = named.filter(name => !ACTION_STATUSES.some(status => status === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`The states are ${ACTION_STATUSES.join(', ')}.`);
  return ACTION_STATUSES.filter(status => named.includes(status));
}

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

tab(program);
program.commands
  .find(command => command.name() === 'complete')
  ?.description('print a script that completes commands in bash, zsh, fish or powershell');

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await exitCodeFor(error);
  // An embedded service or an open stream must not keep a failed command alive.
  process.exit();
}

/** Prints an error and returns the exit code; docs/clients.md lists the codes. */
async function exitCodeFor(error: unknown): Promise<number> {
  // Commander has printed its own message: help and version end with 0, wrong arguments with 2.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { reportFailure } = await import('./cli/terminal.ts');
  const reported = reportFailure(error, process.argv.includes('--json'));
  if (reported !== null) return reported;
  const isVerbose = ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '');
  const message =
    error instanceof Error ? ((isVerbose ? error.stack : null) ?? error.message) : String(error);
  const { terminalText } = await import('./domain/terminalText.ts');
  process.stderr.write(`pagespace: ${terminalText(message)}\n`);
  if (isVerbose && error instanceof Error && error.cause !== undefined) console.error(error.cause);
  return 1;
}
