/** The requests of advertising and tracking that a session does not send, by the lists of `third-party-web`: the hosts of each company of the web's third parties, with the kind of what they serve. */
import type { IEntity } from 'third-party-web/nostats-subset.js';
import type { BlockedKind } from '../../domain/session/browserOptions.ts';

/** The categories of the package that a kind blocks. Not blocked: `marketing`, social, consent-provider, customer-success, utility and others, without which pages lack what people see. */
const CATEGORIES: Readonly<Partial<Record<BlockedKind, readonly string[]>>> = {
  ads: ['ad'],
  trackers: ['analytics', 'tag-manager'],
};

/** Companies whose hosts also serve what people see. The package counts a company as a whole: `Bing Ads` is all of microsoft.com. */
const SERVING_CONTENT: ReadonlySet<string> = new Set([
  // Portals, shops, news and networks with pages of their own.
  'AOL / Oath / Verizon Media',
  'Auto Link Maker',
  'Better Business Bureau',
  'Bing Ads',
  'Channel 5 Media',
  'eBay',
  'Everyday Health',
  'Guardian Media',
  'Hootsuite',
  'HotUKDeals',
  'IBM Tealeaf',
  'LINE Corporation',
  'LinkedIn Ads',
  'Onet',
  'Purch',
  'Quora Ads',
  'Rakuten Marketing',
  'RebelMouse',
  'Reklama',
  'SAS Institute',
  'Salesforce.com',
  'Scripps Network Digital',
  'Sidereel',
  'Snapchat',
  'Spiceworks',
  'United Internet Media',
  'Unidays',
  'Wayfair',
  'Wowcher',
  'Yahoo!',
  'Yahoo! JAPAN Ads',
  'Zoover',
  // Players and pictures.
  'Buto',
  'Connatix',
  'Invodo',
  'LongTail Ad Solutions',
  'Ooyala',
  'Vidible',
  // Sign-in, paywalls, links that lead on.
  'Branch Metrics',
  'Geniuslink',
  'Gigya',
  'Janrain',
  'LoginRadius',
  'Okta',
  'OneAll',
  'piano',
  // Reviews, comments, polls, forms, searches and parts of pages that a site leaves to others.
  'AWeber',
  'ActiveCampaign',
  'Answers',
  'Apester',
  'Bazaarvoice',
  'BloomReach',
  'Ceros Analytics',
  'Clerk.io ApS',
  'Constant Contact',
  'eKomi',
  'Edition Digital',
  'Feefo.com',
  'Flipp',
  'Flixmedia',
  'Flockler',
  'GetResponse',
  'Infusionsoft',
  'Interview',
  'jsonip.com',
  'Klaviyo',
  'LockerDome',
  'Net Reviews',
  'ObjectPlanet',
  'Opinion Stage',
  'Pagesuite',
  'PollDaddy (Automattic)',
  'Polldaddy',
  'PowerReviews',
  'Qualtrics',
  'QuestionPro',
  'Qzzr',
  'Reevoo',
  'Reviews.co.uk',
  'Reviews.io',
  'ScribbleLive',
  'Searchanise',
  'Stamped.io',
  'SurveyGizmo',
  'SurveyMonkey',
  'Trust Pilot',
  'Unbounce',
  'Viafoura',
  'VouchedFor',
]);

/** Hosts of other companies that serve what people see (videos, pictures, news), and patterns of the lists that match hosts of any company: `*.net.pl`, `*.de.com`, `*.net.net`. */
const CONTENT_HOSTS =
  /(?:^|\.)(?:aniview\.com|delvenetworks\.com|limelight\.com|llnwd\.net|imageg\.net|01net\.com|net\.pl|de\.com|net\.net)$/;

type FindEntity = (host: string) => Pick<IEntity, 'name' | 'category'> | undefined;

/** The lists take 2 MB and 20 ms: only a session that needs them loads them. */
const loadLists = async (): Promise<FindEntity> =>
  (await import('third-party-web/nostats-subset.js')).default.getEntity;

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';

export class HostBlocks {
  #find: FindEntity = () => undefined;
  #categories: readonly string[] = [];
  readonly #opened = new Set<string>();

  async choose(kinds: readonly BlockedKind[]): Promise<void> {
    const categories = kinds.flatMap(kind => CATEGORIES[kind] ?? []);
    if (categories.length > 0) this.#find = await loadLists();
    this.#categories = categories;
  }

  /** Call it with the address of each page that a tab opens: it is no third party, nor is what its company serves to it. */
  opens(url: string): void {
    const entity = this.#blocked(hostOf(url));
    if (entity !== null) this.#opened.add(entity);
  }

  /** Returns true for a request that is not sent. @param pages addresses of the page that may send it: that of the tab, and that which it opens */
  blocks(url: string, pages: readonly string[]): boolean {
    const entity = this.#blocked(hostOf(url));
    return entity !== null && pages.every(page => this.#find(hostOf(page))?.name !== entity);
  }

  /** Returns why no page may reach a host, as a clause; null if one may. For requests that no page can be named for, such as WebSockets. */
  refusal(host: string): string | null {
    const entity = this.#blocked(host);
    return entity === null || this.#opened.has(entity)
      ? null
      : `the session blocks what ${entity} serves to other pages`;
  }

  #blocked(host: string): string | null {
    if (this.#categories.length === 0) return null;
    const entity = this.#find(host);
    return entity !== undefined &&
      this.#categories.includes(entity.category) &&
      !SERVING_CONTENT.has(entity.name) &&
      !CONTENT_HOSTS.test(host)
      ? entity.name
      : null;
  }
}
