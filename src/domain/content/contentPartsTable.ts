/** The table of content parts as Markdown, for docs/scraping.md. */
import { CONTENT_PARTS } from './contentParts.ts';

/** Returns the content parts as a Markdown table: names, kind, whether REST returns the part by default, description. */
export function contentPartsTable(): string {
  const lines = Object.entries(CONTENT_PARTS).map(
    ([field, { name, kind, isDefault, description }]) =>
      `| \`${name}\` | ${field === name ? '' : `\`${field}\``} | ${kind} | ${isDefault ? 'yes' : ''} | ${description} |`,
  );
  return `| Part | GraphQL, if different | Kind | Default | What it is |\n|---|---|---|---|---|\n${lines.join('\n')}`;
}
