/** The page /failures: the table of failure codes. The `type` of a problem points to its row. */

import type { FailureDefinition } from '../../domain/failure/failureDefinition.ts';
import { FAILURES } from '../../domain/failure/failures.ts';
import { escapeHtml, htmlPage } from './htmlPage.ts';

/** Converts the description of a failure to HTML: text in backticks becomes a `code` element. */
const descriptionHtml = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const row = ([code, definition]: [string, FailureDefinition]): string => {
  const { status, title, description, retryable } = definition;
  const retry = retryable ? '<small>The same request can succeed later.</small>' : '';
  return `<tr id="${code}"><td>${status}</td><td><code>${code}</code><small>${escapeHtml(title)}</small></td><td>${descriptionHtml(description)}${retry}</td></tr>`;
};

/** Creates the page /failures: a table with status, code and description of every failure. */
export const failuresPage = () =>
  htmlPage(
    'Failures · pagespace',
    `<h1>Failures</h1>
<p class="lead">Over REST a failure is an <code>application/problem+json</code> body. Over GraphQL the same fields are in the
<code>extensions</code> of the error.</p>
<table><thead><tr><th>HTTP</th><th>Code</th><th>What happened, and what you can do</th></tr></thead><tbody>
${Object.entries(FAILURES).map(row).join('\n')}
</tbody></table>
<p><a href="/">pagespace</a></p>`,
  );
