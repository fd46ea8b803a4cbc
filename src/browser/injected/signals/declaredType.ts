/** Reads the type of a page from what it declares. */
import type { PageSignals } from './pageSignals.ts';
import type { PageType } from './pageTypes.ts';

/** Matches the declared types that say the same of a page. */
export const DECLARATIONS = {
  article: /^(og:article|.*(Article|BlogPosting))$/i,
  techArticle: /^(TechArticle|APIReference|SoftwareSourceCode|HowTo)$/,
  product: /^(og:(og:)?product(\..*)?|Product|ProductGroup|IndividualProduct)$/,
  list: /^(CollectionPage|ItemList|SearchResultsPage|OfferCatalog|og:product\.group)$/,
  thread: /^(QAPage|DiscussionForumPosting|Question)$/,
  service: /^(Service|LocalBusiness|ProfessionalService|FAQPage|.*Business|AboutPage|ContactPage)$/,
  website: /^og:website$/i,
} as const satisfies Readonly<Record<string, RegExp>>;

/** The type of page that each declaration tells, the surest first. The others (a service, a website) are declared by pages of every type. */
const TYPES = [
  ['thread', 'forum'],
  ['list', 'collection'],
  ['product', 'product'],
  ['techArticle', 'documentation'],
  ['article', 'article'],
] as const satisfies readonly (readonly [keyof typeof DECLARATIONS, PageType])[];

/** Returns the type of page that a page declares; null if it declares none. */
export function declaredType({ types }: PageSignals): PageType | null {
  const found = TYPES.find(([declaration]) => types.some(type => DECLARATIONS[declaration].test(type)));
  return found === undefined ? null : found[1];
}
