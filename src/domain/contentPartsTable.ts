/** The table of content parts as Markdown, for docs/scraping.md. */
import { CONTENT_PARTS } from './contentParts.ts';

/** Returns one table row for each part: names, kind, whether REST returns it by default, description. */
export function contentPartsTable(): string {
  const lines = Object.entries(CONTENT_PARTS).map(
    ([field, { name, kind, isDefault, description }]) =>
      `| \`${name}\` | ${field === name ? '' : `\`${field}\``} | ${kind} | ${isDefault ? 'yes' : ''} | ${description} |`,
  );
  return `| Part | GraphQL, if different | Kind | Default | What it is |\n|---|---|---|---|---|\n${lines.join('\n')}`;
}
