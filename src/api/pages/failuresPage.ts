/** The manual of failures, from the one table. A problem's `type` leads here. */
import { FAILURES, type FailureDefinition } from '../../domain/failures.ts';
import { escapeHtml, htmlPage } from './htmlPage.ts';

const row = ([code, { status, title, description, retryable }]: [string, FailureDefinition]): string =>
  `<tr id="${code}"><td>${status}</td><td><code>${code}</code><small>${escapeHtml(title)}</small></td><td>${escapeHtml(description)}${
    retryable ? '<small>The same call can succeed later.</small>' : ''
  }</td></tr>`;

export const failuresPage = () =>
  htmlPage(
    'Failures · pagespace',
    `<h1>Failures</h1>
<p class="lead">Over REST a failure is an <code>application/problem+json</code> body; over GraphQL the same facts stand in
<code>extensions</code>.</p>
<table><thead><tr><th>HTTP</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(FAILURES).map(row).join('\n')}
</tbody></table>
<p><a href="/">pagespace</a></p>`,
  );
