/** Parses an operation, and limits its size for all code that walks through it later. */
import { type DocumentNode, GraphQLError, Lexer, type ParseOptions, parse, Source, TokenKind } from 'graphql';

/** Maximum nesting of brackets of any kind, because the parser calls itself for each. `maxDepth` limits fields to far less. */
const MAX_NESTING = 200;

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses an operation as graphql-js does, and limits its tokens and the nesting of its brackets. Own code, because
 * graphql-js and GraphQL Armor limit tokens but not the nesting of brackets.
 * @throws GraphQLError as `parse`, and when the text has too many tokens or levels
 */
export function parseWithLimits(
  text: string | Source,
  { maxTokens, ...options }: ParseOptions & { readonly maxTokens: number },
): DocumentNode {
  const source = typeof text === 'string' ? new Source(text) : text;
  const lexer = new Lexer(source);
  let depth = 0;
  for (let tokens = 0; tokens <= maxTokens && lexer.advance().kind !== TokenKind.EOF; tokens++) {
    const { kind } = lexer.token;
    if (OPENING.has(kind)) depth += 1;
    else if (CLOSING.has(kind)) depth -= 1;
    if (depth > MAX_NESTING)
      throw new GraphQLError(`A document may be nested ${MAX_NESTING} levels deep.`, {
        source,
        positions: [lexer.token.start],
      });
  }
  return parse(source, { ...options, maxTokens });
}
