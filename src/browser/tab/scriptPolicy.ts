/** Reads in a Content-Security-Policy whether a document can run scripts (https://www.w3.org/TR/CSP3/). */

/**
 * Returns true if the policies of a document forbid all its scripts: those in elements and those in attributes.
 * @param header the value of the header; several policies are separated by commas, or by line breaks as CDP reports several headers
 */
export const forbidsScripts = (header: string | undefined): boolean =>
  (header ?? '').split(/[,\n]/).some(policy => {
    const sources = sourcesByDirective(policy);
    if (sources.has('sandbox') && !allows(sources.get('sandbox'), 'allow-scripts')) return true;
    const scripts = sources.get('script-src') ?? sources.get('default-src');
    return [sources.get('script-src-elem') ?? scripts, sources.get('script-src-attr') ?? scripts].every(
      allowsNothing,
    );
  });

/** The sources of each directive of a policy, in lower case. The first directive of a name counts. */
function sourcesByDirective(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = policy.split(';').map(text => text.trim().toLowerCase().split(/\s+/));
  return new Map(directives.reverse().map(([name = '', ...sources]) => [name, sources]));
}

const allows = (sources: readonly string[] | undefined, source: string): boolean =>
  sources?.includes(source) === true;

/** True for `'none'` and for an empty list; false for a directive that the policy does not have. */
const allowsNothing = (sources: readonly string[] | undefined): boolean =>
  sources?.every(source => source === "'none'") === true;
