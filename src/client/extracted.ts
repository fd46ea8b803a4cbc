/** The type of the values that `extract` returns, from the type of its schema. */

/**
 * The values of a schema. A value that the page does not have is null. An object without `type` whose values are schemas is
 * shorthand for its `properties`. A schema whose type is not known has values of type `unknown`.
 * @example Extracted<{ price: { type: 'number'; selector: '.price' } }> // { price: number | null } | null
 */
export type Extracted<Schema> = unknown extends Schema
  ? unknown
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value | null
    : Schema extends { readonly type: 'string' }
      ? string | null
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number | null
        : Schema extends { readonly type: 'boolean' }
          ? boolean | null
          : Schema extends { readonly items: infer Item }
            ? Extracted<Item>[] | null
            : Schema extends { readonly properties: infer Parts }
              ? ExtractedParts<Parts> | null
              : Schema extends { readonly type: string }
                ? unknown
                : Schema extends { readonly selector: string } | { readonly label: string }
                  ? string | null
                  : string extends keyof Schema
                    ? unknown
                    : ExtractedParts<Schema> | null;

type ExtractedParts<Parts> = { -readonly [Name in keyof Parts]: Extracted<Parts[Name]> };
