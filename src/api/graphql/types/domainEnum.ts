/** GraphQL enums made from the domain's closed lists of words. */
import { toEnumName } from '../../http/failureExtensions.ts';
import { builder } from '../builder.ts';

/**
 * An enum whose members are the domain's words in GraphQL's spelling (`timed_out` → `TIMED_OUT`).
 * @param meanings every word with its description; the compiler sees to it that none is missing
 */
export function domainEnum<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, string>>,
) {
  const entries = Object.entries<string>(meanings) as [Word, string][];
  const values = Object.fromEntries(
    entries.map(([word, meaning]) => [toEnumName(word), { value: word, description: meaning }]),
  ) as Record<string, { value: Word; description: string }>;
  return builder.enumType(name, { description, values });
}
