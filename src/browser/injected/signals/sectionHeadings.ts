/**
 * The headings that tell what a section of a page is for. Those of other pages are known in thirteen languages: on the unseen half of the
 * article pages they are worth .009 of F1. For the others, and for single lines, phrases of other languages made no difference.
 */
import { FIRST_IDEOGRAPH } from '../dom/characters.ts';

/** The phrases of one language. */
interface LanguagePhrases {
  /**
   * The words with which a phrase begins, after a number, separated by spaces; in Chinese, Japanese and Korean its first two
   * characters.
   */
  readonly begins: string;
  /** Pattern of the whole phrase, in lower case. */
  readonly pattern: string;
}

/** Phrases by language (BCP 47). */
export type PhraseTable = Readonly<Record<string, LanguagePhrases>>;

/** The characters that end the first word of a text. */
const WORD_ENDS = ' \u00a0.,:;…!?()/|：（？';
/** They end it too, unless the word with them is known: `siga-nos`, `s'abonner`. */
const PARTS_ENDS = '-–—"“”\'’»&@';
const NUMBER = '0123456789.,+ \u00a0';

/** Returns a text in lower case, with `i` for each of the four letters of Turkish that look like it. */
const fold = (text: string): string => text.toLowerCase().replaceAll('\u0307', '').replaceAll('ı', 'i');

function endOfWord(text: string, start: number, ends: string): number {
  let end = start;
  while (end < text.length && !ends.includes(text[end] ?? '')) end++;
  return end;
}

/**
 * Phrases of several languages. The browser compiles a pattern when it is used first, for each page anew and for up to 10 ms if it has all
 * languages: a text is compared only with the languages whose phrases begin with its first word.
 */
export class Phrases {
  readonly table: PhraseTable;
  readonly #end: string;
  readonly #byBeginning = new Map<string, readonly string[]>();
  readonly #compiled = new Map<string, RegExp>();

  /** @param end pattern of what may follow a phrase, and of the end of the text */
  constructor(table: PhraseTable, end: string) {
    this.table = table;
    this.#end = end;
    for (const [language, { begins }] of Object.entries(table))
      for (const word of fold(begins).split(' '))
        this.#byBeginning.set(word, [...(this.#byBeginning.get(word) ?? []), language]);
  }

  /** Returns true if a text is one of the phrases. Its first word is the one after a number ("24 reviews"). */
  test(text: string): boolean {
    let start = 0;
    while (start < text.length && NUMBER.includes(text[start] ?? '')) start++;
    const word = fold(text.slice(start, endOfWord(text, start, WORD_ENDS)));
    const languages =
      this.#languagesOf(word) ?? this.#languagesOf(word.slice(0, endOfWord(word, 0, PARTS_ENDS)));
    if (languages === undefined) return false;
    const phrase = fold(text);
    return languages.some(language => this.#patternOf(language).test(phrase));
  }

  #languagesOf(word: string): readonly string[] | undefined {
    return this.#byBeginning.get(word < FIRST_IDEOGRAPH ? word : word.slice(0, 2));
  }

  #patternOf(language: string): RegExp {
    const known = this.#compiled.get(language);
    if (known !== undefined) return known;
    const pattern = new RegExp(`^(?:${fold(this.table[language]?.pattern ?? '(?!)')})${this.#end}`);
    this.#compiled.set(language, pattern);
    return pattern;
  }
}

/** The headings of sections of other pages: other products, other articles. */
const OTHER_PAGES_OF: PhraseTable = {
  en: {
    begins:
      "you you'll you’ll related similar recommended suggested other recently customers shoppers others people more shop view see explore discover read up what keep frequently pairs goes pair wear style complete sponsored",
    pattern:
      "you( may| might|['’]ll| will)( also)? (like|love|enjoy|be interested in)( too| as well)?|(related|similar) (products?|items?|articles?|posts?|stories|threads?|topics?|questions|discussions|content|reading|resources|news|guides|recipes|videos|searches|listings|jobs|courses|events|properties|books|pages|links)|(recommended|suggested) (products?|items?|articles?|posts?|stories|threads?|topics?|questions|discussions)|other (products?|items?|articles?|posts?|stories|threads?)|recently (viewed|browsed)( products| items)?|(recommended|suggested)( for you)?|customers (who|also) .{3,60}|(shoppers|others|people) (who .{3,40} )?also (viewed|bought|liked|searched for|purchased).{0,30}|more (like this|(from|by) (this|the same|our|your) .{2,30}|to (explore|read|love)|products|articles|stories|posts)|(shop|view|see|explore|discover) (similar|related)( .{2,30})?|(read|up|what to read) next|keep reading|frequently bought together|(pairs|goes) (well|great|best) with|(pair|wear|style) (it )?with|complete (the|your) (look|set|outfit|kit)|shop the look|sponsored( products| content| links| items)?",
  },
  de: {
    begins:
      'das dies diese ähnliche verwandte empfohlene weitere passende kunden zuletzt wird oft empfohlen empfehlungen mehr auch',
    pattern:
      '(das|dies|diese (produkte|artikel)) (könnten?|dürften?) (dir|dich|euch|ihnen|sie) (auch|ebenfalls) (gefallen|interessieren)|(ähnliche|verwandte) (produkte|artikel|beiträge|themen|nachrichten|fragen)|(empfohlene|weitere|passende) (produkte|artikel|beiträge|themen|nachrichten)|kunden (kauften|sahen) .{3,60}|kunden, die .{3,60} (kauften|gekauft|angesehen|sahen).{0,20}|zuletzt angesehen(e (produkte|artikel))?|(wird )?oft zusammen gekauft|empfohlen für (dich|sie)|empfehlungen für (dich|sie)|mehr zum thema|auch interessant',
  },
  fr: {
    begins:
      'vous article articles produit produits sujet sujets récemment vus les ils à lire sur recommandé recommandations fréquemment',
    pattern:
      'vous (aimerez|aimeriez|apprécierez|pourriez) (aussi|également|peut-être).{0,30}|(articles?|produits?|sujets?) (similaires?|connexes?|associée?s?|liée?s?|apparentée?s?|recommandée?s?|complémentaires?)|(produits? )?(récemment consultés?|vus récemment)|(les clients|ils) ont (aussi|également) (acheté|consulté|vu|aimé|regardé).{0,40}|à lire (aussi|également)|lire aussi|sur le même (sujet|thème)|(recommandé|recommandations) pour vous|fréquemment achetés ensemble',
  },
  es: {
    begins:
      'también quizá quizás tal igual te productos artículos entradas noticias temas preguntas vistos los recomendado comprados',
    pattern:
      '(también|quizás?|tal vez|igual) (también )?(te|podría|puede) (puede|podría|pueda|pueden|podrían)? ?(gustar|interesar|guste|interese|gusten|interesen|gustarte|interesarte)|te (puede|podría|pueden|podrían) (también )?(gustar|interesar)|(productos|artículos|entradas|noticias|temas|preguntas) (relacionad[oa]s|similares|recomendad[oa]s)|vistos recientemente|los clientes (también|que) .{3,60}|recomendado para ti|comprados juntos habitualmente',
  },
  pt: {
    begins:
      'você também pode poderá podes talvez produtos artigos post posts postagens notícias temas perguntas vistos quem leia veja recomendado comprados',
    pattern:
      '(você )?(também )?(pode|poderá|podes) (também )?(gostar|se interessar|estar interessado)( de| por| em)?|talvez (você )?(também )?goste|(produtos|artigos|posts?|postagens|notícias|temas|perguntas) (relacionad[oa]s|similares|semelhantes|recomendad[oa]s)|vistos recentemente|quem (viu|comprou),? .{0,30}(também|comprou|viu).{0,20}|(leia|veja) (também|mais)|recomendado para você|comprados juntos',
  },
  it: {
    begins: 'ti potrebbe potrebbero prodotti articoli argomenti notizie visti chi leggi consigliati spesso',
    pattern:
      '(ti )?potrebbe(ro)? (anche )?(interessar|piacer)(ti|vi|e)( anche)?|(prodotti|articoli|argomenti|notizie) (correlat[ie]|simili|consigliati)|(prodotti )?visti di recente|chi ha (visto|acquistato|comprato) .{3,40} anche .{0,20}|leggi anche|consigliati per te|spesso (acquistati|comprati) insieme',
  },
  nl: {
    begins:
      'misschien dit gerelateerde vergelijkbare soortgelijke aanbevolen onlangs laatst recent anderen klanten lees vaak',
    pattern:
      '(misschien vind je|dit vind je misschien) .{3,40}|(gerelateerde|vergelijkbare|soortgelijke|aanbevolen) (producten|artikelen|berichten|onderwerpen)|(onlangs|laatst|recent) bekeken( producten)?|(anderen|klanten) (bekeken|kochten) ook|lees ook|aanbevolen voor jou|vaak samen gekocht',
  },
  pl: {
    begins: 'podobne powiązane polecane może zobacz przeczytaj czytaj ostatnio klienci często',
    pattern:
      '(podobne|powiązane|polecane) (produkty|artykuły|wpisy|tematy|wiadomości|pytania)|może (cię|ci|ci się) (również|także|też) .{3,30}|(zobacz|przeczytaj|czytaj) (również|także|też)|ostatnio (oglądane|przeglądane)( produkty)?|klienci (kupili|którzy) .{3,60}|często kupowane razem|polecane dla ciebie',
  },
  ru: {
    begins:
      'похожие рекомендуемые сопутствующие вам вас с недавно ранее вы также читайте смотрите рекомендуем часто',
    pattern:
      '(похожие|рекомендуемые|сопутствующие) (товары|статьи|записи|новости|темы|материалы|вопросы)|вам (также )?(может|могут|будет) (также )?(понравиться|быть интересно|интересно)|вам понравится|вас (также )?(может|могут) (также )?заинтересовать|с этим товаром (также )?(покупают|смотрят|берут|заказывают)|(недавно|ранее) просмотренные( товары)?|(недавно|ранее) вы смотрели|вы (недавно|ранее) смотрели|(читайте|смотрите) также|(также )?рекомендуем( также| вам)?|часто покупают вместе',
  },
  tr: {
    begins: 'benzer ilgili önerilen bunlar ilginizi bunları son sizin sıkça birlikte',
    pattern:
      '(benzer|ilgili|önerilen) (ürünler|yazılar|haberler|konular|sorular)|(bunlar da )?ilginizi çekebilir|bunları da beğenebilirsiniz|son (görüntülenen|gezilen|baktığınız)( ürünler)?|sizin için (önerilenler|seçtiklerimiz)|(sıkça )?birlikte alınan(lar| ürünler)',
  },
  ja: {
    begins: '関連 おす 最近 最後 この こち あわ 合わ 類似 よく',
    pattern:
      '関連(する)?(商品|製品|記事|ページ|コンテンツ|トピック)|おすすめ(の)?(商品|製品|記事|アイテム)|(最近|最後に)(チェック|閲覧)した(商品|アイテム|ページ)|この(商品|記事)(を|に|も).{2,40}|こちらも(おすすめ|人気)|(あわせて|合わせて)(読みたい|買いたい).{0,10}|類似(の)?(商品|製品)|よく一緒に購入されている商品',
  },
  zh: {
    begins: '相关 相似 推荐 热门 熱門 相關 推薦 为您 为你 為您 為你 猜你 您可 你可 最近 看了 延伸 经常 經常',
    pattern:
      '(相关|相似|推荐|热门|相關|推薦|熱門)(产品|商品|文章|阅读|新闻|主题|產品|閱讀|新聞|推荐|推薦)|(为|為)(您|你)推[荐薦]|猜你喜[欢歡]|[您你]可能(也|[还還])?(会|會)?(喜[欢歡]|感兴趣|感興趣|想看).{0,8}|最近(浏览|瀏覽)(过|過)?(的商品|记录)?|看了又看|延伸[阅閱][读讀]|(经常|經常)一起(购买|購買).{0,6}',
  },
  ko: {
    begins: '관련 추천 비슷 연관 최근 함께 이런',
    pattern:
      '(관련|추천|비슷한|연관) ?(상품|제품|기사|글|게시물|콘텐츠)|최근 본 ?(상품|제품)|함께 (구매한|구매하면 좋은|본) ?(상품|제품)|이런 (상품|제품|글)(은|도) 어떠세요',
  },
};

/** A number of reviews, and a colon or dots, may follow. */
const END = '( ?[(（]\\d[\\d,.]*[^)）]{0,3}[)）])?\\s*([:：…?？]|\\.{3})?$';

/** A longer heading tells more than what kind of section it begins. */
export const MAX_HEADING_CHARACTERS = 120;

/** The whole heading of a section of other pages. */
export const OTHER_PAGES = new Phrases(OTHER_PAGES_OF, END);
/** Matches the whole heading of the reviews of a product. */
export const REVIEWS =
  /^(?:((customer|user|product|verified|all|top|recent|our|\d[\d,.]*\+?) )*(reviews?|ratings?|testimonials?)( (&|and) (reviews?|ratings?|questions))?|(ratings?|reviews?) (&|and) (ratings?|reviews?).*|what (our )?(customers|people|others) (say|are saying).*)( ?[(（]\d[\d,.]*[^)）]{0,3}[)）])?\s*([:：…?？]|\.{3})?$/i;
/** Matches the whole heading of the specification of a product. */
export const SPECIFICATION =
  /^(?:((product |technical |tech |key |full )?(specs?|specifications?)|(product|technical) (details|data|information)|dimensions|ingredients|materials?( & care)?|what['’]s (in the box|included)))( ?[(（]\d[\d,.]*[^)）]{0,3}[)）])?\s*([:：…?？]|\.{3})?$/i;
/** Matches the whole heading of what a text refers to. */
export const SOURCES =
  /^(?:(foot|end)?notes|(notes and )?references|sources|bibliography|works cited|citations|literature|further reading|external links|links|einzelnachweise|quellen(angaben)?|fußnoten|anmerkungen|literatur|weblinks|nachweise|références|notes et références|bibliographie|fuentes|referencias|notas|bibliografía|referências|fontes|note|fonti|riferimenti|bronnen|referenties|źródła|przypisy|bibliografia|источники|примечания|литература|джерела|примітки|література|kaynaklar|kaynakça|参考文献|脚注|出典|参考资料)$/i;
