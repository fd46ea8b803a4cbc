/** GraphQL text → document, where it is of a size that everything behind can walk through. */
import { type DocumentNode, GraphQLError, Lexer, type ParseOptions, parse, Source, TokenKind } from 'graphql';

/** Brackets within brackets, of whatever kind: the parser calls itself for each. Fields are bounded far below. */
const MAX_NESTING = 200;

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** @throws GraphQLError as `parse`, and where the text has too many tokens or levels */
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
